import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createMailer, InvalidMessageError, type Mailer, type MessageOptions } from "../../src/send/index.js";
import { smtp } from "../../src/smtp/index.js";
import { registryOf, type TemplateVariables } from "../send/registry.js";
import { failureOf, mailerTo } from "./mailers.js";
import { scriptedServer } from "./scripted-server.js";

const runs = process.env["MODE"] === "long" ? 2_000 : 100;

async function sent(message: MessageOptions) {
  const { got, port } = await scriptedServer();
  const mailer = mailerTo(port);
  await mailer.sendMessage(message);
  const [mail] = got;
  if (mail === undefined) throw new Error("Nothing arrived.");
  const source = mail.source.replaceAll("\r\n..", "\r\n.");
  return { ...mail, source, parsed: await PostalMime.parse(source) };
}

test("a message has its parts, and hidden recipients only in the envelope", async () => {
  const { from, to, source, parsed } = await sent({
    to: ["Ada <ada@example.com>", { name: 'O\'Brien, "Bo" \\ Ö', email: "o'brien@münchen.example" }],
    cc: "cy@example.com",
    bcc: "di@example.com",
    replyTo: "Help <help@example.test>",
    from: "receipts",
    subject: "Grüße 🎉",
    text: ".\n..\nFrom here\n\n.end",
    html: '<p>Hi</p><img src="cid:logo">',
    attachments: [
      { filename: "Rechnung März.txt", content: Buffer.from("1 €"), contentType: "text/plain" },
      { filename: "logo.png", content: PNG, contentId: "logo" },
    ],
  });
  expect(from).toBe("receipts@example.test");
  expect(to).toEqual(["ada@example.com", "o'brien@xn--mnchen-3ya.example", "cy@example.com", "di@example.com"]);
  expect(source).not.toContain("di@example.com");
  expect(parsed).toMatchObject({
    from: { address: "receipts@example.test" },
    to: [
      { name: "Ada", address: "ada@example.com" },
      { name: 'O\'Brien, "Bo" \\ Ö', address: "o'brien@xn--mnchen-3ya.example" },
    ],
    cc: [{ address: "cy@example.com" }],
    replyTo: [{ name: "Help", address: "help@example.test" }],
    subject: "Grüße 🎉",
    messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example\.test>$/),
    html: expect.stringContaining("cid:logo"),
  });
  expect(parsed.text?.trimEnd()).toBe(".\n..\nFrom here\n\n.end");
  expect(parsed.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual(
    expect.arrayContaining([
      ["Rechnung März.txt", undefined],
      ["logo.png", "<logo>"],
    ]),
  );
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const HEADERS = new Set(
  "from to cc reply-to subject message-id date mime-version content-type content-transfer-encoding".split(" "),
);

let server: Awaited<ReturnType<typeof scriptedServer>>;
let mailer: Mailer<object>;
beforeAll(async () => {
  server = await scriptedServer({}, "all tests");
  mailer = createMailer<object>({
    transport: smtp({ host: "127.0.0.1", port: server.port }),
    domain: "example.test",
    from: "shop",
    sendsPerMinute: Number.POSITIVE_INFINITY,
  });
});
afterAll(async () => {
  await mailer.close();
  server.close();
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "\r",
        "\n",
        "\r\n",
        "Bcc: eve@evil.example",
        "<",
        ">",
        '"',
        "\\",
        ",",
        ";",
        ":",
        "@",
        "a",
        " ",
        "=?utf-8?Q?=0ABcc:_eve@evil.example?=",
        ".",
        "\0",
        "é",
        "\u2028",
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);

/** Usually harmless, so that most messages are refused for one field at most. */
const field = fc.oneof({ weight: 4, arbitrary: fc.constant("Hello") }, { weight: 1, arbitrary: hostile });

test("nothing that a caller passes adds a header, a recipient or a command", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ name: field, subject: field, text: hostile, replyTo: field, filename: field, cc: field }),
      async ({ name, subject, text, replyTo, filename, cc }) => {
        const before = server.got.length;
        const commands = server.commands.length;
        const message = {
          to: { name, email: "ada@example.com" },
          subject,
          text: `${text}x`,
          replyTo: { name: replyTo, email: "help@example.test" },
          cc: [{ name: cc, email: "cy@example.com" }],
          attachments: [{ filename: `${filename}.txt`, content: Buffer.from(text) }],
        };
        const error: unknown = await mailer.sendMessage(message).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) {
          expect(error).toBeInstanceOf(InvalidMessageError);
          expect(server.got).toHaveLength(before);
          return;
        }
        const mail = server.got.at(-1) ?? { to: [], source: "" };
        expect(mail.to).toEqual(["ada@example.com", "cy@example.com"]);
        const own = server.commands.slice(commands).map((command) => command.slice(0, 4).toUpperCase());
        expect(own.filter((verb) => verb !== "EHLO")).toEqual(["MAIL", "RCPT", "RCPT", "DATA"]);
        const parsed = await PostalMime.parse(Buffer.from(mail.source.replaceAll("\r\n..", "\r\n."), "latin1"));
        expect(parsed.headers.map(({ key }) => key).filter((key) => !HEADERS.has(key))).toEqual([]);
        expect(parsed.headers.filter(({ key }) => key === "to")).toHaveLength(1);
        expect(parsed.bcc).toBeUndefined();
        expect(parsed.attachments).toHaveLength(1);
      },
    ),
    { numRuns: runs },
  );
});

test("templates are filled from the registry's bodies, without being asked to", async () => {
  const { got, port } = await scriptedServer();
  const templates = registryOf();
  const bodies = { html: () => "<p>{{order.number}}: {{total}}</p>", text: () => "{{{order.number}}}: {{{total}}}" };
  const withBodies = {
    ...templates,
    templates: { ...templates.templates, receipt: { ...templates.templates.receipt, bodies: async () => bodies } },
  };
  const options = { transport: smtp({ host: "127.0.0.1", port }), domain: "example.test", from: "shop" };
  const own = createMailer<TemplateVariables>({ ...options, templates: withBodies });
  onTestFinished(() => own.close());
  await own.send("receipt", { order: { number: "7 & 8", total: 3 } }, { to: "ada@example.com" });
  const parsed = await PostalMime.parse(got[0]?.source ?? "");
  expect(parsed).toMatchObject({ subject: "Order 7 & 8", text: "7 & 8: €3.00", html: "<p>7 &amp; 8: €3.00</p>\n" });

  const variables = { order: { number: "7", total: 3 } };
  const bare = createMailer<TemplateVariables>({ ...options, templates });
  onTestFinished(() => bare.close());
  expect(await failureOf(bare.send("receipt", variables, { to: "ada@example.com" }))).toMatchObject({
    problems: [
      {
        path: "template",
        message: "can't be sent by SMTP, because the registry has no bodies. Run: templates types --bodies",
      },
    ],
  });
  expect(await failureOf(own.send("receipt", variables, { to: "ada@example.com", render: "template" }))).toMatchObject({
    problems: [{ path: "render", message: 'is "template", but no service fills templates that are sent by SMTP' }],
  });
  expect(got).toHaveLength(1);
});
