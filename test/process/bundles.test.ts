import path from "node:path";
import { expect, test } from "vitest";
import { Bundles } from "../../src/process/bundle.js";
import { ModuleError } from "../../src/process/module-error.js";
import { makeFolder } from "./folder.js";

test("bundles that are started together are built once, and each reports its own problem", async () => {
  const folder = await makeFolder({ "a.ts": "export default 1;", "b.ts": "export default (" });
  const [a, b] = [path.join(folder, "a.ts"), path.join(folder, "b.ts")];
  const read: string[] = [];
  const bundles = new Bundles([a, b], { transform: ({ file }) => read.push(path.basename(file)) });
  await bundles.start();
  expect((await bundles.get(a)).sources).toEqual([a]);
  await expect(bundles.get(b)).rejects.toThrow(ModuleError);
  expect(read).toEqual(["a.ts"]);
});
