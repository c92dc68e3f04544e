import { describe, it } from "vitest";
import type { MailStore } from "../../../src/send/store/store.js";
import { outboxCases } from "../../../src/testing/store/outbox.js";
import { openOutboxStore } from "./open.js";

describe("the SQLite outbox", () => {
  const open = async () => {
    const { store } = await openOutboxStore();
    return { outbox: store, close: async () => undefined } as unknown as MailStore;
  };
  for (const each of outboxCases({ open })) it(each.name, () => each.run());
});
