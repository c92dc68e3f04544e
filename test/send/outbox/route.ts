import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../../src/send/clock.js";
import { createCourier } from "../../../src/send/delivery/courier.js";
import type { SendEvent } from "../../../src/send/events.js";
import { createOutbox, type Outbox, type NewOutboxOptions } from "../../../src/send/outbox/outbox.js";
import type { OutboxState } from "../../../src/send/store/outbox.js";
import { accountOf, createPace } from "../../../src/send/pace/pace.js";
import { openMailStore } from "../../../src/send/store/sqlite.js";
import { type RunningService, startService } from "../../../src/service/start.js";
import { temporaryFile } from "./open.js";

/** The local service without its own limits, in memory. */
export async function aService(): Promise<RunningService> {
  const service = await startService({ data: ":memory:", port: 0, limits: false });
  onTestFinished(() => service.close());
  return service;
}

/** How often each subject was sent, according to the service. */
export function sentBySubject(service: RunningService): Map<string, number> {
  const sent = new Map<string, number>();
  for (let seq = 0, page = service.mail.after(seq); page.length > 0; page = service.mail.after(seq)) {
    for (const { subject } of page) sent.set(subject, (sent.get(subject) ?? 0) + 1);
    seq = page.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  }
  return sent;
}

interface RouteOptions extends Partial<NewOutboxOptions> {
  readonly file?: string;
  readonly clock?: Clock;
  /** How late the delivery log may be, in ms. */
  readonly logDelayMs?: number;
  readonly timeoutMs?: number;
}

export interface RoutedOutbox {
  readonly outbox: Outbox;
  readonly events: SendEvent[];
  /** Counts messages in a state. */
  readonly count: (state: OutboxState) => Promise<number>;
  readonly store: Awaited<ReturnType<typeof openMailStore>>;
}

/** An outbox in front of a service, with everything in between. */
export async function routeTo(
  service: Pick<RunningService, "url" | "apiKey" | "domain">,
  { file = temporaryFile(), clock = systemClock, logDelayMs = 200, timeoutMs = 5_000, ...rest }: RouteOptions = {},
): Promise<RoutedOutbox> {
  const { url, apiKey, domain } = service;
  const { sendsPerMinute = 100_000 } = rest;
  const events: SendEvent[] = [];
  const publish = (event: SendEvent) => void events.push(event);
  const store = await openMailStore(file, clock);
  const pace = createPace({ account: accountOf({ url, apiKey }), store: store.pace, sendsPerMinute, clock, publish });
  const courier = createCourier({
    url,
    apiKey,
    domain,
    version: "v4",
    sendsPerMinute,
    logDelayMs,
    timeoutMs,
    ledger: store.ledger,
    pace,
    clock,
    publish,
  });
  const outbox = createOutbox({
    store: store.outbox,
    courier,
    pace,
    clock,
    publish,
    url,
    domain,
    sendsPerMinute,
    ...rest,
  });
  onTestFinished(async () => {
    await outbox.close();
    await courier.close();
    await pace.close();
    await store.close();
  });
  return {
    outbox,
    events,
    store,
    count: async (state) => (await outbox.stats()).counts[state],
  };
}

/** What the service accepted, by subject. */
export function subjectsAt(service: RunningService): string[] {
  return service.mail.list().map(({ subject }) => subject);
}
