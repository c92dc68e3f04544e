import { createHash, randomUUID } from "node:crypto";
import type { OutboundEmail } from "../../api/resources/emails.js";
import { type OnUnknown, type Priority, recipientsOf } from "../parcel.js";
import { InvalidMessageError, type Problem } from "../errors.js";
import { KEY_MAX } from "../message/options.js";
import type { NewMessage } from "../store/outbox.js";
import { Base64Content } from "../../api/calls/http.js";

/** A checked message for the outbox: exactly what the service will be sent. */
export interface QueueMessage {
  /** Default: a new id. */
  readonly id?: string;
  readonly email: OutboundEmail;
  /** The template's name in the project. */
  readonly template?: string;
  /** Default `normal`. */
  readonly priority?: Priority;
  /** Default `park`. */
  readonly onUnknown?: OnUnknown;
  /** Two calls with the same key are one message. At most 255 characters. */
  readonly key?: string;
  /** The message is not sent before this time; milliseconds since 1970. Default: now. */
  readonly sendAt?: number;
  /** The message is not sent from this time on; milliseconds since 1970. */
  readonly expiresAt?: number;
  /**
   * The caller's arguments, before anything was derived from them: calls with the same key must have the same. Default:
   * the email.
   */
  readonly args?: unknown;
}

/** @throws {InvalidMessageError} */
export function newMessage(message: QueueMessage, target: string, now: number): NewMessage {
  const {
    id = randomUUID(),
    email,
    template,
    priority = "normal",
    onUnknown = "park",
    key,
    sendAt,
    expiresAt,
  } = message;
  const problems = problemsOf(message);
  if (problems.length > 0) throw new InvalidMessageError(problems);
  return {
    id,
    target,
    ...(key === undefined
      ? {}
      : { key: { text: key, hash: keyHash(key), contents: contentHash(message.args ?? email, key) } }),
    ...(template === undefined ? {} : { template }),
    priority,
    onUnknown,
    queuedAt: now,
    sendAt: Math.max(now, sendAt ?? now),
    ...(expiresAt === undefined ? {} : { expiresAt }),
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

function problemsOf({ key, sendAt, expiresAt }: QueueMessage): Problem[] {
  const problems: Problem[] = [];
  if (key !== undefined && (typeof key !== "string" || key === "" || key.length > KEY_MAX))
    problems.push({ path: "key", message: `is not a string of 1 to ${KEY_MAX} characters` });
  if (sendAt !== undefined && !Number.isFinite(sendAt))
    problems.push({ path: "sendAt", message: "is not a valid time" });
  if (expiresAt !== undefined && !Number.isFinite(expiresAt))
    problems.push({ path: "expiresAt", message: "is not a valid time" });
  if (sendAt !== undefined && expiresAt !== undefined && sendAt >= expiresAt)
    problems.push({ path: "expiresAt", message: "is not after sendAt, so the message would never be sent" });
  return problems;
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
