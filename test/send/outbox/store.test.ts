import { describe, it } from "vitest";
import type { MailStore } from "../../../src/send/store/store.js";
import { testMailStore } from "../../../src/testing/store/index.js";
import { openOutboxStore } from "./open.js";

describe("the SQLite outbox", () => {
  const open = async () => {
    const { store } = await openOutboxStore();
    return { outbox: store, close: async () => undefined } as unknown as MailStore;
  };
  for (const each of testMailStore({ open }).filter(({ name }) => name.startsWith("outbox:")))
    it(each.name, () => each.run());
});
