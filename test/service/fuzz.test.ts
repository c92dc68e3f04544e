import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type Answer, credentials, startApi } from "./harness.js";

const long = process.env["MODE"] === "long";
const numRuns = long ? 20_000 : 150;
vi.setConfig({ testTimeout: long ? 600_000 : 30_000 });
const documented = new Set([200, 204, 400, 401, 403, 404]);

/** Any answer that the document has; a refusal in its one form. */
function expectDocumented(answer: Answer): void {
  expect(documented).toContain(answer.status);
  if (answer.status >= 400) answer.readError();
}

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("{{a}}", "{{#a}}", "{{", "a@b.de", "ada@example.com", "receipt", "YQ==", ""),
);
const anyValue = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.array(anyText) },
);

function anyBody(fields: readonly string[]) {
  return fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...fields), anyValue).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"__proto__":{"a":1}}', '{"name":"a","name":"b"}', "[".repeat(5_000), '{"a":1e999}'),
    },
  );
}

const attachment = fc.record(
  { filename: anyValue, content: anyValue, content_type: anyValue, content_id: anyValue },
  { requiredKeys: [] },
);
const mail = fc.record(
  {
    from: fc.oneof(fc.constant("hello"), anyValue),
    to: fc.oneof(fc.constant("ada@example.com"), anyValue),
    subject: anyValue,
    text: anyValue,
    html: anyValue,
    template: fc.oneof(fc.constant("receipt"), anyValue),
    variables: fc.oneof(fc.dictionary(fc.constantFrom("a", "b", "__proto__"), fc.jsonValue()), anyValue),
    cc: anyValue,
    bcc: anyValue,
    reply_to: anyValue,
    attachments: fc.oneof(fc.array(attachment), anyValue),
  },
  { requiredKeys: ["from", "to"] },
);

const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "account",
      "domains",
      "example.test",
      "templates",
      "receipt",
      "logs",
      "count",
      "search",
      "emails",
      "outbound",
    ),
  },
  { weight: 1, arbitrary: fc.string().map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%00", "%2f", "..", "a%5Cb") },
);
const parameter = fc.constantFrom(
  "query",
  "limit",
  "page",
  "order",
  "cursor",
  "offset",
  "status",
  "transport",
  "after",
  "before",
  "sender",
  "recipient",
  "send_ready",
  "whitelabel",
);
const parameterValue = fc.oneof(
  anyText,
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.constantFrom(
    "null",
    "created_asc",
    "2026-11-20T10:00:00Z",
    "QUEUED,",
    "275760-09-13T00:00:00Z",
    "+010000-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
  ),
);

/** What can be sent as UTF-8 at all. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function asQuery(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map((pair) => pair.map((part) => encodeURIComponent(wellFormed(part))).join("=")).join("&");
}

test("random paths, methods and queries get a documented answer", async () => {
  const api = await startApi();
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.array(segment, { maxLength: 6 }),
      fc.array(fc.tuple(parameter, parameterValue), { maxLength: 5 }),
      async (anyMethod, segments, query) => {
        const search = asQuery(query);
        const headers = { authorization: credentials("local") };
        expectDocumented(await api.request(`/v4/${segments.join("/")}?${search}`, { method: anyMethod, headers }));
      },
    ),
    { numRuns },
  );
});

test("random queries of what exists get a documented answer", async () => {
  const api = await startApi();
  await api.post("/domains/example.test/emails/outbound", { from: "a", to: "b@example.com", subject: "Hi", text: "x" });
  const path = fc.constantFrom(
    "/domains",
    "/domains/example.test/logs",
    "/domains/example.test/logs/count",
    "/domains/example.test/logs/search",
  );
  await fc.assert(
    fc.asyncProperty(
      path,
      fc.array(fc.tuple(parameter, parameterValue), { minLength: 1, maxLength: 4 }),
      async (anyPath, query) => {
        const search = asQuery(query);
        expectDocumented(await api.get(`${anyPath}?${search}`));
      },
    ),
    { numRuns },
  );
});

test.each([
  ["POST", "/domains/example.test/templates", ["name", "description", "subject", "html_body", "text_body"]],
  ["PUT", "/domains/example.test/templates/receipt", ["name", "description", "subject", "html_body", "text_body"]],
  [
    "POST",
    "/domains/example.test/emails/outbound",
    ["from", "to", "subject", "text", "html", "template", "variables", "cc", "attachments"],
  ],
])("random bodies of %s %s get a documented answer", async (anyMethod, path, fields) => {
  const api = await startApi();
  await api.post("/domains/example.test/templates", {
    name: "receipt",
    subject: "{{a}}",
    html_body: "{{#a}}{{b}}{{/a}}",
  });
  const headers = { authorization: credentials("local"), "content-type": "application/json" };
  await fc.assert(
    fc.asyncProperty(anyBody(fields), async (body) => {
      expectDocumented(await api.request(`/v4${path}`, { method: anyMethod, headers, body: wellFormed(body) }));
    }),
    { numRuns },
  );
});

test("random mails get a documented answer, and what was accepted can be opened", async () => {
  const api = await startApi();
  await api.post("/domains/example.test/templates", {
    name: "receipt",
    subject: "{{a}}!",
    html_body: "{{#a}}{{b}}{{/a}}.",
    text_body: "{{&a}}.",
  });
  await fc.assert(
    fc.asyncProperty(mail, async (body) => {
      const answer = await api.post("/domains/example.test/emails/outbound", body);
      expectDocumented(answer);
      if (answer.status !== 200) return;
      const [newest] = api.service.mail.list({ limit: 1 });
      const opened = newest && (await api.service.mail.open(newest.id));
      expect(opened?.headers.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["From", "To", "Message-ID", "Date"]),
      );
      expect((await api.request(`/mail/${newest?.id}`)).status).toBe(200);
    }),
    { numRuns },
  );
});
