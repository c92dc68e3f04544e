import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { RejectedError, UnknownOutcomeError } from "../../src/send/index.js";
import { eventsOfTest, failureOf, mailerTo, MESSAGE } from "./mailers.js";
import { once, type Script, scriptedServer, type Stage } from "./scripted-server.js";

/** Larger than what the network takes without the server reading it. */
const large = { ...MESSAGE, attachments: [{ filename: "noise.bin", content: randomBytes(7_000_000) }] };

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

it("a message that is larger than the server announces is not sent", async () => {
  const { got, commands, port } = await scriptedServer({ extensions: ["SIZE 2000"] });
  const mailer = mailerTo(port);
  await mailer.sendMessage({ ...MESSAGE, text: "x".repeat(1_000) });
  expect(commands.find((command) => command.startsWith("MAIL"))).toContain(" SIZE=1000");
  const attachments = [{ filename: "noise.bin", content: randomBytes(1_501) }];
  const error = await failureOf(mailer.sendMessage({ ...MESSAGE, attachments }));
  expect(error).toMatchObject({ status: 552, message: expect.stringContaining("2000"), refusesAccount: false });
  expect(got).toHaveLength(1);
});

/** 451 to the first one at this stage: a server may keep the connection. */
function retriedAt(stage: Stage): Script["at"] {
  let refused = 0;
  return (at) => (at === stage && (refused += 1) === 1 ? "451 4.3.0 Later" : undefined);
}
