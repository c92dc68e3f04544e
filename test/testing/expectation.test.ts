import "../../src/testing/vitest.js";
import { readFileSync } from "node:fs";
import { expect as jestExpect } from "expect";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  assertNotSent,
  assertQueued,
  assertSent,
  createTestMailer,
  type Expectation,
  matchers,
  type TemplateMails,
} from "../../src/testing/index.js";
import { registryOf, type TemplateVariables } from "../send/registry.js";
import { registryWithBodies } from "./registry.js";

jestExpect.extend(matchers);

const order = { number: "7", total: 12.5 };
const pdf = new Uint8Array([37, 80, 68, 70]);

async function mailerWithReceipt() {
  const mailer = createTestMailer({ templates: registryWithBodies(), from: "shop" });
  await mailer.send(
    "receipt",
    { order },
    {
      to: ["Ada <ada@Example.com>", "eve@example.com"],
      cc: "ops@example.com",
      bcc: { name: "Archive", email: "archive@example.com" },
      replyTo: "Support <support@example.com>",
      attachments: [
        { filename: "receipt-7.pdf", content: pdf, contentType: "application/pdf" },
        { filename: "terms.txt", content: "aGk=" },
      ],
    },
  );
  return mailer;
}

const keys = "to cc bcc from replyTo subject variables attachments text html where times".split(" ");
const attachmentKeys = ["filename", "contentType", "contentId", "content"];

type Receipts = Awaited<ReturnType<typeof mailerWithReceipt>>;
type Expected = Expectation<TemplateMails<TemplateVariables>["receipt"]>;

/** Expectations that match the message, in every form, with the asymmetric matchers of vitest and Jest. */
const fitting: readonly Expected[] = [
  {},
  { to: "ada@example.com" },
  { to: "Somebody Else <eve@EXAMPLE.com>" },
  { to: /^eve@/ },
  { to: jestExpect.stringContaining("eve@") },
  { cc: "ops@example.com" },
  { bcc: "archive@example.com" },
  { bcc: expect.stringMatching(/^archive@/) },
  { from: "shop" },
  { from: "shop@example.test" },
  { from: /^shop@/ },
  { replyTo: "support@example.com" },
  { subject: "Order 7" },
  { subject: /order/i },
  { subject: jestExpect.stringContaining("7") },
  { text: "Your code is 123456." },
  { text: /code is \d{6}/ },
  { html: '<a href="https://shop.example/o/7">' },
  { html: expect.not.stringContaining("undefined") },
  { variables: { order: { number: "7" } } },
  { variables: { order: { number: /^\d$/, total: jestExpect.any(Number) } } },
  { variables: { order: expect.objectContaining({ total: 12.5 }) } },
  { attachments: ["receipt-7.pdf", "terms.txt"] },
  { attachments: [/\.pdf$/, { filename: "terms.txt" }] },
  { attachments: [{ contentType: "application/pdf", content: Buffer.from(pdf) }, {}] },
  { attachments: [jestExpect.anything(), { filename: expect.stringMatching(/txt$/) }] },
  { attachments: jestExpect.arrayContaining([jestExpect.objectContaining({ filename: "terms.txt" })]) },
  { where: (mail) => mail.variables.order.number === "7" && mail.link("See it").endsWith("/o/7") },
  { to: "ada@example.com", where: () => true, times: 1 },
];

/** Expectations that don't match, with part of the failure's message. */
const unfitting: readonly (readonly [Expected, string])[] = [
  [{ to: "bob@example.com" }, 'No "receipt" to bob@example.com was sent.'],
  [{ to: "ada" }, 'No "receipt" to ada was sent.'],
  [{ to: expect.stringContaining("bob") }, 'No "receipt" to a matching address was sent.'],
  [{ cc: "eve@example.com" }, '+   "cc": "ops@example.com",'],
  [{ bcc: /^ops/ }, '+   "bcc": "Archive <archive@example.com>",'],
  [{ from: "receipts" }, '+   "from": "shop@example.test",'],
  [{ from: "shop@example.com" }, '+   "from": "shop@example.test",'],
  [{ replyTo: "ada@example.com" }, '+   "replyTo": "Support <support@example.com>",'],
  [{ subject: "Order" }, '+   "subject": "Order 7",'],
  [{ subject: /^7/ }, 'No "receipt" with the subject /^7/ was sent.'],
  [{ text: "Your code is 654321." }, '+   "text": "Your code is 123456. Order 7: €12.50",'],
  [{ html: /undefined/ }, 'No "receipt" with /undefined/ in its html was sent.'],
  [{ variables: { order: { number: /^8/ } } }, '+       "number": "7",'],
  [{ attachments: [] }, '+       "filename": "receipt-7.pdf",'],
  [{ attachments: ["receipt-7.pdf"] }, '+       "filename": "terms.txt",'],
  [{ attachments: ["terms.txt", "receipt-7.pdf"] }, '-       "filename": "terms.txt",'],
  [{ attachments: [{ content: pdf.slice(1) }, {}] }, 'No "receipt" with these attachments was sent.'],
  [{ where: (mail) => mail.priority === "high" }, 'No "receipt" that `where` accepts was sent.'],
  [{ to: "ada@example.com", times: 2 }, '"receipt" to ada@example.com was sent once, not 2 times.'],
];

describe.each([
  ["vitest", expect],
  ["Jest", jestExpect],
])("with %s", (_, framework) => {
  const expectSent = (mailer: Receipts) => framework(mailer) as ReturnType<typeof expect<Receipts>>;

  test.each(fitting.map((expected) => [expected]))("matches %o", async (expected) => {
    const mailer = await mailerWithReceipt();
    expectSent(mailer).toHaveSent("receipt", expected);
    expect(messageOf(() => expectSent(mailer).not.toHaveSent("receipt", expected))).toMatch(/^"receipt".* was sent/);
    expect(assertSent(mailer, "receipt", expected)).toBe(mailer.sent[0]);
    expect(() => assertNotSent(mailer, "receipt", expected)).toThrow(/^"receipt".* was sent/);
  });

  test.each(unfitting)("does not match %o", async (expected, shown) => {
    const mailer = await mailerWithReceipt();
    expectSent(mailer).not.toHaveSent("receipt", expected);
    expect(messageOf(() => expectSent(mailer).toHaveSent("receipt", expected))).toContain(shown);
    expect(() => assertSent(mailer, "receipt", expected)).toThrow(/was sent/);
    assertNotSent(mailer, "receipt", expected);
  });

  test.each(wrong())("refuses %o, also under .not", async (expected, message) => {
    const mailer = await mailerWithReceipt();
    const expectation = expected as Expected;
    for (const run of [
      () => expectSent(mailer).toHaveSent("receipt", expectation),
      () => expectSent(mailer).not.toHaveSent("receipt", expectation),
    ])
      expect(messageOf(run)).toBe(`toHaveSent${message}`);
    for (const run of [
      () => expectSent(mailer).toHaveQueued("receipt", expectation),
      () => expectSent(mailer).not.toHaveQueued("receipt", expectation),
    ])
      expect(messageOf(run)).toBe(`toHaveQueued${message}`);
    for (const check of [assertSent, assertQueued, assertNotSent])
      expect(() => check(mailer, "receipt", expectation)).toThrow(
        expect.objectContaining({ code: "configuration", message: `${check.name}${message}` }),
      );
  });

  test("refuses an unknown template", async () => {
    const mailer = await mailerWithReceipt();
    expect(() => expectSent(mailer).not.toHaveSent("reciept" as "receipt")).toThrow(
      'toHaveSent: the mailer has no template "reciept". Did you mean "receipt"?',
    );
    expect(() => expectSent(mailer).not.toHaveQueued("welcome" as "receipt")).toThrow(
      'toHaveQueued: the mailer has no template "welcome". Its templates: receipt, no-subject.',
    );
    expect(() => expectSent(mailer).not.toHaveSent({ to: "ada@example.com" } as never)).toThrow(
      "toHaveSent: template must be a template's name, or undefined for any message.",
    );
  });

  test("requires a boolean from `where`, and rethrows its errors", async () => {
    const mailer = await mailerWithReceipt();
    const where = (predicate: () => unknown) => () =>
      expectSent(mailer).not.toHaveSent("receipt", { where: predicate as never });
    expect(where(() => Promise.resolve(false))).toThrow("where returned a promise; it must return true or false.");
    expect(where(() => "yes")).toThrow("where returned 'yes'; it must return true or false.");
    expect(where(() => undefined)).toThrow("where returned undefined; it must return true or false.");
    expect(
      where(() => {
        throw new Error("No such link.");
      }),
    ).toThrow("No such link.");
  });
});

/** What the compiler refuses but JavaScript allows, with the message after the function's name. */
function wrong(): [expected: unknown, message: string][] {
  const listed = keys.join(", ");
  const members = attachmentKeys.map((key) => `attachments[1].${key}`).join(", ");
  const string = "it must be a string, a RegExp or an asymmetric matcher.";
  const list = 'it must be a list such as ["receipt.pdf", { contentType: "text/calendar" }], or an asymmetric matcher.';
  return [
    [{ recipient: "ada@example.com" }, ` has no option "recipient" (did you mean to?). Its options: ${listed}.`],
    [
      { reply_to: "a", tmes: 1 },
      ` has no option "reply_to" (did you mean replyTo?), no option "tmes" (did you mean times?). Its options: ${listed}.`,
    ],
    [{ urgent: true }, ` has no option "urgent". Its options: ${listed}.`],
    [
      { attachments: ["a", { fileName: "b" }] },
      ` has no option "attachments[1].fileName" (did you mean attachments[1].filename?). Its options: ${members}.`,
    ],
    ["ada@example.com", ` takes an object with options: ${listed}.`],
    [null, ` takes an object with options: ${listed}.`],
    [() => true, ` takes an object with options: ${listed}.`],
    [{ to: undefined }, `: to is undefined; ${string}`],
    [{ cc: ["ops@example.com"] }, `: cc is [ 'ops@example.com' ]; ${string}`],
    [{ from: 7 }, `: from is 7; ${string}`],
    [{ subject: null }, `: subject is null; ${string}`],
    [{ text: "" }, ': text is ""; it must be a string of at least one character.'],
    [{ variables: "7" }, ': variables is "7"; it must be an object or an asymmetric matcher.'],
    [{ attachments: "receipt.pdf" }, `: attachments is "receipt.pdf"; ${list}`],
    [
      { attachments: [7] },
      `: attachments[0] is 7; it must be a string, a RegExp or an asymmetric matcher, or an object such as { filename, contentType }.`,
    ],
    [
      { attachments: [{ content: "aGk=" }] },
      ': attachments[0].content is "aGk="; it must be bytes or an asymmetric matcher.',
    ],
    [{ where: true }, ": where is true; it must be a function that returns true or false, not a promise."],
    [
      { where: async () => true },
      ": where is [AsyncFunction: where]; it must be a function that returns true or false, not a promise.",
    ],
    [{ times: "2" }, ': times is "2"; it must be a whole number, 0 or more.'],
    [{ times: -1 }, ": times is -1; it must be a whole number, 0 or more."],
  ];
}

/** Without the colours that a framework may add. */
function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    // oxlint-disable-next-line no-control-regex
    if (error instanceof Error) return error.message.replaceAll(/\u001b\[\d+m/g, "");
  }
  throw new Error("It did not fail.");
}

test("allows 0 times in a matcher, but not if the message is returned", async () => {
  const mailer = createTestMailer({ templates: registryOf(), from: "shop" });
  expect(mailer).toHaveSent("receipt", { times: 0 });
  expect(() => assertSent(mailer, "receipt", { times: 0 })).toThrow(
    "assertSent returns the message, so times can't be 0. Use assertNotSent.",
  );
  expect(messageOf(() => expect(mailer).not.toHaveSent("receipt", { times: 0 }))).toBe(
    '"receipt" was sent 0 times.\nSent: nothing.',
  );
});

test("needs only the bodies of messages that match the other keys", async () => {
  const mailer = createTestMailer({ templates: registryOf(), from: "shop" });
  await mailer.send("receipt", { order }, { to: "ada@example.com" });
  await mailer.sendMessage({ to: "ops@example.com", subject: "Done", text: "All is done." });
  expect(mailer).not.toHaveSent("receipt", { to: "bob@example.com", html: "7" });
  expect(mailer).toHaveSent(undefined, { to: "ops@example.com", text: "All is done." });
  expect(mailer).not.toHaveSent(undefined, { to: "ops@example.com", html: "All is done." });
  expect(() => expect(mailer).not.toHaveSent("receipt", { html: "7" })).toThrow(
    'The registry has no bodies of "receipt".',
  );
});

test("shows the beginning of a long body in a failure", async () => {
  const mailer = createTestMailer({ templates: registryOf(), from: "shop" });
  await mailer.sendMessage({ to: "ops@example.com", subject: "Done", text: "x".repeat(1000) });
  const message = messageOf(() => expect(mailer).toHaveSent(undefined, { text: "y" }));
  expect(message).toContain(`"${"x".repeat(500)}…"`);
});

test("passes the message's types to `where`", async () => {
  const mailer = await mailerWithReceipt();
  expect(mailer).toHaveSent("receipt", {
    where: (mail) => {
      expectTypeOf(mail).toEqualTypeOf<TemplateMails<TemplateVariables>["receipt"]>();
      return true;
    },
  });
  assertSent(mailer, "receipt", { where: (mail) => mail.variables.order.total > 0 });
  expect(mailer).toHaveSent(undefined, { where: ({ template }) => template === "receipt" });
  // @ts-expect-error It must not return a promise.
  expect(() => expect(mailer).toHaveSent("receipt", { where: async () => true })).toThrow("where is");
  // @ts-expect-error There is no such key.
  expect(() => expect(mailer).toHaveSent("receipt", { recipient: "ada@example.com" })).toThrow("did you mean to?");
  // @ts-expect-error Attachments have no such property.
  expect(() => expect(mailer).toHaveSent("receipt", { attachments: [{ name: "a.txt" }] })).toThrow(
    "attachments[0].name",
  );
});

test("has every key of an expectation and of an attachment in docs/guides/testing.md", () => {
  const guide = readFileSync(new URL("../../docs/guides/testing.md", import.meta.url), "utf8");
  const [, table = ""] = /\n\| Key .*\n\| -.*\n([^]*?)\n\n/.exec(guide) ?? [];
  const documented = table.split("\n").flatMap((row) => row.split("|")[1]?.match(/\w+/g) ?? []);
  expect(documented.toSorted()).toEqual(keys.toSorted());
  expect(table).toContain(`{ ${attachmentKeys.join(", ")} }`);
});
