import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigurationError } from "../../../src/errors.js";
import { systemClock } from "../../../src/send/clock.js";
import { InvalidMessageError, type Problem, SendError } from "../../../src/send/errors.js";
import type { QueueOptions, SendOptions } from "../../../src/send/message/options.js";
import {
  type CheckedMessage,
  type PrepareContext,
  preparePlainMessage,
  prepareTemplateMessage,
} from "../../../src/send/message/prepare.js";
import type { RegistryEntry } from "../../../src/project/registry-types.js";
import { rejection } from "../../api/servers.js";
import { lines } from "../collect.js";
import { registryOf } from "../registry.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const to = "ada@example.org";
const order = { number: "7", total: 12.5 };

function preparationOf(more: Partial<PrepareContext> = {}, entry: Partial<RegistryEntry> = {}): PrepareContext {
  const { templates } = registryOf();
  return {
    templates: new Map(Object.entries({ ...templates, receipt: { ...templates.receipt, ...entry } })),
    sender: { domain: "example.com", from: "shop" },
    context: { locale: "en-US", timeZone: "UTC" },
    clock: { ...systemClock, time: () => NOW },
    timeoutMs: 30_000,
    publish: () => undefined,
    remoteName: (name) => `p-${name}`,
    ...more,
  };
}

type Options = Partial<SendOptions & QueueOptions> | Record<string, unknown>;

function send(options: Options, preparation = preparationOf()): Promise<CheckedMessage> {
  return prepareTemplateMessage("receipt", { order }, { to, ...options }, "send", preparation);
}

function queue(options: Options, preparation = preparationOf()): Promise<CheckedMessage> {
  return prepareTemplateMessage("receipt", { order }, { to, ...options }, "queue", preparation);
}

function sendPlain(options: Record<string, unknown>): Promise<CheckedMessage> {
  return preparePlainMessage({ to, subject: "Hi", text: "Hi", ...options }, "send", preparationOf());
}

async function problemsOf(message: Promise<CheckedMessage>): Promise<string[]> {
  const error = await rejection(message);
  if (!(error instanceof InvalidMessageError)) throw error;
  return lines(error.problems);
}

test("returns everything that a parcel needs", async () => {
  expect(
    await send({ cc: ["Bob <bob@example.org>"], replyTo: "help@example.com", subject: "No. {{order.number}}" }),
  ).toEqual({
    email: {
      from: "shop",
      to: [to],
      cc: ["Bob <bob@example.org>"],
      reply_to: "help@example.com",
      template: "p-receipt",
      variables: { order: { ...order, note: null }, total: "€12.50" },
      subject: "No. {{order.number}}",
    },
    template: "receipt",
    subject: "No. 7",
    priority: "normal",
    onUnknown: "park",
    args: expect.anything(),
  });
  expect(await sendPlain({ html: "<p>Hi {{name}}", from: "ops@example.com" })).toEqual({
    email: { from: "ops", to: [to], subject: "Hi", text: "Hi", html: "<p>Hi {{name}}" },
    priority: "normal",
    onUnknown: "park",
  });
});

test("uses the delivery settings of template.json if the message sets none", async () => {
  const preparation = preparationOf({}, { delivery: { priority: "high", expiresAfter: "10m", onUnknown: "resend" } });
  expect(await send({}, preparation)).toMatchObject({
    priority: "high",
    expiresAt: NOW + 600_000,
    onUnknown: "resend",
  });
  const own = { priority: "normal", onUnknown: "park" };
  expect(await send({ ...own, expiresAfter: 1000 }, preparation)).toMatchObject({ ...own, expiresAt: NOW + 1000 });
  const expiresAt = new Date(NOW + 5000);
  expect(await send({ expiresAt }, preparation)).toMatchObject({ expiresAt: NOW + 5000 });
});

test("has a key and a send time when queued, from which the expiry counts", async () => {
  const sendAt = new Date(NOW + 60_000);
  expect(await queue({ key: "receipt-7", sendAt, expiresAfter: "2h" })).toMatchObject({
    key: "receipt-7",
    sendAt: NOW + 60_000,
    expiresAt: NOW + 60_000 + 7_200_000,
  });
  expect(await queue({ sendAt: new Date(NOW - 60_000), expiresAfter: "2h" })).toMatchObject({
    expiresAt: NOW + 7_200_000,
  });
  expect(await problemsOf(queue({ sendAt, expiresAt: sendAt }))).toEqual([
    "expiresAt: is not after sendAt, so the message could never be sent",
  ]);
});

test.each<[Options, string]>([
  [{ priority: "urgent" }, 'priority: must be "high" or "normal"'],
  [{ onUnknown: "retry" }, 'onUnknown: must be "park" or "resend"'],
  [{ expiresAfter: "ten minutes" }, 'expiresAfter: is neither a duration such as "10m" nor milliseconds from 1'],
  [{ expiresAfter: 0 }, 'expiresAfter: is neither a duration such as "10m" nor milliseconds from 1'],
  [{ expiresAt: NOW }, "expiresAt: is not a valid Date"],
  [{ expiresAt: new Date(Number.NaN) }, "expiresAt: is not a valid Date"],
  [
    { expiresAt: new Date(NOW + 1), expiresAfter: "1m" },
    "expiresAfter: can't be combined with expiresAt: pass one of them",
  ],
  [{ signal: {} }, "signal: is not an AbortSignal"],
  [{ timeoutMs: 0 }, "timeoutMs: is not a number of milliseconds from 1 to 2147483647"],
  [{ timeoutMs: "5s" }, "timeoutMs: is not a number of milliseconds from 1 to 2147483647"],
  [{ maxWait: Number.NaN }, "maxWait: is not a number of milliseconds, 0 or more"],
  [{ render: "html" }, 'render: is neither "template" nor "local"'],
  [{ render: "local" }, 'render: is "local", but the registry has no bodies. Run: templates types --bodies'],
])("refuses %j: %s", async (options, problem) => {
  expect(await problemsOf(send(options))).toEqual([problem]);
});

test.each<[unknown, string]>([
  ["", "must be a non-empty string"],
  [7, "must be a non-empty string"],
  ["a\nb", "contains a line break"],
  ["x".repeat(256), "is longer than 255 characters"],
])("refuses the key %j", async (key, message) => {
  expect(await problemsOf(queue({ key }))).toEqual([`key: ${message}`]);
});

test.each([
  ["CC", "is not an option. Did you mean cc?"],
  ["reply_to", "is not an option. Did you mean replyTo?"],
  ["Reply-To", "is not an option. Did you mean replyTo?"],
  ["attachment", "is not an option. Did you mean attachments?"],
  ["expires_after", "is not an option. Did you mean expiresAfter?"],
  ["headers", "is not an option"],
  ["sendAt", "is for queued messages: mailer.queue"],
  ["html", "is for messages without a template: mailer.sendMessage"],
  ["constructor", "is not an option"],
])("refuses the unknown option %s", async (name, message) => {
  expect(await problemsOf(send({ [name]: "x" }))).toEqual([`${name}: ${message}`]);
});

test("distinguishes options of other calls from misspelt ones", async () => {
  expect(await problemsOf(queue({ maxWait: 5 }))).toEqual([
    "maxWait: is for a direct send; use expiresAfter for queued messages",
  ]);
  expect(await problemsOf(sendPlain({ variables: {}, render: "local" }))).toEqual([
    "variables: are the second argument of mailer.send",
    "render: is for messages made from a template",
  ]);
});

test("reports null, which JavaScript may pass", async () => {
  const all = { to: null, cc: null, bcc: null, replyTo: null, from: null, attachments: null, subject: null };
  expect(await problemsOf(send(all))).toEqual([
    ...["cc", "bcc", "replyTo", "from", "attachments"].map((name) => `${name}: is null: leave it out`),
    "to: is missing: a message has at least one recipient",
  ]);
  expect(await problemsOf(sendPlain({ subject: null, text: null }))).toEqual([
    "text: is null: leave it out",
    "subject: is missing",
    "text: is missing: a message without a template needs text, html or both",
  ]);
  for (const options of [undefined, null, 7, "ada@example.org", [to]]) {
    expect(await problemsOf(prepareTemplateMessage("receipt", { order }, options, "send", preparationOf()))).toEqual([
      "options: is not an object: pass at least { to }",
      "to: is missing: a message has at least one recipient",
    ]);
  }
});

test.each([
  ["7\r\nBcc: eve@example.org", "contains a line break"],
  ["7\u2028", "contains a line break"],
  ["7\u0000", "contains a control character"],
  ["7\u0085", "contains a line break"],
  [`=?utf-8?B?${btoa("7\r\nBcc: eve@example.org")}?=`, "contains a line break, in an encoded word"],
  ["=?us-ascii?q?7=00?=", "contains a control character, in an encoded word"],
  [`${"x".repeat(244)}7`, "has 251 characters; the limit is 250"],
  // 123 characters of two units each: 129 code points.
  ["😀".repeat(123), "has 252 characters; the limit is 250"],
])("refuses the template's subject, filled with %j", async (number, message) => {
  const sending = prepareTemplateMessage("receipt", { order: { ...order, number } }, { to }, "send", preparationOf());
  expect(await problemsOf(sending)).toEqual([`subject: after filling, the template's subject ${message}`]);
});

test.each([
  ["No. {{order.numbr}}", 'has a tag at column 5 that is not a variable of the template; did you mean "order.number"?'],
  ["{{order}}", "has a tag at column 1 that is not a variable of the template"],
  ["{{#secret}}!{{/secret}}", "has a tag at column 1 that is not a variable of the template"],
  ["{{#order}}", "is not valid Mustache"],
])("refuses the subject %j", async (subject, message) => {
  expect(await problemsOf(send({ subject }))).toEqual([`subject: ${message}`]);
});

test("allows all variables of the tags in the message's own subject", async () => {
  await send({ subject: "{{total}} {{#order}}{{number}}{{^note}} of today{{/note}}{{/order}}" });
});

test("accepts a subject of 250 characters, before and after filling", async () => {
  await send({ subject: "x".repeat(250) });
  await prepareTemplateMessage(
    "receipt",
    { order: { ...order, number: "x".repeat(244) } },
    { to },
    "send",
    preparationOf(),
  );
});

test("refuses half a surrogate pair anywhere", async () => {
  expect(
    await problemsOf(
      sendPlain({ subject: "Hi \ud83d", text: "\ud83d", html: "\0", to: "Ada \ud83d <ada@example.org>" }),
    ),
  ).toEqual([
    "subject: contains half of a character: a string was cut in the middle of one",
    "text: contains an invalid character: U+0000, or half of a surrogate pair",
    "html: contains an invalid character: U+0000, or half of a surrogate pair",
    "to: contains half of a character: a string was cut in the middle of one",
  ]);
});

test("sends one email to an address that appears twice", async () => {
  const { email } = await send({
    to: [to, "Bob <bob@example.org>"],
    cc: ["bob@EXAMPLE.org", `Ada <${to}>`, "eve@example.org"],
    bcc: ["eve@example.org", "Bob@example.org"],
  });
  expect(email).toMatchObject({ to: [to, "Bob <bob@example.org>"], cc: ["eve@example.org"], bcc: ["Bob@example.org"] });
  expect((await send({ to: [to, to], cc: to, bcc: [] })).email).not.toHaveProperty("cc");
});

test.each([
  [["ada@example.org", "ada@EXAMPLE.Org"], ["ada@example.org"]],
  [["ada@bücher.example", "Ada <ada@xn--bcher-kva.example>"], ["ada@xn--bcher-kva.example"]],
  [['"ada"@example.org', "ada@example.org"], ['"ada"@example.org']],
  [["m\u00fcller@example.org", "mu\u0308ller@example.org"], ["m\u00fcller@example.org"]],
  [
    ["Ada@example.org", "ada@example.org"],
    ["Ada@example.org", "ada@example.org"],
  ],
  [
    ['"a b"@example.org', "ab@example.org"],
    ['"a b"@example.org', "ab@example.org"],
  ],
])("sends %j one email per mailbox", async (recipients, expected) => {
  expect((await send({ to: recipients })).email.to).toEqual(expected);
  expect((await send({ to: recipients[0], bcc: recipients[1] })).email).toMatchObject({
    to: [expected[0]],
    ...(expected.length > 1 && { bcc: [expected[1]] }),
  });
});

test("checks all recipients together, and reports problems with their path", async () => {
  const seen: unknown[] = [];
  const check = async (recipients: readonly { path: string; email: string }[]): Promise<Problem[]> => {
    seen.push(recipients);
    return [{ path: "bcc[1]", message: "is suppressed: mailbox unknown" }];
  };
  const preparation = preparationOf({ sender: { domain: "example.com", from: "shop", check } });
  const sending = send(
    { to: { name: "Ada", email: to }, cc: "nobody", bcc: ["bob@example.org", "eve@EXAMPLE.org"] },
    preparation,
  );
  expect(await problemsOf(sending)).toEqual([
    "cc: is not an address: it has no @",
    "bcc[1]: is suppressed: mailbox unknown",
  ]);
  expect(seen).toEqual([
    [
      { path: "to", email: to },
      { path: "bcc[0]", email: "bob@example.org" },
      { path: "bcc[1]", email: "eve@example.org" },
    ],
  ]);
});

test("requires files for cid: references and references for files in a plain message", async () => {
  const logo = { filename: "logo.png", content: Buffer.from("x"), contentId: "logo" };
  await sendPlain({ html: '<img src="cid:logo">', attachments: [logo] });
  expect(await problemsOf(sendPlain({ html: '<img src="cid:lego">', attachments: [logo] }))).toEqual([
    'html: uses "cid:lego" at line 1, column 1, but no attachment has that contentId',
    'attachments[0].contentId: is not used in the html. Show the image with <img src="cid:…">',
  ]);
  expect(await problemsOf(sendPlain({ attachments: [logo] }))).toHaveLength(1);
});

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
});
const names =
  "to cc bcc replyTo from attachments subject priority expiresAt expiresAfter onUnknown signal timeoutMs maxWait key sendAt render text html CC".split(
    " ",
  );
const likely = fc.constantFrom<unknown>(
  to,
  [to],
  { email: to },
  "Hi",
  "local",
  "10m",
  new Date(NOW),
  5,
  null,
  undefined,
);
const options = fc.oneof(anything, fc.dictionary(fc.constantFrom(...names), fc.oneof(anything, likely)));

test("throws only send errors, whatever is passed", async () => {
  const receipt = fc.oneof(anything, fc.record({ order: fc.oneof(anything, fc.constant(order)) }));
  const template = fc.oneof(fc.constantFrom<unknown>("receipt", "no-subject", "reciept"), anything);
  await fc.assert(
    fc.asyncProperty(
      template,
      receipt,
      options,
      fc.constantFrom("send" as const, "queue" as const),
      async (name, input, passed, purpose) => {
        const outcomes = await Promise.allSettled([
          prepareTemplateMessage(name as string, input, passed, purpose, preparationOf()),
          preparePlainMessage(passed, purpose, preparationOf()),
        ]);
        for (const outcome of outcomes)
          if (outcome.status === "rejected" && !(outcome.reason instanceof ConfigurationError))
            expect(outcome.reason).toBeInstanceOf(SendError);
      },
    ),
    { numRuns: process.env["MODE"] === "long" ? 20_000 : 500 },
  );
});
