import { systemClock } from "../send/clock.js";
import type { Environment } from "../project/environment.js";
import type { OutboxFilter, StoredMessage } from "../send/store/outbox.js";
import { targetOf, bare, RecentSends } from "../send/parcel.js";
import { memoryStore } from "../send/store/memory.js";
import type { MailStore } from "../send/store/store.js";
import { deliveryLogOf, type LoggedMail } from "../send/delivery/delivery-log.js";
import { type MessageStatus, statusOf, utcTime } from "../send/tracking/message-status.js";
import { createTracking } from "../send/tracking/tracking.js";
import { forwardsFollower } from "./follow-forwards.js";
import { findRoutes, formatRoute, routeAsDocument, type RoutedEntries, stateWithRoutes } from "./forwarding-route.js";
import type { Target } from "./target.js";
import {
  type AddressDisplay,
  describeMessage,
  maskAddresses,
  recipientsOf,
  showAddress,
  showText,
} from "./outbox/report.js";

/** A message in the delivery log and the outbox. */
export interface TracedMessage {
  /** The time of its first event, in ms since 1970. */
  readonly at: number;
  readonly status: MessageStatus;
  /** Its entries in the log, by the routes of received emails. */
  readonly entries: RoutedEntries;
  /** The message in the outbox, if it was queued there. */
  readonly message?: StoredMessage;
}

interface Sources {
  readonly target: Target;
  readonly store?: MailStore;
  readonly signal: AbortSignal;
}

const LOG_DELAY_MS = 60_000;
/** Maximum number of messages of the outbox to read for an address. */
const OUTBOX_MAX = 1000;

/**
 * Finds a message by a log ID, a Message-ID or an outbox ID.
 *
 * @throws {MessageNotFoundError} The message is neither in the log nor in the outbox.
 */
export async function traceMessage(id: string, { target, store, signal }: Sources): Promise<TracedMessage> {
  const { environment } = target;
  const outbox = await outboxOf(environment, store);
  const queued = await outbox.find(id);
  const tracking = createTracking({
    environment,
    clock: systemClock,
    closing: signal,
    publish: () => undefined,
    recent: new RecentSends(),
    store: async () => store ?? memoryStore(systemClock),
    target: queued?.target,
    suppress: false,
    logDelayMs: LOG_DELAY_MS,
    log: deliveryLogOf({ ...target, domain: environment.domain, transport: "any" }),
  });
  try {
    const status = await tracking.status(id);
    const message = queued ?? (status.messageId === undefined ? undefined : await outbox.find(status.messageId));
    return traced(await forwardsFollower(target, signal)(status), message);
  } finally {
    await tracking.close();
  }
}

/** All messages to an address, and those that were forwarded to it, oldest first. */
export async function traceAddress(
  email: string,
  since: Date,
  { target, store, signal }: Sources,
): Promise<TracedMessage[]> {
  const { environment } = target;
  const log = deliveryLogOf({ ...target, domain: environment.domain, transport: "any" });
  const from = since.getTime();
  const mails = new Map<string, LoggedMail>();
  for (const window of [{ recipient: email }, { forward: email }])
    for await (const mail of log.within({ ...window, from }, signal)) mails.set(mail.id, mail);

  const outbox = await outboxOf(environment, store);
  const messages = await outbox.list({ recipient: email, since: from, limit: OUTBOX_MAX });
  const bySent = new Map(messages.map((message) => [bare(message.sent?.messageId ?? message.id), message]));
  const follow = forwardsFollower(target, signal);
  const fromLog: TracedMessage[] = [];
  for (const mail of mails.values()) {
    const message = bySent.get(bare(mail.messageId));
    bySent.delete(bare(mail.messageId));
    const status = statusOf([mail], { id: mail.id, expected: 1, outbox: message?.state });
    fromLog.push(traced(await follow(status), message));
  }
  const notInLog = [...bySent.values()].map((message) => traced(withoutLog(message), message));
  return [...fromLog, ...notInLog].toSorted((a, b) => a.at - b.at);
}

/** An environment's queued messages: for its service, and for SMTP servers, which its domain's mailers may use instead. */
async function outboxOf({ url, domain }: Environment, store: MailStore | undefined) {
  const outbox = store?.outbox;
  const own = targetOf(url, domain);
  const suffix = ` ${domain.toLowerCase()}`;
  const targets = ((await outbox?.targets()) ?? []).filter(
    (target) => target === own || (target.startsWith("smtp://") && target.endsWith(suffix)),
  );
  async function list(filter: OutboxFilter): Promise<StoredMessage[]> {
    const listed = await Promise.all(targets.map(async (target) => (await outbox?.list(target, filter)) ?? []));
    const messages = listed.flat().map(async (message) => (await outbox?.get(message.target, message.id)) ?? message);
    return Promise.all(messages);
  }
  return {
    list,
    /** By its ID, the Message-ID or the ID of its first log entry. */
    async find(id: string): Promise<StoredMessage | undefined> {
      for (const target of targets) {
        const message = await outbox?.get(target, id);
        if (message) return message;
      }
      return (await list({ sentId: id, limit: 1 }))[0];
    },
  };
}

function withoutLog({ id, state, sent }: StoredMessage): MessageStatus {
  return {
    id,
    state: sent === undefined ? "unsent" : "accepted",
    meaning: sent === undefined ? state : "accepted, but not in the delivery log",
    messageId: sent?.messageId,
    outbox: state,
    recipients: [],
  };
}

function traced(status: MessageStatus, message: StoredMessage | undefined): TracedMessage {
  const { recipients } = status;
  const times = recipients.flatMap(({ events }) => events.map(({ at }) => at.getTime()));
  const at = Math.min(...times, message?.queuedAt ?? Number.POSITIVE_INFINITY);
  const entries = findRoutes(recipients);
  const state = stateWithRoutes(status.state, entries);
  return { at: Number.isFinite(at) ? at : 0, status: { ...status, state }, entries, message };
}

/** Describes a message in lines: a heading, then what happened for each recipient. */
export function formatTrace({ at, status, entries, message }: TracedMessage, showing: AddressDisplay): string[] {
  const { subject, messageId, recipients } = status;
  const name = message?.template ?? message?.email?.template;
  const head = [
    at === 0 ? "" : new Date(at).toISOString().slice(0, 10),
    subject === undefined || subject === "" ? "" : `"${maskAddresses(subject)}"`,
    name === undefined ? "" : `template ${name}`,
    messageId === undefined || messageId === "" ? status.id : messageId,
  ];
  const before = message === undefined ? "" : `queued ${utcTime(message.queuedAt, undefined)}, `;
  const lines =
    recipients.length === 0
      ? [
          `${message === undefined ? "" : `${recipientsOf(message, showing)}  `}${before}${outboxInWords(status.meaning, message)}`,
        ]
      : [
          ...entries.others.map(({ email, meaning }) => `${showAddress(email, showing)}  ${before}${meaning}`),
          ...entries.routes.flatMap((route) => formatRoute(route, showing)),
        ];
  return [head.filter((part) => part !== "").join("  "), ...lines.map((line) => `  ${line}`)];
}

/** Describes a message that is not in the log. */
function outboxInWords(meaning: string, message: StoredMessage | undefined): string {
  if (message === undefined || message.sent !== undefined) return meaning;
  const { state, changedAt, queuedAt, sendAt, reason } = message;
  const why = reason === undefined ? "" : ` (${maskAddresses(reason)})`;
  if (state === "queued")
    return sendAt > changedAt ? `to be sent ${utcTime(sendAt, queuedAt)} or later${why}` : `waiting in the queue${why}`;
  return `${state === "sending" ? "being sent since" : state} ${utcTime(changedAt, queuedAt)}${why}`;
}

/** Describes a message for `--json`. */
export function traceAsDocument(
  { status, entries, message }: TracedMessage,
  showing: AddressDisplay,
): Record<string, unknown> {
  const { subject, recipients, ...rest } = status;
  const routes = entries.routes.map((route) => routeAsDocument(route, showing));
  return {
    ...rest,
    ...(routes.length > 0 && { meaning: routes.map(({ meaning }) => meaning).join("; ") }),
    subject: subject && showText(subject, showing),
    queued: message && describeMessage(message, message.target, showing),
    recipients: recipients.map(({ email, forward, events, ...recipient }) => ({
      ...recipient,
      email: showAddress(email, showing),
      ...(forward !== undefined && { forward: showAddress(forward, showing) }),
      events: events.map((event) => ({ ...event, message: showText(event.message, showing) })),
    })),
    ...(routes.length > 0 && { routes }),
  };
}
