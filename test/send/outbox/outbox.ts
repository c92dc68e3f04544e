import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import type { Clock } from "../../../src/send/clock.js";
import type { Courier } from "../../../src/send/delivery/courier.js";
import type { SendEvent } from "../../../src/send/events.js";
import type { QueueMessage } from "../../../src/send/outbox/context.js";
import { createOutbox, type Outbox, type NewOutboxOptions } from "../../../src/send/outbox/outbox.js";
import type { SqliteOutbox } from "../../../src/send/store/sqlite-outbox.js";
import { VirtualClock } from "../virtual-clock.js";
import { openOutboxStore } from "./open.js";

export interface TestOutbox {
  readonly outbox: Outbox;
  readonly store: SqliteOutbox;
  readonly clock: VirtualClock;
  readonly events: SendEvent[];
}

/** For tests that send nothing. */
const nobody: Courier = {
  deliver: () => Promise.reject(new Error("Nothing is to be sent here.")),
  reconcile: () => Promise.reject(new Error("Nothing is to be looked up here.")),
  close: () => Promise.resolve(),
};

/** An outbox with its own file, and time that stands still. */
export async function openOutbox(
  options: Partial<Omit<NewOutboxOptions, "clock">> & { clock?: VirtualClock; file?: string } = {},
): Promise<TestOutbox> {
  const { file, clock = new VirtualClock(), ...rest } = options;
  const { store } = await openOutboxStore(file, clock);
  const events: SendEvent[] = [];
  const outbox = createOutbox({
    store,
    courier: nobody,
    pace: { expectedWait: () => 0 },
    clock: clock satisfies Clock,
    publish: (event) => events.push(event),
    url: "https://api.example.com",
    domain: "example.com",
    sendsPerMinute: 10,
    ...rest,
  });
  onTestFinished(() => outbox.close());
  return { outbox, store, clock, events };
}

export function mail(differences: Partial<QueueMessage> = {}): QueueMessage {
  return {
    id: randomUUID(),
    priority: "normal",
    onUnknown: "park",
    email: { from: "shop", to: "Ada <ada@example.com>", template: "receipt", variables: { total: "12.00" } },
    template: "receipt",
    ...differences,
  };
}
