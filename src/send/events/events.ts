import type { Priority } from "../pace/priority.js";

/** What every event of one message has. Nothing in an event is personal: no address, subject, variable or content. */
interface OfMessage {
  /** The parcel's: the same in all events of the message, and in the outbox. */
  readonly id: string;
  readonly template?: string;
  readonly priority: Priority;
}

/** What a mailer tells of its work, on the channel `lettershop:send` of `node:diagnostics_channel`. Durations in ms. */
export type SendEvent =
  | ({ readonly type: "queued" } & OfMessage)
  /** A request is about to leave. */
  | ({ readonly type: "attempt"; readonly attempt: number; readonly waitedMs: number } & OfMessage)
  /** It surely did not arrive, and is tried again. */
  | ({ readonly type: "retry"; readonly reason: string; readonly delayMs: number } & OfMessage)
  | ({ readonly type: "accepted"; readonly messageId: string; readonly durationMs: number } & OfMessage)
  /** Without a status where it did not leave, as somebody whom it is for gets no more mail by now. */
  | ({ readonly type: "rejected"; readonly status?: number } & OfMessage)
  /** It may have arrived; the delivery log is asked. */
  | ({ readonly type: "unknown"; readonly reason: string } & OfMessage)
  /** The delivery log has it. */
  | ({ readonly type: "reconciled"; readonly messageId: string } & OfMessage)
  /** Sent again, as its policy says: it may arrive twice. */
  | ({ readonly type: "resent" } & OfMessage)
  | ({ readonly type: "parked" } & OfMessage)
  | ({ readonly type: "expired" } & OfMessage)
  /** It is decided, and the store could not note that: what is in it is looked up again before anything like it leaves. */
  | ({ readonly type: "store-failed"; readonly reason: string } & OfMessage)
  /** Somebody else sends with the same key: so many of the limit are theirs. */
  | { readonly type: "foreign-use"; readonly requests: number; readonly untilMs: number }
  /** The service said 429: nothing leaves for so long. */
  | { readonly type: "held"; readonly forMs: number }
  | {
      readonly type: "plan-limit-near";
      readonly period: "day" | "month";
      readonly used: number;
      readonly limit: number;
    }
  | { readonly type: "plan-limit-reached"; readonly period: "day" | "month"; readonly endsAt: Date }
  /** What the plan allows, or how much of it is used, could not be asked; nothing is limited by it. */
  | { readonly type: "plan-limit-unknown"; readonly reason: string }
  /** Too many failures in a row: nothing but a probe leaves. */
  | { readonly type: "breaker-open"; readonly failures: number }
  | { readonly type: "breaker-closed" }
  /** The outbox cannot be read or written; its worker tries again. */
  | { readonly type: "outbox-trouble"; readonly reason: string }
  | { readonly type: "attachment-warning"; readonly path: string; readonly message: string }
  | { readonly type: "suppressed"; readonly reason: string };

/** Takes an event. It never throws and never waits. */
export type Publish = (event: SendEvent) => void;
