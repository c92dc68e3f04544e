import type { SqlValue } from "../../sqlite/driver.js";
import { putTogether } from "./contents.js";
import { type NewMessage, OUTBOX_STATES, type OutboxMessage, type OutboxState, type StoredMessage } from "./store.js";

export type Row = Record<string, unknown>;

/** In the order of `INSERT_MESSAGE`. */
export function columnsOf(message: NewMessage): SqlValue[] {
  const { id, target, key, template, priority, onUnknown, queuedAt, sendAt, expiresAt, lease } = message;
  const { state, attempts, direct } = newlyAdded(message);
  return [
    id,
    target,
    state,
    key?.hash ?? null,
    key?.contents ?? null,
    key?.text ?? null,
    template ?? null,
    priority,
    onUnknown,
    queuedAt,
    sendAt,
    expiresAt ?? null,
    attempts,
    queuedAt,
    lease?.id ?? null,
    lease?.until ?? null,
    Number(direct ?? false),
  ];
}

export const INSERT_MESSAGE = `INSERT INTO outbox_messages
  (id, target, state, key_hash, key_contents, key_text, template, priority, on_unknown, queued_at, send_at, expires_at, attempts,
    changed_at, lease, alive_until, direct)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`;

/** A message in the state in which it was added. */
export function newlyAdded(message: NewMessage): OutboxMessage {
  const { id, target, key, template, priority, onUnknown, queuedAt, sendAt, expiresAt, lease } = message;
  return {
    id,
    target,
    ...(key === undefined ? {} : { key: key.text }),
    state: lease === undefined ? "queued" : "sending",
    ...(template === undefined ? {} : { template }),
    priority,
    onUnknown,
    queuedAt,
    sendAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    attempts: lease === undefined ? 0 : 1,
    changedAt: queuedAt,
    ...(lease === undefined ? {} : { direct: true }),
    hasContents: true,
  };
}

export function messageOf(row: Row): OutboxMessage {
  const { key_text, template, expires_at, sent_id, sent_message_id, reason } = row;
  return {
    id: String(row["id"]),
    target: String(row["target"]),
    ...(typeof key_text === "string" ? { key: key_text } : {}),
    state: stateOf(row),
    ...(typeof template === "string" ? { template } : {}),
    priority: row["priority"] === "high" ? "high" : "normal",
    onUnknown: row["on_unknown"] === "resend" ? "resend" : "park",
    queuedAt: Number(row["queued_at"]),
    sendAt: Number(row["send_at"]),
    ...(expires_at === null ? {} : { expiresAt: Number(expires_at) }),
    attempts: Number(row["attempts"]),
    changedAt: Number(row["changed_at"]),
    ...(typeof sent_id === "string" && typeof sent_message_id === "string"
      ? { sent: { outcome: "accepted", id: sent_id, messageId: sent_message_id } }
      : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(row["direct"] === 1 ? { direct: true } : {}),
    hasContents: Boolean(row["has_contents"]),
  };
}

export function stateOf(row: Row): OutboxState {
  const known = OUTBOX_STATES.find((state) => state === row["state"]);
  if (known === undefined) throw new Error(`The outbox has a message in the state ${String(row["state"])}.`);
  return known;
}

/** @param contents The row with the email's JSON; undefined if the contents are not kept. */
export function storedMessageOf(row: Row, contents: Row | undefined, files: readonly Uint8Array[]): StoredMessage {
  const message = messageOf(row);
  if (!contents) return message;
  return { ...message, email: putTogether({ json: String(contents["email"]), files }) };
}
