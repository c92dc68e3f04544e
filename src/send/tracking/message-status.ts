import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { OutboxState } from "../outbox/store.js";
import { courseInWords, STATUS_IN_WORDS, utcTime } from "./course.js";
import type { LoggedMail } from "./delivery-log.js";
import { isFinal } from "./logged-event.js";
import { replyInWords } from "./replies.js";

/**
 * - `unsent`: the outbox has it, and nothing else does;
 * - `accepted`: the service has it, and its log shows nothing of it yet;
 * - `underway`: some recipients don't have it yet;
 * - `delivered`: the servers of all recipients have it;
 * - `failed`: at least one recipient will not get it.
 */
export type MessageState = "unsent" | "accepted" | "underway" | "delivered" | "failed";

/** What became of a message. */
export interface MessageStatus {
  /** What was asked for. */
  readonly id: string;
  readonly state: MessageState;
  /** In plain words and without addresses; times in UTC. */
  readonly meaning: string;
  /** The Message-ID (RFC 5322), once the service has it. */
  readonly messageId?: string;
  /** Filled; once the delivery log shows it. */
  readonly subject?: string;
  /** In the outbox, where it is from there. */
  readonly outbox?: OutboxState;
  /** One for each entry that the delivery log shows; empty where it shows none yet. */
  readonly recipients: readonly RecipientStatus[];
}

/** What became of a message to one of its recipients. */
export interface RecipientStatus {
  /** The log entry's. */
  readonly id: string;
  readonly email: string;
  /** The latest thing that happened (part 3). */
  readonly state: LogStatus;
  /** Whether nothing is tried any more. */
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
  /** The receiving server's own words; they may hold the address. */
  readonly message: string;
  /** What they mean, in plain words, as far as that is known: `mailbox full`. */
  readonly meaning?: string;
}

/** What is known of a message besides its entries. */
export interface Surroundings {
  readonly id: string;
  readonly messageId?: string | undefined;
  readonly outbox?: OutboxState | undefined;
  /** Entries that there are at least; not all of them need to show yet. */
  readonly expected: number;
}

/** Where the log shows something of it. */
export function statusOf(
  mails: readonly LoggedMail[],
  { id, messageId, outbox, expected }: Surroundings,
): MessageStatus {
  const recipients = mails.map(recipientStatus);
  const missing = Math.max(0, expected - recipients.length);
  const known = mails[0]?.messageId ?? messageId;
  return {
    id,
    state: stateOf(recipients, missing),
    meaning: meaningOf(recipients, missing),
    ...(known === undefined ? {} : { messageId: known }),
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
    const reason = state === "QUEUED" || state === "DELIVERED" ? undefined : events.at(-1)?.meaning;
    const words = `${STATUS_IN_WORDS[state]}${reason === undefined ? "" : ` (${reason})`}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  if (missing > 0) parts.push(`${missing} not in the delivery log yet`);
  return parts.join(", ");
}

function recipientStatus({ id, recipient, events }: LoggedMail): RecipientStatus {
  const state = events.at(-1)?.status ?? "QUEUED";
  return {
    id,
    email: recipient,
    state,
    final: isFinal(state),
    meaning: events.length === 0 ? "accepted" : courseInWords(events, utcTime),
    events: events.map((event) => {
      const { at, status, code, message } = event;
      const meaning = status === "QUEUED" || status === "DELIVERED" ? undefined : replyInWords(event);
      return {
        id: event.id,
        at: new Date(at),
        state: status,
        code,
        message,
        ...(meaning === undefined ? {} : { meaning }),
      };
    }),
  };
}
