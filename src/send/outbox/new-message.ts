import { createHash } from "node:crypto";
import { recipientsOf } from "../parcel.js";
import { InvalidMessageError } from "../errors.js";
import type { CheckedMessage } from "../message/prepare.js";
import type { NewMessage } from "../store/outbox.js";
import { Base64Content } from "../../api/calls/http.js";

/** A checked message for the outbox: exactly what the service will be sent. */
export interface QueueMessage extends CheckedMessage {
  readonly id: string;
}

export function newMessage(message: QueueMessage, target: string, now: number): NewMessage {
  const { id, email, template, priority, onUnknown, key, sendAt, expiresAt } = message;
  return {
    id,
    target,
    ...(key !== undefined && {
      key: { text: key, hash: keyHash(key), contents: contentHash(message.args ?? email, key) },
    }),
    ...(template !== undefined && { template }),
    priority,
    onUnknown,
    queuedAt: now,
    sendAt: Math.max(now, sendAt ?? now),
    ...(expiresAt !== undefined && { expiresAt }),
    recipients: recipientsOf(email),
    email,
  };
}

export function keyHash(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

export function usedForAnother(): InvalidMessageError {
  return new InvalidMessageError([
    { path: "key", message: "was used for a different message before. Use one key per message" },
  ]);
}

/**
 * A hash of values as JSON, regardless of field order; bytes are hashed by content.
 *
 * @param secret Unknown to anyone who might guess contents.
 */
export function contentHash(value: unknown, secret: string): string {
  return createHash("sha256")
    .update(`${JSON.stringify(secret)}${ordered(value)}`)
    .digest("base64url");
}

/** JSON with sorted fields, and a hash in place of bytes. */
function ordered(value: unknown): string {
  if (value instanceof Base64Content) return ordered(value.bytes);
  if (value instanceof Uint8Array) return `bytes ${createHash("sha256").update(value).digest("base64url")}`;
  if (typeof value === "bigint") return `${value}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if ("toJSON" in value && typeof value.toJSON === "function") return ordered(value.toJSON());
  if (Array.isArray(value)) return `[${value.map(ordered).join()}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${ordered(field)}`).join()}}`;
}
