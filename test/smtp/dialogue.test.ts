import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  SendUnreachableError,
  UnknownOutcomeError,
} from "../../src/send/index.js";
import { eventsOfTest, failureOf, mailerTo, MESSAGE } from "./mailers.js";
import { type Script, scriptedServer, type Stage } from "./scripted-server.js";

/** Larger than what the network takes without the server reading it. */
const large = { ...MESSAGE, attachments: [{ filename: "noise.bin", content: randomBytes(7_000_000) }] };

/** Does something at one stage of the first connection. */
const once =
  (stage: Stage, response: string): Script["at"] =>
  (at, connection) =>
    at === stage && connection === 1 ? response : undefined;

describe.each([[[]], [["PIPELINING"]]])("extensions %j:", (extensions) => {
  it.each<Stage>(["CONN", "EHLO", "MAIL", "RCPT", "DATA"])(
    "a connection that breaks at %s is retried, with the same Message-ID",
    async (stage) => {
      const { got, connections, port } = await scriptedServer({ at: once(stage, "cut"), extensions });
      const { messageId } = await mailerTo(port).sendMessage(MESSAGE);
      expect(got.map((mail) => mail.messageId)).toEqual([messageId]);
      expect(connections()).toBe(2);
    },
  );

  it("a connection that breaks before all of a message was read is retried", async () => {
    const { got, connections, port } = await scriptedServer({ at: once("body", "cut"), extensions });
    const { messageId } = await mailerTo(port).sendMessage(large);
    expect(got.map((mail) => mail.messageId)).toEqual([messageId]);
    expect(connections()).toBe(2);
  });

  it("a connection that breaks after the message was sent leaves its outcome unknown, and it is not sent again", async () => {
    const { got, port } = await scriptedServer({ at: once("end", "cut"), extensions });
    const events = eventsOfTest();
    const error = await failureOf(mailerTo(port).sendMessage(MESSAGE));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(String(error)).toContain("there is no delivery log to look it up in");
    expect(got).toHaveLength(1);
    expect(events.map(({ type }) => type)).toEqual(["attempt", "unknown", "parked"]);
  });

  it("a message that prefers a duplicate to a loss is sent again, with the same Message-ID", async () => {
    const { got, port } = await scriptedServer({ at: once("end", "cut"), extensions });
    const { messageId } = await mailerTo(port).sendMessage({ ...MESSAGE, onUnknown: "resend" });
    expect(got.map((mail) => mail.messageId)).toEqual([messageId, messageId]);
  });

  it.each<Stage>(["CONN", "EHLO", "MAIL", "RCPT", "DATA", "end"])("451 at %s is retried", async (stage) => {
    const { got, port } = await scriptedServer({ at: retriedAt(stage), extensions });
    const { messageId } = await mailerTo(port).sendMessage(MESSAGE);
    expect(got.map((mail) => mail.messageId)).toEqual([messageId]);
  });

  it.each<[Stage, string, boolean]>([
    ["CONN", "CONN", true],
    ["MAIL", "MAIL FROM", true],
    ["RCPT", "RCPT TO", false],
    ["DATA", "DATA", false],
    ["end", "DATA", false],
  ])("554 at %s is a rejection that names the command", async (stage, command, refusesAccount) => {
    const at: Script["at"] = (now) => (now === stage ? "554 5.7.1 No <ada@example.com>" : undefined);
    const { got, port } = await scriptedServer({ at, extensions });
    const error = await failureOf(mailerTo(port).sendMessage(MESSAGE));
    expect(error).toBeInstanceOf(RejectedError);
    expect(error).toMatchObject({
      message: "The service refused the message (554): 5.7.1 No <<address>>",
      status: 554,
      serviceMessage: "5.7.1 No <ada@example.com>",
      refusesAccount,
      cause: { responseCode: 554, command, message: `The server answered 554 to ${command}: 5.7.1 No <<address>>.` },
    });
    expect(got).toEqual([]);
  });
});

/** 451 to the first one at this stage: a server may keep the connection. */
function retriedAt(stage: Stage): Script["at"] {
  let refused = 0;
  return (at) => (at === stage && (refused += 1) === 1 ? "451 4.3.0 Later" : undefined);
}

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
