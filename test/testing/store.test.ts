import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, test } from "vitest";
import { systemClock } from "../../src/send/clock.js";
import { openMailStore } from "../../src/send/store/sqlite.js";
import { memoryStore } from "../../src/send/store/memory.js";
import type { MailStore } from "../../src/send/store/store.js";
import { type StoreUnderTest, testMailStore } from "../../src/testing/index.js";
import { MemoryOutbox } from "../../src/testing/memory-outbox.js";

const folder = path.join(tmpdir(), "lettershop-stores");
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As `sqlite-store.mjs` does in other processes. */
const openInFile = (name: string) => openMailStore(path.join(folder, `${name}.db`), systemClock);

const inMemory = new Map<string, MailStore>();

async function openInMemory(name: string): Promise<MailStore> {
  const store = inMemory.get(name) ?? {
    ...memoryStore({ ...systemClock }),
    outbox: new MemoryOutbox(systemClock),
  };
  inMemory.set(name, store);
  return store;
}

const stores: readonly (readonly [string, StoreUnderTest])[] = [
  ["in memory", { open: openInMemory }],
  ["in a file", { open: openInFile, module: new URL("sqlite-store.mjs", import.meta.url) }],
];

describe.each(stores)("a store %s", (_, store) => {
  test.each(testMailStore(store).map(({ name, run }) => [name, run] as const))("%s", (__, run) => run());
});
