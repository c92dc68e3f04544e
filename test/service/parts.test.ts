import { join } from "node:path";
import { expect, test } from "vitest";
import { frozenClock, runningClock } from "../../src/service/index.js";
import { openDatabase } from "../../src/service/store/database.js";
import { temporaryFolder } from "./harness.js";

test("a frozen clock only moves when it is advanced, a running one from the machine's time", () => {
  const frozen = frozenClock(1_000);
  frozen.advance(500);
  expect([frozen.now(), frozen.now()]).toEqual([1_500, 1_500]);
  const running = runningClock();
  running.advance(3_600_000);
  expect(running.now() - Date.now()).toBeGreaterThan(3_590_000);
  for (const wrong of [-1, 0.5, Number.NaN]) expect(() => frozen.advance(wrong)).toThrow(RangeError);
});

test("opening the database prints no warning, and bytes and strings are stored unchanged", async () => {
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
