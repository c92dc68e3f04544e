import type { ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { deliver, type DeliverOptions } from "../../../src/send/delivery/deliver.js";
import { Limiter } from "../../../src/send/pace/limiter.js";
import { answerJson, clientOf, rejection, serve, serveConnections, unusedUrl } from "../../api/servers.js";
import { VirtualClock } from "../virtual-clock.js";

const email = { from: "receipts", to: ["ada@example.com"], subject: "Hi", text: "Hi Ada" };
const accepted = { id: "1763628000.abc", message_id: "<1@example.com>" };

function send(url: string, options: Partial<DeliverOptions> = {}, clock = new VirtualClock()) {
  const limiter = new Limiter({ limit: 10, windowMs: 60_000, clock });
  const route = {
    client: clientOf(url, { timeoutMs: 5000 }),
    domain: "example.com",
    url,
    clock,
    limiter: () => limiter,
  };
  return {
    clock,
    limiter,
    sending: deliver(email, route, { maxWait: 10_000, closing: new AbortController().signal, ...options }),
  };
}

/** Answers in turn; the last one again and again. */
function inTurn(...answers: ((response: ServerResponse) => void)[]) {
  let count = 0;
  return serve((_, response) => answers[Math.min(count++, answers.length - 1)]?.(response));
}

const accept = (response: ServerResponse) => answerJson(response, 200, accepted);
const refuse =
  (status: number, message = "No.", headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    answerJson(response, status, { message, errors: status === 400 ? { to: [message] } : {} }, headers);
  };

test("what the service accepts is accepted", async () => {
  const { url, seen } = await inTurn(accept);
  await expect(send(url).sending).resolves.toEqual(accepted);
  expect(seen).toMatchObject([
    { method: "POST", url: "/v4/domains/example.com/emails/outbound", body: JSON.stringify(email) },
  ]);
});

test.each([400, 401, 403, 404, 413])(
  "a refusal (%i) keeps what the service said, and is not tried again",
  async (status) => {
    const { url, seen } = await inTurn(refuse(status, "ada@example.com is not allowed."));
    const error = await rejection(send(url).sending);
    expect(error).toMatchObject({
      name: "RejectedError",
      code: "rejected",
      status,
      serviceMessage: "ada@example.com is not allowed.",
      fieldErrors: status === 400 ? { to: ["ada@example.com is not allowed."] } : {},
      message: `The service refused the message (${status}): <address> is not allowed.`,
      cause: expect.objectContaining({ code: "refused" }),
    });
    expect(seen).toHaveLength(1);
  },
);

test("after a 429 it waits as the service says and tries again, and so do those behind it", async () => {
  const { url, seen } = await inTurn(refuse(429, "Slow down.", { "retry-after": "7" }), accept);
  const { clock, limiter, sending } = send(url);
  await vi.waitFor(() => expect(clock.waiting).toBeGreaterThan(0));
  const behind = limiter.acquire({ maxWaitMs: 10_000, signal: new AbortController().signal });
  await clock.advance(6999);
  expect(seen).toHaveLength(1);
  await clock.advance(1);
  await expect(sending).resolves.toEqual(accepted);
  await behind;
  expect(seen).toHaveLength(2);
});

test("a 429 that asks for more time than there is fails at once with that time", async () => {
  const { url, seen } = await inTurn(refuse(429, "Slow down.", { "retry-after": "11" }));
  await expect(send(url).sending).rejects.toMatchObject({
    code: "rate_limited",
    expectedWaitMs: 11_000,
    cause: { code: "refused", status: 429 },
  });
  await expect(send(url, { maxWait: 0 }).sending).rejects.toMatchObject({ code: "rate_limited" });
  expect(seen).toHaveLength(2);
});

test("a 429 that doesn't say when asks for a minute", async () => {
  const { url } = await inTurn(refuse(429));
  await expect(send(url).sending).rejects.toMatchObject({ expectedWaitMs: 60_000 });
});

test("a service that cannot be reached is tried again, and may be there by then", async () => {
  const refused = await unusedUrl();
  const { clock, limiter, sending } = send(refused);
  const outcome = rejection(sending);
  for (const delay of [200, 500, 1000, 2000]) {
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
    expect(limiter.idle).toBe(true);
    await clock.advance(delay);
  }
  await expect(outcome).resolves.toMatchObject({
    code: "unreachable",
    url: refused,
    cause: { code: "unreachable", requestSent: false },
  });
  expect(clock.now()).toBe(3700);
});

test("tries end with the time that there is", async () => {
  const url = await unusedUrl();
  const { clock, sending } = send(url, { maxWait: 699 });
  const outcome = rejection(sending);
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  await clock.advance(200);
  await expect(outcome).resolves.toMatchObject({ code: "unreachable" });
  expect(clock.now()).toBe(200);
});

test.each([500, 502, 503])(
  "after an error of the service (%i) nobody knows, and nothing is sent again",
  async (status) => {
    const { url, seen } = await inTurn(refuse(status), accept);
    await expect(send(url).sending).rejects.toMatchObject({
      code: "unknown_outcome",
      message: expect.stringContaining(String(status)),
      cause: { status },
    });
    expect(seen).toHaveLength(1);
  },
);

test("an answer that cannot be read leaves the outcome unknown", async () => {
  for (const body of ["<html>", '{"id":7}']) {
    const { url, seen } = await inTurn((response) => response.end(body));
    await expect(send(url).sending).rejects.toMatchObject({ code: "unknown_outcome", cause: { code: "contract" } });
    expect(seen).toHaveLength(1);
  }
});

test("a connection that breaks after the request leaves the outcome unknown", async () => {
  let connections = 0;
  const { url } = await serveConnections((socket) => {
    connections += 1;
    socket.once("data", () => socket.destroy());
  });
  await expect(send(url).sending).rejects.toMatchObject({
    code: "unknown_outcome",
    cause: { code: "unreachable", requestSent: true },
  });
  expect(connections).toBe(1);
});

test("no answer in time leaves the outcome unknown", async () => {
  const { url, seen } = await serve(() => undefined);
  await expect(send(url, { timeoutMs: 100 }).sending).rejects.toMatchObject({
    code: "unknown_outcome",
    cause: { code: "timeout" },
  });
  expect(seen).toHaveLength(1);
});

test("aborted before anything left, it is aborted; on its way, it is unknown", async () => {
  const { url, seen } = await serve((_, response) => void (seen.length === 1 && response.flushHeaders()));
  const controller = new AbortController();
  const { sending } = send(url, { signal: controller.signal });
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  controller.abort(new Error("enough"));
  await expect(sending).rejects.toMatchObject({ code: "unknown_outcome", cause: { code: "aborted" } });
  await expect(send(url, { signal: controller.signal }).sending).rejects.toMatchObject({
    code: "aborted",
    cause: new Error("enough"),
  });
  expect(seen).toHaveLength(1);
});

test("an option that cannot be used is no send of unknown outcome", async () => {
  const { url, seen } = await inTurn(accept);
  await expect(send(url, { timeoutMs: -1 }).sending).rejects.toMatchObject({ code: "configuration" });
  expect(seen).toEqual([]);
});

test("a wait is ended by the signal and by closing", async () => {
  for (const option of ["signal", "closing"] as const) {
    const { url, seen } = await inTurn(refuse(429, "Slow down.", { "retry-after": "5" }));
    const controller = new AbortController();
    const { clock, sending } = send(url, { [option]: controller.signal });
    await vi.waitFor(() => expect(clock.waiting).toBeGreaterThan(0));
    controller.abort(new Error("enough"));
    await expect(sending).rejects.toMatchObject({ code: "aborted", cause: new Error("enough") });
    const refused = send(await unusedUrl(), { [option]: controller.signal });
    await expect(refused.sending).rejects.toMatchObject({ code: "aborted" });
    expect(seen).toHaveLength(1);
  }
});

test("a slot is given back whatever happened, a minute after the answer", async () => {
  for (const answer of [accept, refuse(400), refuse(500)]) {
    const { url } = await inTurn(answer);
    const { clock, limiter, sending } = send(url);
    await sending.catch(() => undefined);
    expect(limiter.idle).toBe(false);
    await clock.advance(60_000);
    expect(limiter.idle).toBe(true);
  }
});
