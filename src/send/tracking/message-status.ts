import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { OutboxState } from "../store/outbox.js";
import { isBounce, isFinal, type LoggedEvent, type LoggedMail } from "../delivery/delivery-log.js";
import { replyInWords } from "./replies.js";

/**
 * - `unsent`: only the outbox has it;
 * - `accepted`: the service has it, but its log does not show it yet;
 * - `underway`: some recipients don't have it yet;
 * - `delivered`: the servers of all recipients have it;
 * - `failed`: at least one recipient will not get it.
 */
export type MessageState = "unsent" | "accepted" | "underway" | "delivered" | "failed";

/** The delivery status of a message. */
export interface MessageStatus {
  /** The id that was passed. */
  readonly id: string;
  readonly state: MessageState;
  /** A description without addresses; times are in UTC. */
  readonly meaning: string;
  /** The Message-ID (RFC 5322), once the service has it. */
  readonly messageId?: string;
  /** The filled subject, once the delivery log shows it. */
  readonly subject?: string;
  /** Its state in the outbox, if it was queued. */
  readonly outbox?: OutboxState;
  /** One for each entry in the delivery log; empty if there is none yet. */
  readonly recipients: readonly RecipientStatus[];
}

/** The delivery status for one recipient. */
export interface RecipientStatus {
  /** The id of the log entry. */
  readonly id: string;
  readonly email: string;
  /** How the service got it: `api`, `smtp`, or `mx` for an email that it received and forwards. */
  readonly transport: string;
  /** Where it was forwarded to, if it was. */
  readonly forward?: string;
  /** The status of the latest event (part 3). */
  readonly state: LogStatus;
  /** Whether delivery has ended. */
  readonly final: boolean;
  /** `accepted 10:02, soft-bounced twice (mailbox full), delivered 10:31`; times in UTC. */
  readonly meaning: string;
  /** In the order in which they happened. */
  readonly events: readonly DeliveryEvent[];
}

export interface DeliveryEvent {
  readonly id: string;
  /** In whole seconds, on the service's clock. */
  readonly at: Date;
  readonly state: LogStatus;
  /** The SMTP code. */
  readonly code: number;
  /** The receiving server's own text; it may contain the address. */
  readonly message: string;
  /** The host that answered. */
  readonly server: string;
  /** What the text means, if it is known: `mailbox full`. */
  readonly meaning?: string;
}

/** What is known about a message apart from its log entries. */
export interface StatusFacts {
  readonly id: string;
  readonly messageId?: string | undefined;
  readonly outbox?: OutboxState | undefined;
  /** Minimum number of entries; some may not have appeared yet. */
  readonly expected: number;
}

/** The status of a message that the log shows. */
export function statusOf(
  mails: readonly LoggedMail[],
  { id, messageId, outbox, expected }: StatusFacts,
): MessageStatus {
  const recipients = mails.map(recipientStatus);
  const missing = Math.max(0, expected - recipients.length);
  const knownMessageId = mails[0]?.messageId ?? messageId;
  return {
    id,
    state: stateOf(recipients, missing),
    meaning: meaningOf(recipients, missing),
    ...(knownMessageId === undefined ? {} : { messageId: knownMessageId }),
    ...(mails[0] === undefined ? {} : { subject: mails[0].subject }),
    ...(outbox === undefined ? {} : { outbox }),
    recipients,
  };
}

function stateOf(recipients: readonly RecipientStatus[], missing: number): MessageState {
  if (recipients.some(({ final, state }) => final && state !== "DELIVERED")) return "failed";
  if (recipients.length === 0) return "accepted";
  return missing === 0 && recipients.every(({ state }) => state === "DELIVERED") ? "delivered" : "underway";
}

function meaningOf(recipients: readonly RecipientStatus[], missing: number): string {
  const [only, ...others] = recipients;
  if (only === undefined) return "accepted; the delivery log does not show it yet";
  if (others.length === 0 && missing === 0) return only.meaning;
  const counts = new Map<string, number>();
  for (const { state, events } of recipients) {
    const words = statusInWords(state, isBounce(state) ? events.at(-1)?.meaning : undefined);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  if (missing > 0) parts.push(`${missing} not in the delivery log yet`);
  return parts.join(", ");
}

function recipientStatus({ id, recipient, transport, forward, events }: LoggedMail): RecipientStatus {
  const state = events.at(-1)?.status ?? "QUEUED";
  return {
    id,
    email: recipient,
    transport,
    ...(forward !== undefined && { forward }),
    state,
    final: isFinal(state),
    meaning: events.length === 0 ? "accepted" : describeDelivery(events, utcTime),
    events: events.map(deliveryEvent),
  };
}

export function deliveryEvent(event: LoggedEvent): DeliveryEvent {
  const { id, at, status: state, code, message, server } = event;
  const meaning = isBounce(state) ? replyInWords(event) : undefined;
  return { id, at: new Date(at), state, code, message, server, ...(meaning !== undefined && { meaning }) };
}

/** A status with its reason, such as `hard-bounced (no such mailbox)`. */
export function statusInWords(state: LogStatus, reason: string | undefined): string {
  return `${STATUS_IN_WORDS[state]}${reason === undefined ? "" : ` (${reason})`}`;
}

/** The statuses (part 3) as words for a sentence. */
export const STATUS_IN_WORDS: Readonly<Record<LogStatus, string>> = {
  QUEUED: "accepted",
  DELIVERED: "delivered",
  "SOFT-BOUNCE": "soft-bounced",
  "HARD-BOUNCE": "hard-bounced",
  BOUNCED: "bounced",
  REFUSED: "refused",
};

/** Formats a time, without the parts that are the same as in the previous time, if there is one. */
type WriteTime = (time: number, before: number | undefined) => string;

/**
 * What happened to an email, as a phrase.
 *
 * @example
 * describeDelivery(events, utcTime);
 * // "accepted 10:02, soft-bounced twice (mailbox full), delivered 10:31"
 */
export function describeDelivery(events: readonly LoggedEvent[], writeTime: WriteTime): string {
  let before: number | undefined;
  return groups(events)
    .map((group) => {
      const [first] = group;
      if (first === undefined) return "";
      const { status, at } = first;
      const reasons = isBounce(status) ? reasonsOf(group) : [];
      const bracket = reasons.length === 0 ? "" : ` (${reasons.join(", then ")})`;
      if (group.length > 1) return `${STATUS_IN_WORDS[status]} ${times(group.length)}${bracket}`;
      const time = writeTime(at, before);
      before = at;
      return `${STATUS_IN_WORDS[status]} ${time}${bracket}`;
    })
    .join(", ");
}

/** `10:02` in UTC; with the date if it differs from the previous one. */
export function utcTime(time: number, before: number | undefined): string {
  const [date, clock] = new Date(time).toISOString().slice(0, 16).split("T");
  const isSameDay = before === undefined || new Date(before).toISOString().slice(0, 10) === date;
  return isSameDay ? `${clock}` : `${date} ${clock}`;
}

/** Groups consecutive events with the same status. */
function groups(events: readonly LoggedEvent[]): LoggedEvent[][] {
  const result: LoggedEvent[][] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (last?.[0]?.status === event.status) last.push(event);
    else result.push([event]);
  }
  return result;
}

function reasonsOf(events: readonly LoggedEvent[]): string[] {
  return [...new Set(events.flatMap((event) => replyInWords(event) ?? []))];
}

function times(count: number): string {
  return count === 2 ? "twice" : `${count} times`;
}
