import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterAll, expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import { logEntrySchema, logListResponse } from "../../src/api/contract/v4/logs.js";
import { frozenClock } from "../../src/service/index.js";
import { type Api, refusal, startApi, temporaryFolder } from "./harness.js";
import { version3 } from "./version-3.js";

const outbound = "/domains/example.test/emails/outbound";
const plain = { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hello" };

const shared = startApi({}, afterAll);

function base64(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64");
}

async function send(api: Api, mail: object) {
  const answer = await api.post(outbound, mail);
  expect(answer.text).toContain("message_id");
  const { id, message_id: messageId } = answer.read(outboundEmailResponse);
  const source = Buffer.from((await api.service.mail.open(id))?.source ?? []);
  return { id, messageId, source: source.toString("utf8"), parsed: await PostalMime.parse(source) };
}

async function logOf(api: Api) {
  return (await api.get("/domains/example.test/logs?order=created_asc")).read(logListResponse).logs;
}

test("an email is logged once per recipient and stored in RFC 5322 format", async () => {
  const api = await startApi({ clock: frozenClock(Date.parse("2026-11-20T10:00:00Z")) });
  const { id, messageId, source, parsed } = await send(api, {
    from: "receipts",
    to: ["Ada Lovelace <ada@example.com>", '"Babbage, Charles" <charles@example.com>'],
    cc: "grace@example.org",
    bcc: ["archive@example.com", "ADA@example.com"],
    reply_to: "Support <support@example.test>",
    subject: "Grüße",
    text: "Hällo",
    html: "<p>Hällo</p>",
  });

  expect(messageId).toMatch(/^<[^<>@\s]+@example\.test>$/);
  expect(parsed).toMatchObject({
    messageId,
    subject: "Grüße",
    from: { address: "receipts@example.test" },
    to: [
      { name: "Ada Lovelace", address: "ada@example.com" },
      { name: "Babbage, Charles", address: "charles@example.com" },
    ],
    cc: [{ address: "grace@example.org" }],
    replyTo: [{ name: "Support", address: "support@example.test" }],
    date: "2026-11-20T10:00:00.000Z",
  });
  expect(parsed.text?.trimEnd()).toBe("Hällo");
  expect(parsed.html?.trimEnd()).toBe("<p>Hällo</p>");
  expect(source).not.toMatch(/^bcc:|archive@/im);
  expect(source.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);

  const logs = await logOf(api);
  expect(logs.map(({ recipient }) => recipient)).toEqual([
    { email: "ada@example.com", name: "Ada Lovelace" },
    { email: "charles@example.com", name: "Babbage, Charles" },
    { email: "grace@example.org", name: null },
    { email: "archive@example.com", name: null },
  ]);
  expect(logs[0]?.id).toBe(id);
  for (const entry of logs) {
    expect(entry).toMatchObject({ message_id: messageId, subject: "Grüße", transport: "api", forward: null });
    expect(entry.sender).toEqual({ email: "receipts@example.test", name: null });
    expect(entry.id).toMatch(/^\d+\.[0-9a-f]+$/);
    expect(entry.events.map(({ status }) => status)).toEqual(["QUEUED", "DELIVERED"]);
  }
  expect((await api.get(`/domains/example.test/logs/${id}`)).read(logEntrySchema)).toEqual(logs[0]);
});

test("a template is rendered: HTML is escaped, text and subject are not, and the request's own bodies are ignored", async () => {
  const api = await shared;
  await api.post("/domains/example.test/templates", {
    name: "receipt",
    subject: "Receipt for {{name}}",
    html_body: "<p>{{name}}: {{#items}}[{{.}}]{{/items}}</p>",
    text_body: "{{name}}: {{#items}}[{{.}}]{{/items}}",
  });
  const variables = { name: "<O'Neil & Söhne>", items: ["a", "b"] };
  const mail = { from: "r", to: "ada@example.com", template: "receipt", text: "ignored", html: "ignored" };

  const own = await send(api, { ...mail, variables });
  expect(own.parsed.subject).toBe("Receipt for <O'Neil & Söhne>");
  expect(own.parsed.text?.trim()).toBe("<O'Neil & Söhne>: [a][b]");
  expect(own.parsed.html).toContain("&lt;O&#39;Neil &amp; Söhne&gt;: [a][b]");
  expect(own.source).not.toContain("ignored");

  const overridden = await send(api, { ...mail, subject: "For {{name}}!", variables: { name: "A & B" } });
  expect(overridden.parsed.subject).toBe("For A & B!");
  const unfilled = await send(api, mail);
  expect(unfilled.parsed.text?.trim()).toBe(":");
});

test("without a template only the subject is Mustache, and variables are not used", async () => {
  const api = await shared;
  const { parsed } = await send(api, {
    ...plain,
    subject: "Hi {{name}}!",
    text: "Hi {{name}}",
    variables: { name: "Ada" },
  });
  expect(parsed.subject).toBe("Hi !");
  expect(parsed.text?.trim()).toBe("Hi {{name}}");
});

test("a value with line breaks cannot start a header", async () => {
  const api = await shared;
  await api.post("/domains/example.test/templates", { name: "t", subject: "Hi {{name}}", text_body: "Hi" });
  const { parsed } = await send(api, {
    from: "a",
    to: "b@example.com",
    template: "t",
    variables: { name: "Ada\r\nBcc: evil@example.com" },
  });
  expect(parsed.subject).toBe("Hi Ada Bcc: evil@example.com");
  expect(parsed.headers.map(({ key }) => key)).not.toContain("bcc");
});

test("attachments arrive unchanged, with inline images next to the HTML", async () => {
  const api = await shared;
  const bytes = Uint8Array.from({ length: 4_096 }, (_, index) => index % 251);
  const { parsed, source } = await send(api, {
    ...plain,
    html: '<img src="cid:logo">',
    attachments: [
      { filename: "data.bin", content: base64(bytes), content_type: "application/x-test; version=1" },
      { filename: "Rechnung März.pdf", content: base64("%PDF-1.7") },
      { filename: "logo.png", content: base64("png"), content_id: "<logo>" },
    ],
  });
  const byName = new Map(parsed.attachments.map((attachment) => [attachment.filename, attachment]));
  const content = byName.get("data.bin")?.content;
  expect(content instanceof ArrayBuffer && new Uint8Array(content)).toEqual(bytes);
  expect(byName.get("data.bin")?.mimeType).toBe("application/x-test");
  expect(byName.get("Rechnung März.pdf")).toMatchObject({ mimeType: "application/pdf", disposition: "attachment" });
  expect(byName.get("logo.png")).toMatchObject({ contentId: "<logo>", disposition: "inline", related: true });
  expect(source).toContain("multipart/related");
});

test("captured emails are also written as files", async () => {
  const data = await temporaryFolder();
  const api = await startApi({ data });
  const { id, source } = await send(api, { ...plain, html: "<p>Hi</p>" });
  const folder = join(data, "mail");
  await expect.poll(async () => (await readdir(folder)).sort()).toEqual([`${id}.eml`, `${id}.html`, `${id}.txt`]);
  expect(await readFile(join(folder, `${id}.eml`), "utf8")).toBe(source);
  expect(await readFile(join(folder, `${id}.html`), "utf8")).toBe("<p>Hi</p>");
  expect(await readFile(join(folder, `${id}.txt`), "utf8")).toBe("Hello");
});

const file = { filename: "a.txt", content: base64("a") };
const megabytes = (count: number) => base64(Buffer.alloc(count * 1024 * 1024));

/** A service with an empty log, and with templates that cannot be sent on their own. */
const refusing = startApi({}, afterAll).then(async (api) => {
  await api.post("/domains/example.test/templates", { name: "no-subject", text_body: "x" });
  await api.post("/domains/example.test/templates", { name: "no-body", subject: "x" });
  return api;
});

test.each([
  [{}, ["from", "to", "subject", "text"]],
  [{ ...plain, from: undefined }, ["from"]],
  [{ ...plain, from: "hello@example.test" }, ["from"]],
  [{ ...plain, from: "Ada <hello>" }, ["from"]],
  [{ ...plain, from: ["hello"] }, ["from"]],
  [{ ...plain, to: undefined }, ["to"]],
  [{ ...plain, to: [] }, ["to"]],
  [{ ...plain, to: "" }, ["to"]],
  [{ ...plain, to: { email: "ada@example.com" } }, ["to"]],
  [{ ...plain, to: "ada" }, ["to"]],
  [{ ...plain, to: "ada@localhost" }, ["to"]],
  [{ ...plain, to: "ada@127.0.0.1" }, ["to"]],
  [{ ...plain, to: "ada@example.com, bob@example.com" }, ["to"]],
  [{ ...plain, to: "ada@exa mple.com" }, ["to"]],
  [{ ...plain, to: "Ada\r\nBcc: x <ada@example.com>" }, ["to"]],
  [{ ...plain, to: ["ada@example.com", "no"] }, ["to"]],
  [{ ...plain, cc: "no" }, ["cc"]],
  [{ ...plain, bcc: ["no"] }, ["bcc"]],
  [{ ...plain, reply_to: "no" }, ["reply_to"]],
  [{ ...plain, reply_to: ["ada@example.com"] }, ["reply_to"]],
  [{ ...plain, subject: undefined }, ["subject"]],
  [{ ...plain, subject: "" }, ["subject"]],
  [{ ...plain, subject: "{{#open}}" }, ["subject"]],
  [{ ...plain, text: undefined }, ["text"]],
  [{ ...plain, text: "", html: "" }, ["text"]],
  [{ ...plain, template: "no-subject", subject: undefined }, ["subject"]],
  [{ ...plain, template: "no-body" }, ["text"]],
  [{ ...plain, variables: ["a"] }, ["variables"]],
  [{ ...plain, variables: "a" }, ["variables"]],
  [{ ...plain, variables: null }, ["variables"]],
  [{ ...plain, attachments: file }, ["attachments"]],
  [{ ...plain, attachments: ["a"] }, ["attachments"]],
  [{ ...plain, attachments: [{ content: file.content }] }, ["attachments"]],
  [{ ...plain, attachments: [{ filename: " ", content: file.content }] }, ["attachments"]],
  [{ ...plain, attachments: [{ filename: "a.txt" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ filename: "a.txt", content: "" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ filename: "a.txt", content: "YQ" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ filename: "a.txt", content: "YQ==\n" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ filename: "a.txt", content: "Y-_=" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, content_type: "text" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, content_type: "text/plain\r\nX: y" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, content_type: "multipart/mixed" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, content_id: "a b" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, filename: "a.exe" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, filename: "A.TXT.Js" }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, filename: "a.scr. ." }] }, ["attachments"]],
  [{ ...plain, attachments: [{ ...file, filename: "a\r\n.txt" }] }, ["attachments"]],
  [{ ...plain, attachments: Array.from({ length: 26 }, () => file) }, ["attachments"]],
])("an invalid email is refused: %.150j", async (mail, fields) => {
  const api = await refusing;
  expect(refusal(await api.post(outbound, mail))).toMatchObject({ status: 400, fields });
  expect(await logOf(api)).toEqual([]);
  expect(api.service.mail.list()).toEqual([]);
});

test("25 attachments and 10 MB are accepted, one byte more is refused", async () => {
  const api = await shared;
  const accepted = async (mail: object) => expect((await api.post(outbound, mail)).status).toBe(200);
  await accepted({ ...plain, attachments: Array.from({ length: 25 }, () => file) });
  const five = { filename: "five.bin", content: megabytes(5) };
  await accepted({ ...plain, attachments: [five, five] });
  expect(refusal(await api.post(outbound, { ...plain, attachments: [five, five, file] }))).toEqual({
    status: 400,
    message: "attachments may have at most 10 MB in total",
    fields: ["attachments"],
  });
});

test("each invalid attachment and address is reported once, with its place", async () => {
  const api = await shared;
  const answer = await api.post(outbound, {
    ...plain,
    to: ["one", "ada@example.com", "two"],
    attachments: [file, { filename: "b.exe", content: "*" }, { filename: 7, content: "YQ==" }],
  });
  expect(answer.readError().errors).toEqual({ attachments: ["attachments[2].filename must be a string"] });
  const parsed = await api.post(outbound, {
    ...plain,
    to: ["one", "ada@example.com", "two"],
    attachments: [file, { filename: "b.exe", content: "*" }],
  });
  expect(parsed.readError().errors).toEqual({
    to: ['to has an invalid address: "one"', 'to has an invalid address: "two"'],
    attachments: [
      "attachments[1].filename has the extension exe, which is blocked",
      "attachments[1].content is not valid base64",
    ],
  });
});

test("a banned domain can't send in either version, whatever its DNS", async () => {
  const api = await startApi({ seed: { domains: [{ name: "example.test", banned: true, sendReady: true }] } });
  const message = "The domain is banned and can't send.";
  expect(refusal(await api.post(outbound, plain))).toEqual({ status: 403, message, fields: [] });
  const v3 = await version3(api).post(outbound, plain);
  expect([v3.status, JSON.parse(v3.text)]).toEqual([403, { success: false, message, errors: {} }]);
  expect(api.service.mail.list()).toEqual([]);
});

test("sending is refused without permission, and for unknown domains and templates", async () => {
  const domains = [
    { name: "ready.test", sendReady: true },
    { name: "unready.test", sendReady: false },
  ] as const;
  const paid = await startApi({ seed: { apiKey: "local", plan: "paid", domains: [...domains] } });
  expect(refusal(await paid.post("/domains/unready.test/emails/outbound", plain))).toEqual({
    status: 403,
    message: "The domain's DNS is not configured for sending.",
    fields: [],
  });
  expect(refusal(await paid.post("/domains/other.test/emails/outbound", plain))).toMatchObject({ status: 404 });
  expect(refusal(await paid.post("/domains/ready.test/emails/outbound", { ...plain, template: "none" }))).toEqual({
    status: 404,
    message: "There is no template with this name on the domain.",
    fields: [],
  });
  const free = await startApi({ seed: { apiKey: "local", plan: "free", domains: [...domains] } });
  expect(refusal(await free.post("/domains/ready.test/emails/outbound", plain))).toMatchObject({
    status: 403,
    fields: [],
  });
});
