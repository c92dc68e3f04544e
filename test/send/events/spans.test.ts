import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, onTestFinished, test } from "vitest";
import { inSpan, publish } from "../../../src/send/events.js";
import { RejectedError } from "../../../src/send/errors.js";

const message = { id: "1", template: "receipt", priority: "normal" } as const;

/** OpenTelemetry as an application registers it. */
function register(...others: SpanProcessor[]) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [...others, new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return exporter;
}

test("makes a span of a send, with its events", async () => {
  const exporter = register();
  await inSpan("send", message, async () => {
    publish({ type: "attempt", attempt: 1, waitedMs: 5, ...message });
    publish({ type: "attempt", attempt: 1, waitedMs: 5, ...message, id: "another" });
    publish({ type: "retry", reason: "refused", delayMs: 200, ...message });
    publish({ type: "attempt", attempt: 2, waitedMs: 0, ...message });
    publish({ type: "accepted", messageId: "<1@example.com>", durationMs: 9, ...message });
  });
  const [span] = exporter.getFinishedSpans();
  expect(span).toMatchObject({
    name: "lettershop send",
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.UNSET },
  });
  expect(span?.attributes).toEqual({
    "messaging.system": "lettershop",
    "messaging.operation.name": "send",
    "messaging.operation.type": "send",
    "messaging.message.id": "<1@example.com>",
    "lettershop.id": "1",
    "lettershop.priority": "normal",
    "lettershop.template": "receipt",
    "lettershop.attempts": 2,
    "lettershop.outcome": "accepted",
  });
  expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ["attempt", { "lettershop.attempt": 1, "lettershop.waitedMs": 5 }],
    ["retry", { "lettershop.reason": "refused", "lettershop.delayMs": 200 }],
    ["attempt", { "lettershop.attempt": 2, "lettershop.waitedMs": 0 }],
    ["accepted", { "lettershop.messageId": "<1@example.com>", "lettershop.durationMs": 9 }],
  ]);
});

test("has the application's span as parent, and is the parent of spans within", async () => {
  const exporter = register();
  const tracer = trace.getTracer("application");
  await tracer.startActiveSpan("POST /orders", async (request) => {
    await inSpan("queue", message, async () => {
      await Promise.resolve();
      tracer.startSpan("inner").end();
    });
    request.end();
  });
  const [inner, queue, request] = exporter.getFinishedSpans();
  expect(queue).toMatchObject({ name: "lettershop queue", kind: SpanKind.PRODUCER });
  expect(queue?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(inner?.parentSpanContext?.spanId).toBe(queue?.spanContext().spanId);
});

test("records only an error's code in the span, and rethrows it unchanged", async () => {
  const exporter = register();
  const error = new RejectedError(422, "bob@example.com is no recipient", {}, { cause: undefined });
  const sending = inSpan("send", message, async () => {
    publish({ type: "rejected", status: 422, ...message });
    throw error;
  });
  await expect(sending).rejects.toBe(error);
  const [span] = exporter.getFinishedSpans();
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: "rejected" });
  expect(span?.attributes).toMatchObject({
    "error.type": "rejected",
    "lettershop.outcome": "rejected",
    "http.response.status_code": 422,
  });
  expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain("bob");
});

test("does not undo a send because of a failing processor", async () => {
  const broken = (): never => {
    throw new Error("the processor's");
  };
  register({
    onStart: () => undefined,
    onEnd: broken,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  });
  await expect(inSpan("send", message, async () => "sent")).resolves.toBe("sent");
  trace.disable();
  register({ onStart: broken, onEnd: broken, forceFlush: async () => undefined, shutdown: async () => undefined });
  await expect(inSpan("send", message, async () => "sent")).resolves.toBe("sent");
});

test("just runs without a registered SDK", async () => {
  const result = Promise.resolve("sent");
  expect(inSpan("send", message, () => result)).toBe(result);
});
