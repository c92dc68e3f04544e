import { expect, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import {
  ContractError,
  isForbidden,
  isInvalid,
  isNotFound,
  isRateLimited,
  isUnauthorized,
  ServiceError,
} from "../../src/api/errors.js";
import { ConfigurationError } from "../../src/errors.js";
import { answerJson, clientOf, rejection, serve } from "./servers.js";
import { account, domain, logEntry, template } from "./shapes.js";

test("sends Basic credentials with every request, and the JSON type with bodies", async () => {
  const { url, seen } = await serve((_, response) => answerJson(response, 200, { template }));
  const client = clientOf(url, { apiKey: "key:with ünicode" });
  await client.templates.get("example.com", "receipt");
  await client.templates.update("example.com", "receipt", { subject: "Grüße" });
  const authorization = `Basic ${Buffer.from("api:key:with ünicode").toString("base64")}`;
  expect(seen).toMatchObject([
    { method: "GET", url: "/v4/domains/example.com/templates/receipt", headers: { authorization }, body: "" },
    {
      method: "PUT",
      url: "/v4/domains/example.com/templates/receipt",
      headers: { authorization, "content-type": "application/json" },
      body: '{"subject":"Grüße"}',
    },
  ]);
  expect(seen[0]?.headers["content-type"]).toBeUndefined();
});

test("makes the documented requests, and returns the content of the answers", async () => {
  const { id } = logEntry;
  const answers: Record<string, unknown> = {
    "GET /v4/account": { account },
    "GET /v4/domains/example.com": { domain },
    "GET /v4/domains/example.com/templates": { templates: [template] },
    "GET /v4/domains/example.com/templates/receipt": { template },
    "POST /v4/domains/example.com/templates": { template },
    "PUT /v4/domains/example.com/templates/receipt": { template },
    "POST /v4/domains/example.com/emails/outbound": { id, message_id: "<1@example.com>" },
    "GET /v4/domains/example.com/logs/count?transport=api&status=BOUNCED%2CREFUSED": { total: 7 },
    [`GET /v4/domains/example.com/logs/${id}`]: logEntry,
  };
  const { url, seen } = await serve(({ method, url: target }, response) => {
    if (method === "DELETE") response.writeHead(204).end();
    else if (`${method} ${target}` in answers) answerJson(response, 200, answers[`${method} ${target}`]);
    else answerJson(response, 404, { message: `${method} ${target} is not in the document`, errors: {} });
  });
  const client = clientOf(url);
  const { html_body: _html, text_body: _text, ...summary } = template;

  expect(await client.account.get()).toEqual(account);
  expect(await client.domains.get("example.com")).toEqual(domain);
  expect(await client.templates.list("example.com")).toEqual([summary]);
  expect(await client.templates.get("example.com", "receipt")).toEqual(template);
  expect(await client.templates.create("example.com", { name: "receipt" })).toEqual(template);
  expect(await client.templates.update("example.com", "receipt", { name: "invoice" })).toEqual(template);
  expect(await client.templates.delete("example.com", "receipt")).toBeUndefined();
  expect(
    await client.emails.send("example.com", { from: "receipts", to: "ada@example.org", template: "receipt" }),
  ).toEqual({ id, message_id: "<1@example.com>" });
  expect(await client.logs.count("example.com", { status: ["BOUNCED", "REFUSED"], transport: "api" })).toBe(7);
  expect(await client.logs.get("example.com", id)).toEqual(logEntry);
  expect(seen).toHaveLength(10);
});

test("reads a list of domains page by page", async () => {
  const names = Array.from({ length: 5 }, (_, i) => `d${i}.example.com`);
  const { url, seen } = await serve(({ url: target }, response) => {
    const query = new URL(target, "http://service").searchParams;
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    const domains = names.slice((page - 1) * limit, page * limit).map((name) => ({ ...domain, domain: name }));
    answerJson(response, 200, { domains, total: names.length, limit, page });
  });
  const read: string[] = [];
  for await (const found of clientOf(url).domains.list({ limit: 2, sendReady: true, whitelabel: null }))
    read.push(found.domain);
  expect(read).toEqual(names);
  expect(seen.map((request) => request.url)).toEqual(
    [1, 2, 3].map((page) => `/v4/domains?limit=2&page=${page}&send_ready=true&whitelabel=null`),
  );
});

test("reads a log from cursor to cursor, only as far as it is iterated", async () => {
  const entries = Array.from({ length: 6 }, (_, i) => ({ ...logEntry, id: `170000000${i}.ab` }));
  const { url, seen } = await serve(({ url: target }, response) => {
    const cursor = new URL(target, "http://service").searchParams.get("cursor");
    const start = cursor === null ? 0 : entries.findIndex(({ id }) => id === cursor);
    answerJson(response, 200, {
      logs: entries.slice(start, start + 2),
      limit: 2,
      cursor,
      next_cursor: entries[start + 2]?.id ?? null,
    });
  });
  const client = clientOf(url);
  const read: string[] = [];
  for await (const { id } of client.logs.list("example.com", { limit: 2 })) read.push(id);
  expect(read).toEqual(entries.map(({ id }) => id));
  expect(seen).toHaveLength(3);

  for await (const { id } of client.logs.list("example.com")) if (id === entries[1]?.id) break;
  expect(seen).toHaveLength(4);
});

test("reads search results from offset to offset", async () => {
  const { url, seen } = await serve(({ url: target }, response) => {
    const offset = Number(new URL(target, "http://service").searchParams.get("offset"));
    answerJson(response, 200, {
      logs: [{ ...logEntry, id: `170000000${offset}.ab` }],
      limit: 1,
      offset,
      total: 3,
      next_offset: offset < 2 ? offset + 1 : null,
    });
  });
  let read = 0;
  for await (const _ of clientOf(url).logs.search("example.com", "recipt", { limit: 1, status: "DELIVERED" }))
    read += 1;
  expect(read).toBe(3);
  expect(seen[0]?.url).toBe("/v4/domains/example.com/logs/search?limit=1&offset=0&status=DELIVERED&query=recipt");
});

test.each([
  [401, isUnauthorized],
  [403, isForbidden],
  [404, isNotFound],
  [429, isRateLimited],
])("keeps the status and the service's message for a %i", async (status, guard) => {
  const { url } = await serve((_, response) => answerJson(response, status, { message: "So it is.", errors: {} }));
  const client = clientOf(url, { retries: 0 });
  const error = await rejection(client.templates.get("example.com", "receipt"));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: "refused",
    status,
    serviceMessage: "So it is.",
    fieldErrors: {},
    method: "GET",
    path: "/domains/example.com/templates/receipt",
    message: `The service answered ${status} to GET /domains/example.com/templates/receipt: So it is.`,
  });
  expect([isUnauthorized, isForbidden, isNotFound, isRateLimited, isInvalid].filter((is) => is(error))).toEqual([
    guard,
  ]);
});

test("keeps the messages of each field of a failed validation", async () => {
  const errors = { name: ["name already taken"], subject: ["too long", "not text"] };
  const { url } = await serve((_, response) => answerJson(response, 400, { message: "name already taken", errors }));
  const error = await rejection(clientOf(url).templates.create("example.com", { name: "receipt" }));
  expect(error).toMatchObject({ status: 400, serviceMessage: "name already taken", fieldErrors: errors });
  expect(isInvalid(error)).toBe(true);
});

test("replaces control characters in a refusal by spaces", async () => {
  const errors = { "na\u0007me": ["too\r\nlong"] };
  const { url } = await serve((_, response) =>
    answerJson(response, 400, { message: "a\r\nFAKE LOG LINE\u001b[31m", errors }),
  );
  const error = await rejection(clientOf(url).account.get());
  expect(error).toMatchObject({
    serviceMessage: "a FAKE LOG LINE [31m",
    fieldErrors: { "na me": ["too long"] },
    message: expect.not.stringMatching(/\p{Cc}/u),
  });
});

test("reports the status of a refusal in an undocumented format", async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>Bad gateway</h1></html>"),
  );
  expect(await rejection(clientOf(url, { retries: 0 }).account.get())).toMatchObject({
    status: 502,
    serviceMessage: "Bad Gateway",
    fieldErrors: {},
  });
});

test("has the time to retry for a rate limit", async () => {
  const now = Math.floor(Date.parse("2026-11-20T10:00:00Z") / 1000);
  const limits = { "x-ratelimit-limit": "30", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now + 42) };
  const { url } = await serve(({ url: target }, response) => {
    const retryAfter: Record<string, string> = target.includes("/a/")
      ? { "retry-after": "17" }
      : { date: new Date(now * 1000).toUTCString() };
    answerJson(response, 429, { message: "Too many requests", errors: {} }, { ...limits, ...retryAfter });
  });
  const client = clientOf(url, { retries: 0, pacing: false });
  const rateLimit = { limit: 30, remaining: 0, reset: now + 42 };
  expect(await rejection(client.templates.list("a"))).toMatchObject({ status: 429, retryAfterSeconds: 17, rateLimit });
  expect(await rejection(client.templates.list("b"))).toMatchObject({ status: 429, retryAfterSeconds: 42, rateLimit });
});

test("reads a 503's time to retry as a date of the service's own clock", async () => {
  const date = "Fri, 20 Nov 2026 10:00:00 GMT";
  const { url } = await serve((_request, response) =>
    answerJson(response, 503, {}, { date, "retry-after": "Fri, 20 Nov 2026 10:00:20 GMT", "x-ratelimit-reset": "1" }),
  );
  const client = clientOf(url, { retries: 0 });
  expect(await rejection(client.account.get())).toMatchObject({ status: 503, retryAfterSeconds: 20 });
});

test.each([
  ["malformed JSON", 200, '{"template":', "it is not JSON"],
  ["a page of HTML", 200, `<html>${"x".repeat(1000)}</html>`, "it is not JSON"],
  ["nothing", 200, "", "it is not JSON"],
  ["a property of the wrong type", 200, JSON.stringify({ template: { ...template, name: 7 } }), "template.name"],
  ["a missing property", 200, "{}", "template"],
  ["a redirect", 302, "", "its status is 302"],
])("reports a contract violation for %s, and keeps the beginning", async (_, status, body, problem) => {
  const { url } = await serve((_request, response) => response.writeHead(status).end(body));
  const error = await rejection(clientOf(url).templates.get("example.com", "receipt"));
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ code: "contract", status, bodyStart: body.slice(0, 500) });
  expect(String(error)).toContain(problem);
});

test.each([
  [
    "another host",
    "https://mail.example.com/v4/domains/example.com/templates/receipt?token=hunter2#top",
    "https://mail.example.com/v4/domains/example.com/templates/receipt",
    "set `url` (or `baseUrl` of createClient) to https://mail.example.com.",
  ],
  [
    "a folder of another host, with a password",
    "https://ada:hunter2@mail.example.com/api/v4/domains/example.com/templates/receipt/",
    "https://mail.example.com/api/v4/domains/example.com/templates/receipt/",
    "set `url` (or `baseUrl` of createClient) to https://mail.example.com/api.",
  ],
  [
    "a page to log in",
    "/login?next=hunter2",
    "URL/login",
    "Check that URL/v4/domains/example.com/templates/receipt is the right URL",
  ],
  [
    "itself",
    "/v4/domains/example.com/templates/receipt/",
    "URL/v4/domains/example.com/templates/receipt/",
    "Check that URL/v4/",
  ],
  ["the key", "https://mail.example.com/key-of-the-test", "https://mail.example.com/[key]", "Check that URL/v4/"],
])("does not follow a redirect to %s, and says where it leads", async (_, location, shown, hint) => {
  const { url, seen } = await serve((_request, response) => response.writeHead(308, { location }).end());
  const client = clientOf(url);
  for (const call of [
    () => client.templates.get("example.com", "receipt"),
    () => client.templates.update("example.com", "receipt", { description: "" }),
    () => client.templates.delete("example.com", "receipt"),
  ]) {
    const error = await rejection(call());
    expect(error).toMatchObject({
      code: "contract",
      status: 308,
      hint: expect.stringContaining(hint.replace("URL/", `${url}/`)),
    });
    expect(String(error)).toContain(`it redirects to ${shown.replace("URL/", `${url}/`)} (status 308).`);
    expect(JSON.stringify(error) + String(error)).not.toContain("hunter2");
  }
  expect(seen).toHaveLength(3);
});

test("accepts a deletion only with 204", async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(200).end("<html>Please log in to the guest network</html>"),
  );
  expect(await rejection(clientOf(url).templates.delete("example.com", "receipt"))).toMatchObject({
    code: "contract",
    status: 200,
  });
});

test("drops undocumented properties, and reads unset fields as empty", async () => {
  const { name, created_at, updated_at } = template;
  const { url } = await serve((_, response) =>
    answerJson(response, 200, { template: { name, created_at, updated_at, subject: null, added_in_2027: true } }),
  );
  expect(await clientOf(url).templates.get("example.com", name)).toEqual({
    name,
    description: "",
    subject: "",
    html_body: "",
    text_body: "",
    created_at,
    updated_at,
  });
});

test("encodes names as one segment of the path", async () => {
  const { url, seen } = await serve((_, response) => answerJson(response, 200, { template }));
  const client = clientOf(url);
  await client.templates.get("bücher.example", "../a/b?c#d%20");
  expect(seen[0]?.url).toBe("/v4/domains/b%C3%BCcher.example/templates/..%2Fa%2Fb%3Fc%23d%2520");
  for (const name of ["", ".", ".."])
    await expect(client.templates.get("example.com", name)).rejects.toThrow(TypeError);
  expect(seen).toHaveLength(1);
});

test.each([
  ["", "/v4/account"],
  ["/", "/v4/account"],
  ["///", "/v4/account"],
  ["/v4", "/v4/account"],
  ["/mail/api/", "/mail/api/v4/account"],
  ["/v3x", "/v3x/v4/account"],
])("accepts a base URL that ends in %j", async (end, target) => {
  const { url, seen } = await serve((_, response) => answerJson(response, 200, { account }));
  await clientOf(url + end).account.get();
  expect(seen[0]?.url).toBe(target);
});

test.each([
  "",
  "api.example.com",
  "ftp://example.com",
  "https://user:secret@example.com",
  "https://example.com/?key=secret",
  "https://example.com/#a",
  "https://example.com/v3/",
])("refuses %j as a base URL", (baseUrl) => {
  const error = thrown(() => createClient({ apiKey: "key-of-the-test", baseUrl }));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(String(error)).not.toContain("secret");
});

test.each([
  "http://mail.example.com",
  "http://mail:4680",
  "http://10.0.0.7",
  "http://[2001:db8::1]:4680",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
])("does not send the key to %s unencrypted unless that is allowed", (baseUrl) => {
  const { host } = new URL(baseUrl);
  const error = thrown(() => createClient({ apiKey: "key-of-the-test", baseUrl }));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({
    message: `http://${host} would receive the API key unencrypted.`,
    hint: expect.stringContaining("`allowInsecure: true`"),
  });
  expect(() => createClient({ apiKey: "key-of-the-test", baseUrl, allowInsecure: true })).not.toThrow();
  expect(() => createClient({ apiKey: "key-of-the-test", baseUrl, version: "v3", allowInsecure: true })).not.toThrow();
  // The local service's key is not secret: `http://mail:4680` is another container.
  expect(() => createClient({ apiKey: "local", baseUrl })).not.toThrow();
});

test.each([
  "https://mail.example.com",
  "http://localhost:4680",
  "http://LOCALHOST",
  "http://mail.localhost:4680",
  "http://127.0.0.1",
  "http://127.9.9.9:4680",
  "http://[::1]:4680",
])("needs no permission for %s", (baseUrl) => {
  expect(() => createClient({ apiKey: "key-of-the-test", baseUrl })).not.toThrow();
});

test("refuses an empty key and a timeout that timers don't support", async () => {
  const baseUrl = "https://api.example.com";
  expect(thrown(() => createClient({ apiKey: "", baseUrl }))).toBeInstanceOf(ConfigurationError);
  expect(thrown(() => createClient({ apiKey: "k", baseUrl, retries: 0.5 }))).toBeInstanceOf(ConfigurationError);
  expect(thrown(() => createClient({ apiKey: "k", baseUrl, timeoutMs: 2 ** 31 }))).toBeInstanceOf(ConfigurationError);
  expect(await rejection(createClient({ apiKey: "k", baseUrl }).account.get({ timeoutMs: Number.NaN }))).toBeInstanceOf(
    ConfigurationError,
  );
});

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

test("says where to look if the key is missing", () => {
  // @ts-expect-error -- like a missing variable of process.env
  expect(() => createClient({ apiKey: undefined, baseUrl: "http://127.0.0.1:1" })).toThrow("The API key is missing.");
});

test("limits the length of the service's message, and describes an empty answer", async () => {
  const { url } = await serve(({ method }, response) =>
    method === "GET"
      ? answerJson(response, 200, "x")
      : answerJson(response, 400, { message: "no ".repeat(1_000_000), errors: {} }),
  );
  const refused = await rejection(clientOf(url).domains.create({ domain: "example.com" }));
  expect(String(refused).length).toBeLessThan(3_000);
  expect(String(await rejection(clientOf(url).account.get()))).toContain("breaks its contract: Invalid input");
});
