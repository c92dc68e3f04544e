import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { systemClock } from "../../src/send/clock.js";
import { memoryStore } from "../../src/send/store/memory.js";
import { openMailStore } from "../../src/send/store/sqlite.js";
import { testMailStore } from "../../src/testing/index.js";
import { MemoryOutbox } from "../../src/testing/memory-outbox.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "letter shop-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
describe.each([
  ["in memory", async () => ({ ...memoryStore({ ...systemClock }), outbox: new MemoryOutbox() })],
  ["in a file", () => openMailStore(path.join(folder, `${(files += 1)}.db`), systemClock)],
] as const)("a store %s", (_, open) => {
  test.each(testMailStore({ open }).map(({ name, run }) => [name, run] as const))("%s", (__, run) => run());
});
