import { join } from "node:path";
import { describe, test } from "vitest";
import { systemClock } from "../../../src/send/clock.js";
import { memoryLedger, memorySuppressions, createMemoryPace } from "../../../src/send/store/memory.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { testMailStore } from "../../../src/testing/store/index.js";
import { temporaryFolder } from "./stores.js";

describe("in memory", () => {
  const open = async () => ({
    pace: createMemoryPace(systemClock),
    ledger: memoryLedger(),
    suppressions: memorySuppressions(),
    close: async () => undefined,
  });
  for (const each of testMailStore({ open }).filter(({ name }) => name.startsWith("pace:")))
    test(each.name, () => each.run());
});

describe("in a file", () => {
  const open = async () => openMailStore(join(await temporaryFolder(), "store.db"), systemClock);
  for (const each of testMailStore({ open }).filter(({ name }) => name.startsWith("pace:")))
    test(each.name, () => each.run());
});
