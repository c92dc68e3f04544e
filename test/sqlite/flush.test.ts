import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flushOf } from "../../src/sqlite/flush.js";
import { temporaryFolder } from "../service/harness.js";

test("combines concurrent flushes, and runs one requested during another afterwards", async () => {
  const file = join(await temporaryFolder(), "log");
  await writeFile(file, "");
  const flush = flushOf(file);
  const first = flush.flushed();
  expect(flush.flushed()).toBe(first);
  await Promise.resolve();
  await appendFile(file, "more");
  const order: string[] = [];
  await Promise.all([first.then(() => order.push("first")), flush.flushed().then(() => order.push("second"))]);
  expect(order).toEqual(["first", "second"]);
  await Promise.all(Array.from({ length: 100 }, () => flush.flushed()));
  flush.close();
});

test("fails for everyone who waits if a file cannot be flushed", async () => {
  expect(() => flushOf("/nowhere/at/all")).toThrow("ENOENT");
});
