// Packs the package and uses it like a user: in applications outside the repository, each in a folder with a space in its name.
// `--only PATTERN` runs only the attempts with a matching name.
import { rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { folder, pack, writeJson } from "./app.mjs";
import { Attempts } from "./attempts.mjs";
import { tryBundles } from "./bundles.mjs";
import { tryCommonJs } from "./commonjs.mjs";
import { tryInstalls } from "./installs.mjs";
import { tryNext } from "./next.mjs";
import { SendingApps } from "./sending-apps.mjs";

const options = parseArgs({
  options: { only: { type: "string" }, report: { type: "string" }, tarball: { type: "string" } },
}).values;
const tarball = options.tarball === undefined ? await pack() : path.resolve(options.tarball);
const attempts = new Attempts(options.only === undefined ? undefined : new RegExp(options.only, "i"));

await tryInstalls(attempts, tarball);
await tryCommonJs(attempts, tarball);
const apps = new SendingApps(tarball);
await tryBundles(attempts, apps);
await tryNext(attempts, apps);
await apps.stop();

await rm(folder, { recursive: true, force: true });
const { results, failed } = attempts;
for (const { name, error } of failed) console.error(`✗ ${name}: ${error.message}`);
if (options.report)
  await writeJson(options.report, {
    numPassedTests: results.length - failed.length,
    numFailedTests: failed.length,
  });
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
