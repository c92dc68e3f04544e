import type { SendingClient, SendingClientV3 } from "../../api/sending-client.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import { isNotFound } from "../../api/errors.js";
import { LOGS_LIMIT } from "../../api/limits.js";
import { deliveryLogV3 } from "./delivery-log-v3.js";

/**
 * An email to one recipient, independent of the API version. Times are milliseconds since 1970, on the service's clock.
 */
export interface LoggedMail {
  /** The id of the log entry. */
  readonly id: string;
  /** Shared by the entries of one message (RFC 5322). */
  readonly messageId: string;
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly at: number;
  /** In the order in which they happened. */
  readonly events: readonly LoggedEvent[];
}

/** Filters emails; absent fields don't filter. */
export interface LogWindow {
  /** Received at this time or later; the result may include entries of adjacent seconds. */
  readonly from?: number;
  readonly until?: number;
  /** A full address. */
  readonly sender?: string;
  readonly recipient?: string;
  /** With an event of one of these statuses. */
  readonly states?: readonly LogStatus[];
}

/** Everything that was sent through the API, as the delivery log of either version shows it. */
export interface DeliveryLog {
  /** Undefined if the log has no such entry: not yet, no longer, or never. */
  get(id: string, signal?: AbortSignal): Promise<LoggedMail | undefined>;
  /** In no particular order, each once. */
  within(window: LogWindow, signal?: AbortSignal): AsyncIterable<LoggedMail>;
  /** Newest first, as far back as the log goes. */
  newest(signal?: AbortSignal): AsyncIterable<LoggedMail>;
  /** When the newest entry of any kind arrived: the service's clock has reached at least this time. */
  latest(signal?: AbortSignal): Promise<number | undefined>;
}

/** The domain whose log it is. */
export type LogSource = { readonly domain: string } & (
  | { readonly version: "v4"; readonly client: Pick<SendingClient, "logs"> }
  | { readonly version: "v3"; readonly client: Pick<SendingClientV3, "logs"> }
);

const SECOND_MS = 1000;

/**
 * @example
 * for await (const { recipient, events } of deliveryLogOf({ version: "v4", client, domain }).newest()) …
 */
export function deliveryLogOf(source: LogSource): DeliveryLog {
  return source.version === "v3" ? deliveryLogV3(source.client.logs, source.domain) : deliveryLogV4(source);
}

function deliveryLogV4({
  client: { logs },
  domain,
}: {
  readonly client: Pick<SendingClient, "logs">;
  readonly domain: string;
}) {
  const list = async function* (filter: object, signal?: AbortSignal): AsyncGenerator<LoggedMail> {
    const query = { ...filter, transport: "api", limit: LOGS_LIMIT.max } as const;
    for await (const entry of logs.list(domain, query, readOptions(signal))) yield toMail(entry);
  };
  return {
    async get(id, signal) {
      try {
        return toMail(await logs.get(domain, id, readOptions(signal)));
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    within: ({ from, until, sender, recipient, states }, signal) =>
      list(
        {
          // It is not documented whether `after` includes its own time.
          ...(from === undefined || from <= SECOND_MS ? {} : { after: new Date(wholeSecond(from) - SECOND_MS) }),
          ...(until === undefined ? {} : { before: new Date(wholeSecond(until) + 2 * SECOND_MS) }),
          ...(sender === undefined ? {} : { sender }),
          ...(recipient === undefined ? {} : { recipient }),
          ...(states === undefined ? {} : { status: states }),
        },
        signal,
      ),
    newest: (signal) => list({}, signal),
    async latest(signal) {
      const {
        logs: [entry],
      } = await logs.page(domain, { limit: 1 }, readOptions(signal));
      return entry && Date.parse(entry.created_at);
    },
  } satisfies DeliveryLog;
}

/** The service writes whole seconds. */
function wholeSecond(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS;
}

type Entry = Awaited<ReturnType<SendingClient["logs"]["get"]>>;

function toMail({ id, message_id, sender, recipient, subject, created_at, events }: Entry): LoggedMail {
  return {
    id,
    messageId: message_id,
    sender: sender.email,
    recipient: recipient.email,
    subject,
    at: Date.parse(created_at),
    events: inOrder(events.map(({ created_at: at, ...event }) => ({ ...event, at: Date.parse(at) }))),
  };
}

/** Something that happened to an email, as the receiving server reported it. */
export interface LoggedEvent {
  readonly id: string;
  /** Milliseconds since 1970, on the service's clock, which shows whole seconds. */
  readonly at: number;
  readonly status: LogStatus;
  /** The SMTP code. */
  readonly code: number;
  /** The server's own text. It may contain the address. */
  readonly message: string;
}

/** The order of events within the same second. */
const stages: Readonly<Record<LogStatus, number>> = {
  QUEUED: 0,
  "SOFT-BOUNCE": 1,
  DELIVERED: 2,
  REFUSED: 3,
  "HARD-BOUNCE": 3,
  BOUNCED: 3,
};

/** An event as the log has it: its status may be one that the service's documentation does not list. */
type ReadEvent = Omit<LoggedEvent, "status"> & { readonly status: string };

/**
 * Each event once, in the order in which they happened. Events with an undocumented status are left out, because their
 * meaning for a message is unknown.
 */
export function inOrder(events: readonly ReadEvent[]): LoggedEvent[] {
  const once = [...new Map(events.map((event) => [event.id, event])).values()];
  return once
    .filter(isListed)
    .map(({ id, at, status, code, message }) => ({ id, at, status, code, message }))
    .toSorted((a, b) => a.at - b.at || stages[a.status] - stages[b.status]);
}

function isListed(event: ReadEvent): event is LoggedEvent {
  return Object.hasOwn(stages, event.status);
}

/** Whether delivery has ended with it. */
export function isFinal(status: LogStatus): boolean {
  return stages[status] > 1;
}

/** Whether it means that the email did not arrive, temporarily or permanently. */
export function isBounce(status: LogStatus): boolean {
  return status !== "QUEUED" && status !== "DELIVERED";
}

/** Options for reading the log: another message's malformed entry must not keep us from finding ours. */
export function readOptions(signal: AbortSignal | undefined) {
  return { unreadable: "skip", ...(signal && { signal }) } as const;
}
