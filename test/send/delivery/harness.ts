import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { onTestFinished } from "vitest";
import {
  type Courier,
  type CourierOptions,
  createCourier,
  type NewCourierOptions,
} from "../../../src/send/delivery/courier.js";
import { memoryLedger, createMemoryPace } from "../../../src/send/store/memory.js";
import type { Parcel, Sent } from "../../../src/send/parcel.js";
import type { SendEvent } from "../../../src/send/events.js";
import { createPace } from "../../../src/send/pace/pace.js";
import { type RunningService, type ServiceOptions, startService } from "../../../src/service/index.js";
import { VirtualClock } from "../virtual-clock.js";

/** Time that stands still while a request is in progress, and otherwise moves to the next timer. */
export class DrivenClock extends VirtualClock {
  /** Lets time pass until the promise settles. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    const state = { settled: false };
    const watched = promise.finally(() => (state.settled = true));
    watched.catch(() => undefined);
    while (!state.settled) {
      await this.settle();
      if (!state.settled) this.step();
    }
    return watched;
  }

  protected override settle(): Promise<void> {
    return quiet();
  }
}

/** Requests of this process without an answer yet. */
const underWay = new Set<unknown>();
const began = (message: unknown) => void underWay.add(requestOf(message));
const ends = new EventEmitter();
const ended = (message: unknown) => {
  underWay.delete(requestOf(message));
  ends.emit("end");
};

function requestOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "request" in message ? message.request : undefined;
}

/**
 * Resolves when only time can change something. Requests to a server that never answers are not waited for: `hanging`.
 */
async function quiet(): Promise<void> {
  let turns = 0;
  while (turns < 8) {
    const isWaiting = underWay.size > hanging.count;
    turns = isWaiting ? 0 : turns + 1;
    await (isWaiting ? once(ends, "end") : turn());
  }
}

/** How many requests of this test will have no answer. */
export const hanging = { count: 0 };

export function watchRequests(): void {
  subscribe("undici:request:create", began);
  subscribe("undici:request:trailers", ended);
  subscribe("undici:request:error", ended);
  onTestFinished(() => {
    unsubscribe("undici:request:create", began);
    unsubscribe("undici:request:trailers", ended);
    unsubscribe("undici:request:error", ended);
    underWay.clear();
    ends.emit("end");
    hanging.count = 0;
  });
}

export const DOMAIN = "example.test";

export type Desk = Courier & {
  readonly clock: DrivenClock;
  readonly events: SendEvent[];
  /** Delivers a parcel while time passes. */
  send(parcel?: Partial<Parcel>, options?: Partial<CourierOptions>): Promise<Sent>;
  /** The same without waiting. */
  start(parcel?: Partial<Parcel>, options?: Partial<CourierOptions>): Promise<Sent>;
};

export type DeskOptions = Partial<NewCourierOptions> & { readonly clock?: DrivenClock };

/** A courier to a service, with time under the test's control. */
export async function openDesk(url: string, options: DeskOptions = {}): Promise<Desk> {
  const { clock = new DrivenClock(), sendsPerMinute = 10 } = options;
  await loadAll();
  watchRequests();
  const events: SendEvent[] = [];
  const publish = (event: SendEvent) => void events.push(event);
  const pace = createPace({ account: "test", store: createMemoryPace(clock), sendsPerMinute, clock, publish });
  const courier = createCourier({
    url,
    apiKey: "local",
    version: "v4",
    domain: DOMAIN,
    timeoutMs: 5000,
    logDelayMs: 60_000,
    sendsPerMinute,
    ledger: memoryLedger(clock),
    pace,
    clock,
    publish,
    ...options,
  });
  const closing = new AbortController();
  onTestFinished(async () => {
    closing.abort(new Error("The test is over."));
    await courier.close();
  });
  const start: Desk["start"] = (parcel, delivery) =>
    courier.deliver(newParcel(parcel), { maxWait: 10_000, closing: closing.signal, ...delivery });
  return { ...courier, clock, events, start, send: (parcel, delivery) => clock.until(start(parcel, delivery)) };
}

let parcels = 0;

export function newParcel(changes: Partial<Parcel> = {}): Parcel {
  parcels += 1;
  return { id: `parcel-${parcels}`, email: newEmail(), priority: "normal", onUnknown: "park", ...changes };
}

export function newEmail(changes: Partial<Parcel["email"]> = {}): Parcel["email"] {
  return { from: "receipts", to: ["ada@example.com"], subject: "Hi", text: "Hi Ada", ...changes };
}

/** The local service, on the same clock. */
export async function startLocalService(
  clock: DrivenClock,
  options: Partial<ServiceOptions> = {},
): Promise<RunningService> {
  const service = await startService({
    data: ":memory:",
    port: 0,
    limits: false,
    clock: { now: () => Math.floor(clock.time()), advance: (milliseconds) => void clock.advance(milliseconds) },
    seed: { accounts: [{ apiKey: "local", domains: [{ name: DOMAIN }] }] },
    ...options,
  });
  onTestFinished(() => service.close());
  return service;
}

/** Loads what the first request needs, because that takes real time. */
async function loadAll(): Promise<void> {
  await Promise.all([
    import("undici"),
    import("../../../src/api/contract/v4/emails.js"),
    import("../../../src/api/contract/v4/logs.js"),
    import("../../../src/api/contract/v4/account.js"),
    import("../../../src/api/contract/v3/sending.js"),
    import("../../../src/api/contract/v3/logs.js"),
  ]);
}
