import type { SendingClient, SendingClientV3, VersionedClient } from "../../api/sending-client.js";
import type { LogStatus, LogTransport } from "../../api/contract/v4/logs.js";
import type { LogFilter } from "../../api/resources/logs.js";
import { ContractError, isNotFound } from "../../api/errors.js";
import { ConfigurationError } from "../../errors.js";
import { LOGS_LIMIT } from "../../api/limits.js";
import { readTimestamp } from "../../api/timestamp.js";

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
  /** How the service got it. `mx`: it was received, and is forwarded. */
  readonly transport: string;
  /** Where it was forwarded to, if it was. */
  readonly forward?: string;
  readonly at: number;
  /** In the order in which they happened. */
  readonly events: readonly LoggedEvent[];
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
  /** The host that answered. */
  readonly server: string;
}

/** Filters emails; absent fields don't filter. */
export interface LogWindow {
  /** Received at this time or later; the result may include entries of adjacent seconds. */
  readonly from?: number;
  readonly until?: number;
  /** A full address. */
  readonly sender?: string;
  readonly recipient?: string;
  /** Where a received email was forwarded to. */
  readonly forward?: string;
  /** With an event of one of these statuses. */
  readonly states?: readonly LogStatus[];
}

/** Everything that came by one transport, as the delivery log of either version shows it. */
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

const SECOND_MS = 1000;

/** @param transport Default `api`. */
export function deliveryLogOf({
  domain,
  transport = "api",
  ...source
}: VersionedClient & { readonly domain: string; readonly transport?: LogTransport | "any" }): DeliveryLog {
  const wanted = transport === "any" ? undefined : transport;
  return source.version === "v3"
    ? deliveryLogV3(source.client.logs, domain, wanted)
    : deliveryLogV4(source.client.logs, domain, wanted);
}

const noLog = (): never => {
  throw new ConfigurationError("There is no delivery log: the mailer sends by SMTP, and has no API key of a service.", {
    hint: "Pass `url` and `apiKey` to createMailer, or set LETTERSHOP_URL and LETTERSHOP_API_KEY.",
  });
};

/** For a mailer by SMTP without a service: everything that reads the log throws a ConfigurationError. */
export const noDeliveryLog: DeliveryLog = { get: noLog, within: noLog, newest: noLog, latest: noLog };

function deliveryLogV4(logs: SendingClient["logs"], domain: string, transport: LogTransport | undefined): DeliveryLog {
  const list = async function* (filter: LogFilter, signal?: AbortSignal): AsyncGenerator<LoggedMail> {
    const query = { ...filter, transport, limit: LOGS_LIMIT.max };
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
    within: ({ from, until, sender, recipient, forward, states }, signal) =>
      list(
        {
          // It is not documented whether `after` includes its own time.
          after: from === undefined || from <= SECOND_MS ? undefined : new Date(wholeSecond(from) - SECOND_MS),
          before: until === undefined ? undefined : new Date(wholeSecond(until) + 2 * SECOND_MS),
          sender,
          recipient,
          forward,
          status: states,
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
  };
}

/** The service writes whole seconds. */
function wholeSecond(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS;
}

type Entry = Awaited<ReturnType<SendingClient["logs"]["get"]>>;

function toMail({ id, message_id, subject, transport, created_at, events, ...mailboxes }: Entry): LoggedMail {
  return {
    id,
    messageId: message_id,
    ...addressesOf(mailboxes),
    subject,
    transport,
    at: Date.parse(created_at),
    events: inOrder(events.map(({ created_at: at, ...event }) => ({ ...event, at: Date.parse(at) }))),
  };
}

function addressesOf({ sender, recipient, forward }: Pick<Entry, "sender" | "recipient" | "forward">) {
  return { sender: sender.email, recipient: recipient.email, ...(forward && { forward: forward.email }) };
}

type LogsV3 = SendingClientV3["logs"];

const LOG_ID = /^\d+\.[\da-f]+$/i;
/**
 * The search requires an end. Entries come from a clock that may be ahead of this machine's, so this is far ahead of
 * both.
 */
const END = Date.UTC(2100, 0, 1);
/** An answer with fewer entries than this was definitely not truncated. */
const UNCUT = 20;

/** Version 3 filters by time, by text and by whether there was any bounce; the other filters are applied here. */
function deliveryLogV3(logs: LogsV3, domain: string, transport: LogTransport | undefined): DeliveryLog {
  const isWanted = (mail: LoggedMail, window: LogWindow) =>
    (transport === undefined || mail.transport === transport) && fits(mail, window);

  /**
   * The maximum size of a search result is not documented, so the search is repeated from its last second on, until
   * nothing new comes. If one second alone exceeds the maximum, the list has the rest.
   */
  async function* search(window: LogWindow, signal?: AbortSignal): AsyncGenerator<LoggedMail> {
    const { from = 0, until = END, sender, recipient, forward, states } = window;
    const text = recipient ?? forward ?? sender;
    const failures = states?.every((state) => isBounce(state) && state !== "REFUSED") ?? false;
    const seen = new Set<string>();
    const isNew = ({ id }: EntryV3): boolean => !seen.has(id) && seen.add(id).has(id);
    let after = Math.max(0, Math.floor(from / SECOND_MS));
    for (;;) {
      const filter = {
        after,
        before: Math.ceil(until / SECOND_MS),
        order: "asc",
        text,
        filter: failures ? "failure" : "all",
      } as const;
      let answered = 0;
      let fresh = 0;
      let last = after;
      for await (const entry of logs.search(domain, filter, readOptions(signal))) {
        const mail = toMailV3(entry);
        answered += 1;
        last = Math.max(last, Math.floor(mail.at / SECOND_MS));
        if (!isNew(entry)) continue;
        fresh += 1;
        if (isWanted(mail, window)) yield mail;
      }
      if (answered < UNCUT) return;
      if (fresh === 0 && last === after) break;
      after = last;
    }
    for await (const entry of logs.list(domain, readOptions(signal))) {
      const mail = toMailV3(entry);
      if (mail.at < after * SECOND_MS) return;
      if (mail.at <= until && isNew(entry) && isWanted(mail, window)) yield mail;
    }
  }

  /** The filter for failures does not include refusals: if there are any, everything must be searched. */
  async function wantedStates({ states, from = 0 }: LogWindow, signal?: AbortSignal): Promise<LogWindow["states"]> {
    const bounces = states?.filter((state) => state !== "REFUSED" && isBounce(state)) ?? [];
    const isMixed = bounces.length > 0 && bounces.length + 1 === states?.length && states.includes("REFUSED");
    if (!isMixed) return states;
    const after = new Date(Math.max(0, from - SECOND_MS));
    const refused = await logs.count(domain, { status: "REFUSED", transport, after }, { signal });
    return refused === 0 ? bounces : states;
  }

  return {
    async *within(window, signal) {
      yield* search({ ...window, states: await wantedStates(window, signal) }, signal);
    },
    async get(id, signal) {
      try {
        return toMailV3(await logs.get(domain, id, readOptions(signal)));
      } catch (error) {
        // An invalid log id is treated as an alias, and answered with a list.
        if (isNotFound(error) || (error instanceof ContractError && !LOG_ID.test(id))) return undefined;
        throw error;
      }
    },
    async *newest(signal) {
      for await (const entry of logs.list(domain, readOptions(signal))) yield toMailV3(entry);
    },
    async latest(signal) {
      const {
        logs: [entry],
      } = await logs.page(domain, {}, readOptions(signal));
      return entry && toMailV3(entry).at;
    },
  };
}

function fits(mail: LoggedMail, { sender, recipient, forward, states }: LogWindow): boolean {
  return (
    (sender === undefined || mail.sender.toLowerCase() === sender.toLowerCase()) &&
    (recipient === undefined || mail.recipient.toLowerCase() === recipient.toLowerCase()) &&
    (forward === undefined || mail.forward?.toLowerCase() === forward.toLowerCase()) &&
    (states === undefined || mail.events.some(({ status }: { status: LogStatus }) => states.includes(status)))
  );
}

type EntryV3 = Awaited<ReturnType<LogsV3["get"]>>;

function toMailV3({ id, messageId, subject, transport, created, events, ...mailboxes }: EntryV3): LoggedMail {
  return {
    id,
    messageId,
    ...addressesOf(mailboxes),
    subject,
    transport,
    at: readTimestamp(created).getTime(),
    events: inOrder(events.map(({ created: at, ...event }) => ({ ...event, at: readTimestamp(at).getTime() }))),
  };
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
    .map(({ id, at, status, code, message, server }) => ({ id, at, status, code, message, server }))
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
function readOptions(signal: AbortSignal | undefined) {
  return { unreadable: "skip", signal } as const;
}
