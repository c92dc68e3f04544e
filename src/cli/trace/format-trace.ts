import type { StoredMessage } from "../../send/store/outbox.js";
import { utcTime } from "../../send/tracking/message-status.js";
import { maskAddress, maskAddresses } from "../mask.js";
import { describeMessage, recipientsOf, type Showing } from "../outbox/describe.js";
import type { TracedMessage } from "./traced-message.js";

/** Describes a message in lines: a heading, then what happened for each recipient. */
export function formatTrace({ at, status, message }: TracedMessage, showing: Showing): string[] {
  const { subject, messageId, recipients } = status;
  const name = message?.template ?? message?.email?.template;
  const head = [
    at === 0 ? "" : new Date(at).toISOString().slice(0, 10),
    subject === undefined ? "" : `"${maskAddresses(subject)}"`,
    name === undefined ? "" : `template ${name}`,
    messageId ?? status.id,
  ];
  const before = message === undefined ? "" : `queued ${utcTime(message.queuedAt, undefined)}, `;
  const lines =
    recipients.length === 0
      ? [
          `${message === undefined ? "" : `${recipientsOf(message, showing)}  `}${before}${outboxInWords(status.meaning, message)}`,
        ]
      : recipients.map(
          ({ email, meaning }) => `${showing.addresses ? email : maskAddress(email)}  ${before}${meaning}`,
        );
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
export function traceAsDocument({ status, message }: TracedMessage, showing: Showing): Record<string, unknown> {
  const { subject, recipients, ...rest } = status;
  return {
    ...rest,
    ...(subject === undefined ? {} : { subject: showing.addresses ? subject : maskAddresses(subject) }),
    ...(message === undefined ? {} : { queued: describeMessage(message, message.target, showing) }),
    recipients: recipients.map(({ email, events, ...recipient }) => ({
      ...recipient,
      email: showing.addresses ? email : maskAddress(email),
      events: events.map((event) => ({
        ...event,
        message: showing.addresses ? event.message : maskAddresses(event.message),
      })),
    })),
  };
}
