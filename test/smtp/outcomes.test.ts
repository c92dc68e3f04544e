import { expect, it } from "vitest";
import {
  RateLimitedError,
  SendAbortedError,
  SendError,
  SendUnreachableError,
  UnknownOutcomeError,
} from "../../src/send/index.js";
import { systemClock } from "../../src/send/clock.js";
import { temporaryFile } from "../send/outbox/open.js";
import { eventsOfTest, failureOf, mailerTo, MESSAGE } from "./mailers.js";
import { once, type Script, scriptedServer, type Stage } from "./scripted-server.js";

it("421 after the message was sent may come from a server that shuts down: the outcome is unknown", async () => {
  const { port } = await scriptedServer({ at: once("end", "421 4.3.2 Shutting down") });
  expect(await failureOf(mailerTo(port).sendMessage(MESSAGE))).toBeInstanceOf(UnknownOutcomeError);
});

it("a server that takes the message and does not answer leaves its outcome unknown", async () => {
  const { got, port } = await scriptedServer({ at: once("end", "") });
  const error = await failureOf(mailerTo(port, { timeoutMs: 300 }).sendMessage(MESSAGE));
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(String(error)).toMatch(/did not answer (within 0.3 s|in time)/);
  expect(got).toEqual([]);
});

it.each<Stage>(["CONN", "EHLO", "MAIL", "RCPT", "DATA"])(
  "a server that does not answer at %s is unreachable",
  async (stage) => {
    const { port } = await scriptedServer({ at: (at) => (at === stage ? "" : undefined) });
    const error = await failureOf(mailerTo(port, { timeoutMs: 200, maxWait: 500 }).sendMessage(MESSAGE));
    expect(error).toBeInstanceOf(SendUnreachableError);
    expect(String(error)).toContain(`smtp://127.0.0.1:${port}`);
  },
);

it("an abort before the message is sent sends nothing; after that, the outcome is unknown", async () => {
  const early = await scriptedServer({ at: once("MAIL", "") });
  const signal = AbortSignal.timeout(200);
  expect(await failureOf(mailerTo(early.port).sendMessage({ ...MESSAGE, signal }))).toBeInstanceOf(SendAbortedError);
  const late = await scriptedServer({ at: once("end", "") });
  const error = await failureOf(mailerTo(late.port).sendMessage({ ...MESSAGE, signal: AbortSignal.timeout(200) }));
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(early.got).toEqual([]);
});

it("a server that refuses for now for longer than maxWait ends the send", async () => {
  const { port } = await scriptedServer({ at: (at) => (at === "RCPT" ? "450 4.2.0 Greylisted" : undefined) });
  const error = await failureOf(mailerTo(port, { maxWait: 500 }).sendMessage(MESSAGE));
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({
    limit: "message",
    message: expect.stringMatching(/^The server answered 450 to RCPT TO: 4\.2\.0 Greylisted\. The next message can/),
  });
  const all = await scriptedServer({ at: (at) => (at === "MAIL" ? "421 4.7.0 Too many" : undefined) });
  expect(await failureOf(mailerTo(all.port, { maxWait: 500 }).sendMessage(MESSAGE))).toMatchObject({
    code: "rate_limited",
    limit: "minute",
    message: expect.stringMatching(/^The server answered 421 to MAIL FROM: 4\.7\.0 Too many\./),
  });
});

it("if a server refuses some recipients, the others get the message, and the result names the refused ones", async () => {
  const at: Script["at"] = (stage, _connection, address) =>
    stage === "RCPT"
      ? { "bo@example.com": "550 5.1.1 Unknown", "cy@example.com": "452 4.2.2 Full" }[address]
      : undefined;
  const { got, port } = await scriptedServer({ at, extensions: ["PIPELINING"] });
  const events = eventsOfTest();
  const sent = await mailerTo(port).sendMessage({ ...MESSAGE, cc: ["bo@example.com", "Cy <cy@example.com>"] });
  expect(sent.refused).toEqual([
    { email: "bo@example.com", code: 550 },
    { email: "cy@example.com", code: 452 },
  ]);
  expect(got.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  expect(events.find(({ type }) => type === "recipients-refused")).toMatchObject({ refused: 2 });
  expect(JSON.stringify(events)).not.toContain("@example.com");
});

it("several connections that are refused at the same time cause one pause", async () => {
  let accepted = 0;
  const at: Script["at"] = (stage, connection) => {
    if (stage === "end") accepted += 1;
    return stage === "CONN" && connection > 1 ? "421 4.7.0 Too many connections" : undefined;
  };
  const { port } = await scriptedServer({ at });
  const mailer = mailerTo(port, { maxWait: 900, clock: systemClock });
  for (let count = 0; count < 5; count += 1) await mailer.sendMessage({ ...MESSAGE, subject: `${count}` });
  const sends = Array.from({ length: 5 }, (_, number) =>
    mailer.sendMessage({ ...MESSAGE, subject: `At once ${number}` }),
  );
  const refusals = (await Promise.allSettled(sends)).flatMap((result) =>
    result.status === "rejected" ? [result] : [],
  );
  expect(refusals).toHaveLength(10 - accepted);
  expect(refusals.length).toBeGreaterThan(1);
  for (const { reason } of refusals) {
    expect(reason).toBeInstanceOf(RateLimitedError);
    expect(reason).toHaveProperty(
      "expectedWaitMs",
      expect.toSatisfy((wait: number) => wait <= 1_000),
    );
  }
});

it("connections are reused, and one that the server closed meanwhile is replaced", async () => {
  const { got, connections, port } = await scriptedServer();
  const mailer = mailerTo(port);
  for (let count = 0; count < 10; count += 1) await mailer.sendMessage({ ...MESSAGE, subject: `Receipt ${count}` });
  expect(got).toHaveLength(10);
  expect(connections()).toBe(1);
  const closing = await scriptedServer({
    at: (at, connection) => (at === "end" && connection < 3 ? "250 OK\r\n421 Idle" : undefined),
  });
  const other = mailerTo(closing.port);
  for (let count = 0; count < 5; count += 1) await other.sendMessage({ ...MESSAGE, subject: `Receipt ${count}` });
  expect(closing.got).toHaveLength(5);
});

it("a queued message that is refused for now goes back to the queue, and others are sent meanwhile", async () => {
  let isGreylisting = true;
  const at: Script["at"] = (stage, _connection, address) =>
    stage === "RCPT" && address === "slow@example.com" && isGreylisting ? "450 4.2.0 Greylisted" : undefined;
  const { got, port } = await scriptedServer({ at });
  const mailer = mailerTo(port, { store: temporaryFile() });
  const slow = await mailer.queueMessage({ ...MESSAGE, to: "slow@example.com" });
  const others = await Promise.all(
    ["a@example.com", "b@example.com", "c@example.com"].map((to) => mailer.queueMessage({ ...MESSAGE, to })),
  );
  mailer.work();
  const stateOf = async ({ id }: { readonly id: string }) => (await mailer.outbox.get(id))?.state;
  await expect.poll(() => Promise.all(others.map(stateOf)), { timeout: 10_000 }).toEqual(Array(3).fill("accepted"));
  const waiting = await mailer.outbox.get(slow.id);
  expect(waiting).toMatchObject({
    state: "queued",
    reason: expect.stringContaining("450 to RCPT TO: 4.2.0 Greylisted"),
  });
  isGreylisting = false;
  await mailer.outbox.retry([slow.id]);
  await expect.poll(() => stateOf(slow), { timeout: 10_000 }).toBe("accepted");
  expect(got.map(({ messageId }) => messageId)).toContain(`<${slow.id}@example.test>`);
});

it("after unknown outcomes, few messages are risked", async () => {
  const { got, port } = await scriptedServer({ at: (stage) => (stage === "end" ? "cut" : undefined) });
  const mailer = mailerTo(port, { maxWait: 300, clock: systemClock });
  const codes: unknown[] = [];
  for (let count = 0; count < 4; count += 1) {
    const error = await failureOf(mailer.sendMessage({ ...MESSAGE, subject: `${count}` }));
    codes.push(error instanceof SendError ? error.code : error);
  }
  expect(codes).toEqual(["unknown_outcome", "unknown_outcome", "unreachable", "unreachable"]);
  expect(got).toHaveLength(2);
});
