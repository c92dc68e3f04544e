import { createHash } from "node:crypto";
import { Base64Content } from "../../api/calls/http.js";
import type { Backoff } from "../../api/calls/timing.js";
import type { OutboundEmail } from "../../api/resources/emails.js";
import { type Clock, readDuration } from "../clock.js";
import type { OutboxOptions } from "../options.js";
import type { Courier } from "../delivery/courier.js";
import { InvalidMessageError, type Problem } from "../errors.js";
import type { CheckedMessage } from "../message/prepare.js";
import type { Publish } from "../events.js";
import { type Priority, recipientsOf } from "../parcel.js";
import type { NewMessage, OutboxStore } from "../store/outbox.js";

/** What all parts of an outbox share. */
export interface OutboxContext {
  readonly store: OutboxStore;
  readonly target: string;
  readonly courier: Courier;
  readonly pace: { expectedWait(priority: Priority): number | Promise<number> };
  /** Maximum; Infinity for no limit. */
  readonly sendsPerMinute: number;
  readonly clock: Clock;
  readonly publish: Publish;
  readonly retention: Retention;
  /** Returns problems of a message that is about to be sent, which it did not have when it was queued. */
  readonly check?: ((email: OutboundEmail) => Promise<readonly Problem[]>) | undefined;
  /** How long a process without a heartbeat counts as alive. */
  readonly leaseMs: number;
  /** Called for problems that don't belong to a message; the work continues. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds between checks for what other processes queued or left behind. */
export const POLL_MS = 1_000;

/** How long to wait for the store to recover: it may be asked often, and messages should not wait once it is back. */
export const STORE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 5_000 };

/** Wakes a waiting loop. A ring while nothing waits is not lost. */
export class Doorbell {
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits for a ring, at most this many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = this.clock.after(milliseconds, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}

/** Runs a step until closing: again when the bell rings, or after as many milliseconds as the step returns. */
export async function repeatedly(doorbell: Doorbell, closing: AbortSignal, step: () => Promise<number>): Promise<void> {
  const wake = () => doorbell.ring();
  closing.addEventListener("abort", wake);
  while (!closing.aborted) {
    const wait = await step();
    if (wait > 0 && !closing.aborted) await doorbell.wait(wait);
  }
  closing.removeEventListener("abort", wake);
}

/** How long an outbox keeps data, in milliseconds. */
export interface Retention {
  readonly keys: number;
  readonly contents: number;
  readonly undecided: number;
}

/** @throws {ConfigurationError} A value is not a duration. */
export function readRetention({
  keepKeys = "30d",
  keepContents = "1d",
  keepUndecided = "30d",
}: OutboxOptions): Retention {
  return {
    keys: readDuration(keepKeys, "outbox.keepKeys"),
    contents: keepContents === 0 ? 0 : readDuration(keepContents, "outbox.keepContents"),
    undecided: keepUndecided === 0 ? 0 : readDuration(keepUndecided, "outbox.keepUndecided"),
  };
}

const CLEAN_MS = 60_000;

/** Deletes expired data, at most once a minute. */
export function cleaning({ store, target, clock, retention }: OutboxContext): () => Promise<void> {
  /** By `clock.now()`. */
  let cleanAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() < cleanAt) return;
    cleanAt = clock.now() + CLEAN_MS;
    const { contents, undecided, keys } = retention;
    await store.clean({ target, contentsMs: contents, undecidedMs: undecided, messagesMs: keys });
  };
}

/** A checked message for the outbox: exactly what the service will be sent. */
export interface QueueMessage extends CheckedMessage {
  readonly id: string;
}

export function newMessage(message: QueueMessage, target: string): NewMessage {
  const { id, email, template, priority, onUnknown, key, sendAt, expiresAt, expiresInMs } = message;
  return {
    id,
    target,
    ...(key !== undefined && {
      key: { text: key, hash: keyHash(key), contents: contentHash(message.args ?? email, key) },
    }),
    ...(template !== undefined && { template }),
    priority,
    onUnknown,
    ...(sendAt !== undefined && { sendAt }),
    ...(expiresAt !== undefined && { expires: expiresInMs === undefined ? { at: expiresAt } : { inMs: expiresInMs } }),
    recipients: recipientsOf(email),
    email,
  };
}

export function keyHash(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

export function usedForAnother(): InvalidMessageError {
  return new InvalidMessageError([
    {
      path: "key",
      message:
        "was used for a different message before. Use one key per message, and repeat a call with the same variables",
    },
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
