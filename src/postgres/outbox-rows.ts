import { Base64Content } from "../api/calls/http.js";
import type { OutboundEmail } from "../api/resources/emails.js";
import type { NewMessage, OutboxMessage, StoredMessage } from "../send/store/outbox.js";

/** A date as milliseconds since 1970, of which a date in JavaScript has whole ones. */
function milliseconds(date: string): string {
  return `floor(extract(epoch FROM ${date}) * 1000)`;
}

/** Milliseconds from now until a date. */
export function inMs(date: string): string {
  return `extract(epoch FROM ${date} - clock_timestamp()) * 1000`;
}

/** An SQL expression for a row of the table `messages` as the JSON of an `OutboxMessage`; `sent` has its fields apart. */
export function messageJson(row: string): string {
  const dates = ["queued_at", "send_at", "expires_at", "changed_at"].map((name) => milliseconds(`${row}.${name}`));
  const [queuedAt, sendAt, expiresAt, changedAt] = dates;
  return `json_strip_nulls(json_build_object(
    'id', ${row}.id, 'target', ${row}.target, 'key', ${row}.key_text, 'state', ${row}.state,
    'template', ${row}.template, 'priority', ${row}.priority, 'onUnknown', ${row}.on_unknown,
    'queuedAt', ${queuedAt}, 'sendAt', ${sendAt}, 'expiresAt', ${expiresAt}, 'attempts', ${row}.attempts,
    'changedAt', ${changedAt}, 'sentId', ${row}.sent_id, 'sentMessageId', ${row}.sent_message_id,
    'reason', ${row}.reason, 'direct', CASE WHEN ${row}.direct THEN true END, 'hasContents', ${row}.has_contents,
    'dueInMs', CASE WHEN ${row}.state = 'queued' THEN greatest(0, ${inMs(`${row}.send_at`)}) ELSE 0 END,
    'expiresInMs', ${inMs(`${row}.expires_at`)}
  ))::text`;
}

/**
 * The same with the email in the next line, as it was stored: JSON in JSON would be escaped twice.
 *
 * @param contents Has the column `email`, which may be null.
 */
export function storedJson(row: string, contents: string): string {
  return `${messageJson(row)} || E'\\n' || coalesce(${contents}.email, '')`;
}

/** A message, and what only some of the store's results have of it. */
export interface ReadMessage {
  readonly message: OutboxMessage;
  readonly dueInMs: number;
  readonly expiresInMs?: number;
}

interface MessageRow extends Omit<OutboxMessage, "sent"> {
  readonly sentId?: string;
  readonly sentMessageId?: string;
  readonly dueInMs: number;
  readonly expiresInMs?: number;
}

export function readMessage(json: string): ReadMessage {
  const row: MessageRow = JSON.parse(json);
  const { sentId, sentMessageId, dueInMs, expiresInMs, ...message } = row;
  const sent =
    sentId === undefined || sentMessageId === undefined
      ? {}
      : { sent: { outcome: "accepted", id: sentId, messageId: sentMessageId } as const };
  return { message: { ...message, ...sent }, dueInMs, ...(expiresInMs !== undefined && { expiresInMs }) };
}

export function readStored(text: string): ReadMessage & { readonly message: StoredMessage } {
  const end = text.indexOf("\n");
  const { message, ...read } = readMessage(text.slice(0, end));
  const json = text.slice(end + 1);
  return { ...read, message: json === "" ? message : { ...message, email: emailOf(json) } };
}

function emailOf(json: string): OutboundEmail {
  const email: OutboundEmail = JSON.parse(json);
  if (email.attachments === undefined) return email;
  const attachments = email.attachments.map(({ content, ...facts }) => ({
    ...facts,
    content: typeof content === "string" ? new Base64Content(Buffer.from(content, "base64")) : content,
  }));
  return { ...email, attachments };
}

/** A text that people read, without what Postgres can't store. */
export function storable(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, "\uFFFD");
}

/** A new message as the statement that adds it reads it. */
export function newRow({ key, recipients, email, lease, expires, ...message }: NewMessage): object {
  return {
    ...message,
    keyHash: key?.hash,
    keyContents: key?.contents,
    keyText: key && storable(key.text),
    expiresAt: expires && "at" in expires ? expires.at : undefined,
    expiresInMs: expires && "inMs" in expires ? expires.inMs : undefined,
    lease: lease?.id,
    leaseMs: lease?.forMs,
    recipients,
    email: JSON.stringify(email),
  };
}
