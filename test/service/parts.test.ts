import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { frozenClock, runningClock } from "../../src/service/index.js";
import { openDatabase } from "../../src/service/store/database.js";
import { temporaryFolder } from "./harness.js";

test("a frozen clock moves only when it is told to, a running one from where the machine is", () => {
  const frozen = frozenClock(1_000);
  frozen.advance(500);
  expect([frozen.now(), frozen.now()]).toEqual([1_500, 1_500]);
  const running = runningClock();
  running.advance(3_600_000);
  expect(running.now() - Date.now()).toBeGreaterThan(3_590_000);
  for (const wrong of [-1, 0.5, Number.NaN]) expect(() => frozen.advance(wrong)).toThrow(RangeError);
});

test("the database takes no warning with it, and keeps bytes and texts as they are", async () => {
  const warnings: unknown[] = [];
  const listener = (warning: unknown) => warnings.push(warning);
  process.on("warning", listener);
  const database = await openDatabase(join(await temporaryFolder(), "x.db"));
  database.exec("CREATE TABLE t (text TEXT, bytes BLOB) STRICT");
  database.prepare("INSERT INTO t VALUES (?, ?)").run("Grüße 👋", Uint8Array.of(0, 255));
  expect({ ...database.prepare("SELECT * FROM t").get() }).toEqual({ text: "Grüße 👋", bytes: Uint8Array.of(0, 255) });
  expect(database.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: 1 });
  expect(database.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
  database.close();
  process.off("warning", listener);
  expect(warnings).toEqual([]);
});

const builtIn: unknown = process.getBuiltinModule("node:sqlite");

test.skipIf(builtIn !== undefined)("without SQLite in Node, the package to install is named", async () => {
  // The driver alone, in a folder without any packages.
  const folder = await temporaryFolder();
  const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
  for (const file of ["sqlite/driver.js", "errors.js"]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(dist, file), join(folder, file));
  }
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const driver = pathToFileURL(join(folder, "sqlite/driver.js")).href;
  const script = `import { loadDriver } from ${JSON.stringify(driver)}; await loadDriver("the local service").catch((error) => console.log(error.code, error.packages, error.message, error.hint))`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  expect(stdout).toContain("missing_peer [ '@photostructure/sqlite' ]");
  expect(stdout).toContain("the local service needs it");
  expect(stdout).toContain("Run: npm install @photostructure/sqlite");
});
