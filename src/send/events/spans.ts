import type * as OpenTelemetry from "@opentelemetry/api";
import { SendError } from "../errors.js";
import type { Priority } from "../pace/priority.js";
import type { SendEvent } from "./events.js";

/** The message fields in a span. */
interface SpanMessage {
  readonly id: string;
  readonly template?: string;
  readonly priority: Priority;
}

/** `send` ends with the service's answer, `queue` when the message is durable. */
export type SpanOperation = "send" | "queue";

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
const open = new Map<string, OpenTelemetry.Span>();

/**
 * Runs a function inside an OpenTelemetry span if the application has registered an SDK; otherwise just runs it. What
 * `publish` reports about the message meanwhile is added to the span.
 *
 * @example
 * const sent = await inSpan("send", parcel, () => courier.deliver(parcel, options));
 */
export function inSpan<Result>(
  operation: SpanOperation,
  message: SpanMessage,
  run: () => Promise<Result>,
): Promise<Result> {
  const { trace, context }: Registered = Reflect.get(globalThis, REGISTERED) ?? {};
  return trace === undefined ? run() : traced(operation, message, { trace, context, run });
}

async function traced<Result>(
  operation: SpanOperation,
  message: SpanMessage,
  {
    trace,
    context,
    run,
  }: Registered & { readonly trace: OpenTelemetry.TracerProvider; readonly run: () => Promise<Result> },
): Promise<Result> {
  const span = harmlessly(() => start(trace, operation, message));
  if (span === undefined) return run();
  open.set(message.id, span);
  try {
    return await (context === undefined ? run() : context.with(context.active().setValue(SPAN_KEY, span), run));
  } catch (error) {
    const type = error instanceof SendError ? error.code : error instanceof Error ? error.name : "unknown";
    harmlessly(() => span.setAttribute("error.type", type).setStatus({ code: FAILED, message: type }));
    throw error;
  } finally {
    open.delete(message.id);
    harmlessly(() => span.end());
  }
}

/** The attributes are those of OpenTelemetry's messaging conventions, plus lettershop's own. */
function start(
  provider: OpenTelemetry.TracerProvider,
  operation: SpanOperation,
  { id, template, priority }: SpanMessage,
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
export function noteInSpan(event: SendEvent): void {
  const span = "id" in event ? open.get(event.id) : undefined;
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
