import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import { type Api, refusal, startApi } from "./harness.js";

const domain = "/domains/example.test";
const outbound = `${domain}/emails/outbound`;
const plain = { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hello" };
const fromTemplate = { from: "hello", to: "ada@example.com", template: "mail" };

async function startWithTemplate(template: object): Promise<Api> {
  const api = await startApi();
  expect((await api.post(`${domain}/templates`, { name: "mail", subject: "Hi", ...template })).status).toBe(200);
  return api;
}

const hundred = Array.from({ length: 100 }, () => 1);
const bomb = `${"{{#a}}".repeat(6)}x${"{{/a}}".repeat(6)}`;

test.each([
  [{ text_body: bomb }, { a: hundred }, "variables make text_body take more than 500000 steps to fill"],
  [{ html_body: bomb }, { a: hundred }, "variables make html_body take more than 500000 steps to fill"],
  [{ subject: bomb, text_body: "x" }, { a: hundred }, "variables make subject longer than 998 characters"],
  [
    { text_body: "{{a}}".repeat(20_000) },
    { a: "y".repeat(100_000) },
    "variables make text_body longer than 2000000 characters",
  ],
  [{ html_body: "{{a}}" }, { a: "&".repeat(2_000_000) }, "variables make html_body longer than 2000000 characters"],
])(
  "a template that multiplies its output is refused, and no other request waits for it",
  async (template, variables, message) => {
    const api = await startWithTemplate(template);
    const before = performance.now();
    const refused = api.post(outbound, { ...fromTemplate, variables });
    expect((await api.get("/account")).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(refusal(await refused)).toEqual({
      status: 400,
      message: expect.stringContaining(message),
      fields: ["variables"],
    });
    expect(api.service.mail.list()).toEqual([]);
  },
);

test("a subject and bodies of the maximum length are sent, one character more is refused", async () => {
  const api = await startWithTemplate({ text_body: "{{a}}" });
  const a = "y".repeat(2_000_000);
  expect((await api.post(outbound, { ...fromTemplate, variables: { a } })).status).toBe(200);
  expect((await api.post(outbound, { ...plain, subject: "y".repeat(998), html: a })).status).toBe(200);
  expect(refusal(await api.post(outbound, { ...plain, html: `${a}y` }))).toEqual({
    status: 400,
    message: "html may have at most 2000000 characters",
    fields: ["html"],
  });
  // Refused before it is parsed, which would take seconds.
  expect(refusal(await api.post(outbound, { ...plain, subject: "{{a}}".repeat(1_000_000) })).fields).toEqual([
    "subject",
  ]);
});

test.each([
  [{ ...plain, subject: "\ud800" }, "subject", "subject has invalid characters"],
  [{ ...plain, text: "a\udc00" }, "text", "text has invalid characters"],
  [{ ...plain, html: "\ud800<p>" }, "html", "html has invalid characters"],
  [{ ...plain, text: "\0" }, "text", "text has invalid characters"],
  [
    { ...plain, to: "A\ud800 <ada@example.com>" },
    "to",
    String.raw`to has an invalid address: "A\ud800 <ada@example.com>"`,
  ],
  [{ ...plain, reply_to: '"\udc00" <ada@example.com>' }, "reply_to", "reply_to has an invalid address"],
  [{ ...plain, cc: ["\ud800@example.com"] }, "cc", "cc has an invalid address"],
  [
    { ...plain, attachments: [{ filename: "a\ud800", content: "YQ==" }] },
    "attachments",
    "attachments[0].filename has invalid characters",
  ],
  [
    { ...plain, attachments: [{ filename: "a", content: "YQ==", content_type: 'text/plain; name="\ud800"' }] },
    "attachments",
    "attachments[0].content_type is not a valid content type",
  ],
  [
    { ...plain, attachments: [{ filename: "a", content: "YQ==", content_id: "\udc00" }] },
    "attachments",
    "attachments[0].content_id is not valid",
  ],
  [{ ...fromTemplate, variables: { a: "\ud83d" } }, "variables", "variables insert invalid characters into text_body"],
])("a lone surrogate is refused: %#", async (mail, field, message) => {
  const api = await startWithTemplate({ text_body: "{{a}}" });
  expect(refusal(await api.post(outbound, mail))).toEqual({
    status: 400,
    message: expect.stringContaining(message),
    fields: [field],
  });
});

test("halves of a pair that a template joins are valid", async () => {
  const api = await startWithTemplate({ text_body: "{{a}}{{b}}" });
  const answer = await api.post(outbound, { ...fromTemplate, variables: { a: "\ud83d", b: "\ude00" } });
  expect((await api.service.mail.open(answer.read(outboundEmailResponse).id))?.text).toBe("😀");
});

test("an empty template does not count as a body", async () => {
  const api = await startApi();
  expect((await api.post(outbound, { ...plain, template: "" })).status).toBe(200);
  expect(refusal(await api.post(outbound, { ...fromTemplate, template: "" })).fields).toEqual(["subject", "text"]);
});

test("values that are empty after filling count as missing", async () => {
  const api = await startWithTemplate({ subject: "{{a}}", text_body: "{{b}}", html_body: "{{c}}" });
  const sendWith = (variables: object) => api.post(outbound, { ...fromTemplate, variables });
  expect(refusal(await sendWith({ b: "x" }))).toEqual({
    status: 400,
    message: "subject is empty after filling",
    fields: ["subject"],
  });
  expect(refusal(await sendWith({ a: " ", c: "" })).fields).toEqual(["subject", "text"]);
  const answer = await sendWith({ a: "Hi", b: "x" });
  const mail = await api.service.mail.open(answer.read(outboundEmailResponse).id);
  expect(mail?.text).toBe("x");
  expect(mail?.html).toBeUndefined();
  expect(refusal(await api.post(outbound, { ...plain, subject: "{{a}}" })).fields).toEqual(["subject"]);
});

test("at most 2,000 recipients are accepted, and longer lists are refused as a whole", async () => {
  const api = await startApi();
  const people = (count: number, at: string) => Array.from({ length: count }, (_, index) => `u${index}@${at}`);
  const to = people(1_500, "example.com");
  expect((await api.post(outbound, { ...plain, to, cc: people(500, "example.org") })).status).toBe(200);
  expect(refusal(await api.post(outbound, { ...plain, to, cc: people(501, "example.org") }))).toEqual({
    status: 400,
    message: "to, cc and bcc may have at most 2000 addresses together",
    fields: ["to"],
  });
  const long = Array.from({ length: 300_000 }, () => ({}));
  const answer = await api.post(outbound, { ...plain, to: people(2_001, "example.com"), attachments: long });
  expect(answer.readError().errors).toEqual({
    to: ["to may have at most 2000 items"],
    attachments: ["attachments may have at most 25 items"],
  });
});
