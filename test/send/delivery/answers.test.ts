import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { answerJson, serve, serveConnections } from "../../api/servers.js";
import { openDesk } from "./harness.js";

const accepted = { id: "1763628000.abc", message_id: "<1@example.com>" };
const emptyLog = { logs: [], limit: 200, cursor: null, next_cursor: null };

/** A service that answers sends in order, repeating the last answer, with an empty log. */
async function serviceThat(...answers: ((response: ServerResponse) => void)[]) {
  let sends = 0;
  const { url } = await serve(({ method }, response) => {
    if (method === "POST") answers[Math.min(sends++, answers.length - 1)]?.(response);
    else answerJson(response, 200, emptyLog);
  });
  return { url, desk: await openDesk(url), sends: () => sends };
}

const answer =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    answerJson(response, status, body, headers);
const raw = (status: number, body: string) => (response: ServerResponse) => response.writeHead(status).end(body);
const accept = answer(200, accepted);
const refusal = { message: "ada@example.com is not allowed.", errors: {} };

test.each([
  ["200", answer(200, accepted)],
  ["201", answer(201, accepted)],
  ["202 with additional fields", answer(202, { ...accepted, queued: true, success: true })],
])("accepts %s", async (_, accepting) => {
  const { desk, sends } = await serviceThat(accepting);
  expect(await desk.send()).toEqual({ outcome: "accepted", id: accepted.id, messageId: accepted.message_id });
  expect(sends()).toBe(1);
});

test.each([400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 425, 451])(
  "rejects %i with the service's message",
  async (status) => {
    const { desk, sends } = await serviceThat(answer(status, { ...refusal, errors: { to: ["No."] } }));
    await expect(desk.send()).rejects.toMatchObject({
      code: "rejected",
      status,
      serviceMessage: refusal.message,
      fieldErrors: { to: ["No."] },
      message: `The service refused the message (${status}): <address> is not allowed.`,
    });
    expect(sends()).toBe(1);
    expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "rejected"]);
  },
);

test("rejects a refusal by a proxy in front of the service", async () => {
  const { desk } = await serviceThat(raw(403, "<html>Forbidden</html>"));
  await expect(desk.send()).rejects.toMatchObject({ code: "rejected", status: 403 });
});

test.each<readonly [string, (response: ServerResponse) => void]>([
  ...[500, 501, 502, 503, 504, 520, 599, 408, 460, 499].map(
    (status) => [String(status), answer(status, refusal)] as const,
  ),
  ["a redirect", (response: ServerResponse) => response.writeHead(302, { location: "/elsewhere" }).end()],
  ["no content", (response: ServerResponse) => response.writeHead(204).end()],
  ["version 3's `success: false`", answer(200, { success: false, message: "No." })],
  ["no JSON", raw(200, "<html>")],
  ["half of an answer", raw(200, '{"id":"1763628000.abc","mess')],
  ["nothing", raw(200, "")],
  ["another shape", answer(200, { ok: true })],
  ["no id", answer(200, { message_id: "<1@example.com>" })],
  ["an id that is not a string", answer(200, { id: 7, message_id: "<1@example.com>" })],
  ["a list", answer(200, [accepted])],
  ["a long answer", raw(200, "x".repeat(3_000_000))],
])("leaves %s unknown, and does not send again", async (_, answering) => {
  const { desk, sends } = await serviceThat(answering, accept);
  await expect(desk.send()).rejects.toMatchObject({
    code: "unknown_outcome",
    id: expect.any(String),
    since: expect.any(Date),
  });
  expect(sends()).toBe(1);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "unknown", "parked"]);
});

test("says where a redirect leads", async () => {
  const location = "https://other.example/v4/domains?token=secret";
  const { desk } = await serviceThat((response) => response.writeHead(308, { location }).end());
  await expect(desk.send()).rejects.toMatchObject({
    code: "unknown_outcome",
    message: expect.stringContaining(
      "the service's answer (308) could not be read: it redirects to https://other.example/v4/domains (status 308);",
    ),
  });
});

type Behaviour = (write: (text: string) => void, end: () => void) => void;

/** Raw connections: the response to each request, by the number of previous requests. */
async function wireThat(behaviours: readonly Behaviour[], timeoutMs = 60_000) {
  let requests = 0;
  const { url } = await serveConnections((socket) => {
    let head = "";
    socket.on("data", (chunk) => {
      head += chunk.toString("latin1");
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      const [, body] = head.split("\r\n\r\n");
      if (body === undefined || body.length < Number(length ?? 0)) return;
      const isSend = head.startsWith("POST");
      head = "";
      const write = (text: string) => void socket.write(text);
      if (isSend) behaviours[Math.min(requests++, behaviours.length - 1)]?.(write, () => socket.destroy());
      else write(http(JSON.stringify(emptyLog)));
    });
  });
  return { desk: await openDesk(url, { timeoutMs }), requests: () => requests };
}

function http(body: string, status = "200 OK", headers = ""): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;
}

const fine = http(JSON.stringify(accepted));

test("ignores interim answers", async () => {
  const { desk } = await wireThat([
    (write) => {
      write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n");
      write(fine);
    },
  ]);
  expect(await desk.send()).toMatchObject({ messageId: accepted.message_id });
});

test.each<[string, Behaviour]>([
  ["no answer", () => undefined],
  ["an interim answer and nothing more", (_, end) => end()],
  ["an incomplete answer", (write) => write("HTTP/1.1 102 Processing\r\n\r\n")],
  ["an answer that stalls", (write, end) => (write(fine.slice(0, -5)), setTimeout(end, 5))],
  ["an answer that stops coming", (write) => write(fine.slice(0, -5))],
  ["no HTTP", (write, end) => (write("220 mail.example.com ESMTP\r\n"), end())],
  [
    "a protocol switch",
    (write) => write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  ],
])("leaves %s unknown, and sends once", async (_, behaviour) => {
  const { desk, requests } = await wireThat([behaviour, (write) => write(fine)], 1_000);
  await expect(desk.send()).rejects.toMatchObject({ code: "unknown_outcome" });
  expect(requests()).toBe(1);
});

test("leaves a request unknown if its kept-alive connection breaks", async () => {
  const { desk, requests } = await wireThat([(write) => write(fine), (_, end) => end(), (write) => write(fine)]);
  await desk.send();
  await expect(desk.send()).rejects.toMatchObject({ code: "unknown_outcome" });
  expect(requests()).toBe(2);
});

test("does not reuse a connection that the service has closed", async () => {
  const { desk, requests } = await wireThat([
    (write, end) => {
      write(http(JSON.stringify(accepted), "200 OK", "connection: close\r\n"));
      setTimeout(end, 5);
    },
  ]);
  await desk.send();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await desk.send();
  expect(requests()).toBe(2);
});

test("waits after a 429 as the service says, and tries again", async () => {
  const { desk, sends } = await serviceThat(answer(429, refusal, { "retry-after": "7" }), accept);
  await desk.send();
  expect(desk.clock.now()).toBeGreaterThanOrEqual(7000);
  expect(desk.clock.now()).toBeLessThan(9000);
  expect(sends()).toBe(2);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "held", "attempt", "accepted"]);
});

test("fails at once for a 429 whose wait exceeds the time left, and says when to retry", async () => {
  const { desk, sends } = await serviceThat(answer(429, refusal, { "retry-after": "11" }));
  await expect(desk.send()).rejects.toMatchObject({
    code: "rate_limited",
    expectedWaitMs: 11_000,
    cause: { status: 429 },
  });
  expect(desk.clock.now()).toBe(0);
  expect(sends()).toBe(1);
});

test("waits a minute after a 429 without a time", async () => {
  const { desk } = await serviceThat(answer(429, refusal));
  await expect(desk.send()).rejects.toMatchObject({ expectedWaitMs: 60_000 });
});

test("sends nothing and leaves nothing behind for an unusable option", async () => {
  const { desk, sends } = await serviceThat(accept);
  await expect(desk.send({ id: "mine" }, { timeoutMs: -1 })).rejects.toMatchObject({ code: "configuration" });
  await expect(desk.send({ id: "mine" })).resolves.toBeDefined();
  expect(sends()).toBe(1);
});

test("aborts a wait, and leaves an aborted request unknown", async () => {
  const { url, seen } = await serve(() => undefined);
  const { hanging } = await import("./harness.js");
  hanging.count = 1;
  const desk = await openDesk(url);
  const controller = new AbortController();
  const sending = desk.start({}, { signal: controller.signal });
  await expect.poll(() => seen).toHaveLength(1);
  controller.abort(new Error("enough"));
  await expect(sending).rejects.toMatchObject({
    code: "unknown_outcome",
    lookedIn: undefined,
    cause: { code: "aborted" },
  });
  await expect(desk.send({}, { signal: controller.signal })).rejects.toMatchObject({
    code: "aborted",
    cause: new Error("enough"),
  });
  expect(seen).toHaveLength(1);
});
