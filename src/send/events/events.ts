import type { Priority } from "../pace/priority.js";

/** The fields of every message event. Events contain nothing personal: no address, subject, variable or content. */
interface OfMessage {
  /** The parcel's id: the same in all events of the message, and in the outbox. */
  readonly id: string;
  readonly template?: string;
  readonly priority: Priority;
}

/** What a mailer reports on the channel `lettershop:send` of `node:diagnostics_channel`. Durations are in ms. */
export type SendEvent =
  | ({ readonly type: "queued" } & OfMessage)
  /** A request is about to be made. */
  | ({ readonly type: "attempt"; readonly attempt: number; readonly waitedMs: number } & OfMessage)
  /** It definitely did not arrive, and is tried again. */
  | ({ readonly type: "retry"; readonly reason: string; readonly delayMs: number } & OfMessage)
  | ({ readonly type: "accepted"; readonly messageId: string; readonly durationMs: number } & OfMessage)
  /** Without a status if it was not sent because a recipient is suppressed by now. */
  | ({ readonly type: "rejected"; readonly status?: number } & OfMessage)
  /** It may have arrived; the delivery log is searched. */
  | ({ readonly type: "unknown"; readonly reason: string } & OfMessage)
  /** The delivery log has it. */
  | ({ readonly type: "reconciled"; readonly messageId: string } & OfMessage)
  /** Sent again, as its policy says: it may arrive twice. */
  | ({ readonly type: "resent" } & OfMessage)
  | ({ readonly type: "parked" } & OfMessage)
  | ({ readonly type: "expired" } & OfMessage)
  /**
   * Its outcome is known, but the store could not record it: the message is looked up again before anything like it is
   * sent.
   */
  | ({ readonly type: "store-failed"; readonly reason: string } & OfMessage)
  /** Other software sends with the same key, and used this many requests of the limit. */
  | { readonly type: "foreign-use"; readonly requests: number; readonly untilMs: number }
  /** The service answered 429: nothing is sent for this long. */
  | { readonly type: "held"; readonly forMs: number }
  | {
      readonly type: "plan-limit-near";
      readonly period: "day" | "month";
      readonly used: number;
      readonly limit: number;
    }
  | { readonly type: "plan-limit-reached"; readonly period: "day" | "month"; readonly endsAt: Date }
  /** The plan's limits or usage could not be read; they limit nothing. */
  | { readonly type: "plan-limit-unknown"; readonly reason: string }
  /** Too many failures in a row: only probes are sent. */
  | { readonly type: "breaker-open"; readonly failures: number }
  | { readonly type: "breaker-closed" }
  /** The outbox cannot be read or written; its worker tries again. */
  | { readonly type: "outbox-trouble"; readonly reason: string }
  | { readonly type: "attachment-warning"; readonly path: string; readonly message: string }
  | { readonly type: "suppressed"; readonly reason: string };

/** Publishes an event. Never throws and never waits. */
export type Publish = (event: SendEvent) => void;
