import type { Priority } from "./parcel.js";
import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import type * as OpenTelemetry from "@opentelemetry/api";
import { SendError } from "./errors.js";

/** The fields of every message event. Events contain nothing personal: no address, subject, variable or content. */
export interface OfMessage {
  /** The parcel's id: the same in all events of the message, and in the outbox. */
  readonly id: string;
  readonly template?: string;
  readonly priority: Priority;
}

/** What a mailer reports on the channel `lettershop:send` of `node:diagnostics_channel`. Durations are in ms. */
export type SendEvent =
  /** It was added to the outbox: with `transaction`, it is there once that is committed, and may be rolled back. */
  | ({ readonly type: "queued" } & OfMessage)
  /** A request is about to be made. */
  | ({ readonly type: "attempt"; readonly attempt: number; readonly waitedMs: number } & OfMessage)
  /** It definitely did not arrive, and is tried again. */
  | ({ readonly type: "retry"; readonly reason: string; readonly delayMs: number } & OfMessage)
  | ({ readonly type: "accepted"; readonly messageId: string; readonly durationMs: number } & OfMessage)
  /** An SMTP server refused this many of its recipients; the others get it. */
  | ({ readonly type: "recipients-refused"; readonly refused: number } & OfMessage)
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
  /** The service answered 429, or an SMTP server 4xx: nothing is sent for this long. */
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
  /** The store can't be used: for some seconds, `send` shares the pace and requests with this process only. */
  | { readonly type: "store-away"; readonly reason: string }
  /** The outbox cannot be read or written; its worker tries again. */
  | { readonly type: "outbox-trouble"; readonly reason: string }
  | { readonly type: "attachment-warning"; readonly path: string; readonly message: string }
  | { readonly type: "suppressed"; readonly reason: string };

export function factsOf({ id, template, priority }: OfMessage): OfMessage {
  return { id, ...(template === undefined ? {} : { template }), priority };
}

/** An error, in an event. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Publishes an event. Never throws and never waits. */
export type Publish = (event: SendEvent) => void;

/** The channel of `node:diagnostics_channel` on which every mailer reports its work. */
export const SEND_CHANNEL = "lettershop:send";

const listeners = channel(SEND_CHANNEL);

/**
 * Notifies the listeners and the message's span. An error in a listener does not come back here: Node reports it as an
 * uncaught exception, as for every channel.
 */
export function publish(event: SendEvent): void {
  noteInSpan(event);
  if (listeners.hasSubscribers) listeners.publish(event);
}

/**
 * Listens to the events of all mailers in this process. Events contain nothing personal. A typed form of
 * `subscribe("lettershop:send", …)` from `node:diagnostics_channel`.
 *
 * @example
 * const stop = onSendEvent((event) => {
 *   if (event.type === "accepted") histogram.record(event.durationMs, { template: event.template });
 *   if (event.type === "parked") logger.warn({ id: event.id }, "unknown whether this message was sent");
 * });
 *
 * @param listener Called synchronously while the mailer works, so it must be quick. An error in it is an uncaught
 * exception of the process and does not fail the send.
 * @returns A function that stops listening.
 */
export function onSendEvent(listener: (event: SendEvent) => void): () => void {
  // Only `publish` writes to this channel.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const receive = (event: unknown) => listener(event as SendEvent);
  subscribe(SEND_CHANNEL, receive);
  return () => void unsubscribe(SEND_CHANNEL, receive);
}

/** `send` ends with the service's answer, `queue` when the message is durable. */
type SpanOperation = "send" | "queue";

/**
 * The symbols by which all 1.x versions of OpenTelemetry's API find the registered SDK, and the span in a context. They
 * make separate copies of the package work together; importing the package here would make every application bundle it.
 */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");

interface Registered {
  readonly trace?: OpenTelemetry.TracerProvider;
  readonly context?: OpenTelemetry.ContextManager;
}

/** From OpenTelemetry's enumerations, which a type import does not include. */
const CLIENT: OpenTelemetry.SpanKind.CLIENT = 2;
const PRODUCER: OpenTelemetry.SpanKind.PRODUCER = 3;
const FAILED: OpenTelemetry.SpanStatusCode.ERROR = 2;

/** The spans of messages in progress, by the message's id. */
const openSpans = new Map<string, OpenTelemetry.Span>();

/**
 * Runs a function inside an OpenTelemetry span if the application has registered an SDK; otherwise just runs it. What
 * `publish` reports about the message meanwhile is added to the span.
 */
export function inSpan<Result>(
  operation: SpanOperation,
  message: OfMessage,
  run: () => Promise<Result>,
): Promise<Result> {
  const { trace, context }: Registered = Reflect.get(globalThis, REGISTERED) ?? {};
  return trace === undefined ? run() : traced(operation, message, { trace, context, run });
}

async function traced<Result>(
  operation: SpanOperation,
  message: OfMessage,
  {
    trace,
    context,
    run,
  }: Registered & { readonly trace: OpenTelemetry.TracerProvider; readonly run: () => Promise<Result> },
): Promise<Result> {
  const span = harmlessly(() => start(trace, operation, message));
  if (span === undefined) return run();
  openSpans.set(message.id, span);
  try {
    return await (context === undefined ? run() : context.with(context.active().setValue(SPAN_KEY, span), run));
  } catch (error) {
    const type = error instanceof SendError ? error.code : error instanceof Error ? error.name : "unknown";
    harmlessly(() => span.setAttribute("error.type", type).setStatus({ code: FAILED, message: type }));
    throw error;
  } finally {
    openSpans.delete(message.id);
    harmlessly(() => span.end());
  }
}

/** The attributes are those of OpenTelemetry's messaging conventions, plus lettershop's own. */
function start(
  provider: OpenTelemetry.TracerProvider,
  operation: SpanOperation,
  { id, template, priority }: OfMessage,
): OpenTelemetry.Span {
  return provider.getTracer("lettershop").startSpan(`lettershop ${operation}`, {
    kind: operation === "send" ? CLIENT : PRODUCER,
    attributes: {
      "messaging.system": "lettershop",
      "messaging.operation.name": operation,
      "messaging.operation.type": operation === "send" ? "send" : "create",
      "lettershop.id": id,
      "lettershop.priority": priority,
      ...(template === undefined ? {} : { "lettershop.template": template }),
    },
  });
}

/** Adds an event of a message to its span. */
function noteInSpan(event: SendEvent): void {
  const span = "id" in event ? openSpans.get(event.id) : undefined;
  if (span === undefined) return;
  harmlessly(() => {
    const { type } = event;
    if (type === "attempt") span.setAttribute("lettershop.attempts", event.attempt);
    if (type === "accepted" || type === "reconciled") span.setAttribute("messaging.message.id", event.messageId);
    if (type === "rejected" && event.status !== undefined) span.setAttribute("http.response.status_code", event.status);
    const outcome = OUTCOMES[type];
    if (outcome !== undefined) span.setAttribute("lettershop.outcome", outcome);
    span.addEvent(type, detailsOf(event));
  });
}

const OUTCOMES: Partial<Record<SendEvent["type"], "accepted" | "rejected" | "unknown">> = {
  accepted: "accepted",
  reconciled: "accepted",
  rejected: "rejected",
  unknown: "unknown",
};

/** The event's fields that its span doesn't have. */
function detailsOf(event: SendEvent): Record<string, string | number> {
  const details = Object.entries(event).filter(([name]) => !["type", "id", "template", "priority"].includes(name));
  return Object.fromEntries(details.map(([name, value]) => [`lettershop.${name}`, value]));
}

/** A failing exporter must not make a sent message look unsent. */
function harmlessly<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
