// Preloaded into a process: SIGUSR2 makes it hold all flushes to the disk, and another one releases them.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { fdatasync } = fs;
/** @type {(() => void)[] | undefined} */
let held;

Object.assign(fs, {
  fdatasync(/** @type {number} */ handle, /** @type {fs.NoParamCallback} */ done) {
    if (!held) return fdatasync(handle, done);
    held.push(() => fdatasync(handle, done));
    process.stdout.write("held\n");
  },
});
syncBuiltinESMExports();

process.on("SIGUSR2", () => {
  const flushes = held;
  held = flushes ? undefined : [];
  for (const flush of flushes ?? []) flush();
  process.stdout.write(held ? "holding\n" : "released\n");
});
