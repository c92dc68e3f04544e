import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { Endpoint } from "../../src/api/contract/endpoint.js";
import { ENDPOINTS as ENDPOINTS_V3 } from "../../src/api/contract/v3/endpoints.js";
import { errorSchema as errorV3 } from "../../src/api/contract/v3/formats.js";
import { ENDPOINTS as ENDPOINTS_V4 } from "../../src/api/contract/v4/endpoints.js";
import { membersOf } from "../contract/members.js";
import { type Answer, type Api, credentials, startApi } from "./harness.js";
import { anyBody, anyText, anyValue, bodyOf, method, queryOf, segment, wellFormed } from "./nonsense.js";

const long = process.env["MODE"] === "long";
const numRuns = long ? 5_000 : 30;

const versions = [
  { version: "v4", endpoints: ENDPOINTS_V4 },
  { version: "v3", endpoints: ENDPOINTS_V3 },
] as const;

/** Checks that a response is documented, and that a refusal has the documented form. */
function expectDocumented(version: "v3" | "v4", answer: Answer): void {
  expect([200, 204, 207, 400, 401, 403, 404]).toContain(answer.status);
  if (answer.status < 400) return;
  if (version === "v4") answer.readError();
  else expect(answer.read(z.strictObject(errorV3.shape)).message).not.toBe("");
}

const shared = startApi({}, afterAll);

/**
 * The service with one of each resource, so that not every request is refused early. Resources that requests deleted
 * are restored.
 */
async function filled(): Promise<Api> {
  const api = await shared;
  const domain = "/domains/example.test";
  await api.post(`${domain}/templates`, { name: "receipt", subject: "{{a}}", html_body: "{{#a}}{{b}}{{/a}}" });
  await api.post(`${domain}/aliases`, { alias: "ada", forward: "ada@example.com" });
  const config = { alias: "ada", forward: "ada@example.com" };
  await api.post(`${domain}/rules`, { id: "3f2b8c1e-9a4d-4c7b-8e21-5d6f7a8b9c01", type: "alias", config });
  // Hashing a password takes longer than everything else.
  if (!(await api.get(`${domain}/credentials`)).text.includes('"ada"'))
    await api.post(`${domain}/credentials`, { username: "ada", password: "correct horse" });
  await api.post(`${domain}/emails/outbound`, { from: "a", to: "b@example.com", subject: "Hi", text: "x" });
  return api;
}

const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 12, arbitrary: fc.constant(credentials("local")) },
      { weight: 1, arbitrary: fc.constantFrom("Basic", "Basic !", "Bearer local", credentials("wrong")) },
    ),
    "content-type": fc.oneof(
      { weight: 12, arbitrary: fc.constant("application/json") },
      {
        weight: 1,
        arbitrary: fc.constantFrom("text/plain", "application/json; charset=latin1", "multipart/form-data"),
      },
    ),
    "x-http-method-override": fc.constantFrom("DELETE", ""),
    accept: fc.constantFrom("text/html", "*/*", "application/xml"),
  },
  { requiredKeys: ["authorization", "content-type"] },
);

/** Values for a parameter of a path, often of an existing resource. */
function parameterOf(endpoint: Endpoint, name: string) {
  const junk = fc.oneof(segment, fc.string().map(encodeURIComponent));
  // The domain is fixed: otherwise everything else would be a 404.
  if (name === "domain" && endpoint.id === "domains.delete") return junk;
  if (name === "domain")
    return fc.oneof({ weight: 20, arbitrary: fc.constant("example.test") }, { weight: 1, arbitrary: junk });
  const known = fc.constantFrom("1", "ada", "receipt", "3f2b8c1e-9a4d-4c7b-8e21-5d6f7a8b9c01", "1.0");
  return fc.oneof(known, junk);
}

function pathOf(endpoint: Endpoint): fc.Arbitrary<string> {
  const parts = endpoint.path.split("/").slice(1);
  return fc
    .tuple(...parts.map((part) => (part.startsWith(":") ? parameterOf(endpoint, part.slice(1)) : fc.constant(part))))
    .map((segments) => `/${segments.join("/")}`);
}

function requestTo(endpoint: Endpoint) {
  const names = endpoint.query ? membersOf(endpoint.query).map(({ path }) => path) : ["limit", "all"];
  const body = endpoint.body
    ? fc.oneof({ weight: 5, arbitrary: bodyOf(membersOf(endpoint.body)) }, { weight: 1, arbitrary: anyBody })
    : anyBody;
  return fc.record({ path: pathOf(endpoint), query: queryOf(names), body, headers });
}

for (const { version, endpoints } of versions) {
  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    `random requests to ${version} %s get a documented response`,
    async (_, endpoint) => {
      const api = await filled();
      await fc.assert(
        fc.asyncProperty(requestTo(endpoint), async (request) => {
          const init = {
            method: endpoint.method,
            headers: Object.fromEntries(Object.entries(request.headers)),
            ...(endpoint.method !== "GET" && { body: wellFormed(request.body) }),
          };
          expectDocumented(version, await api.request(`/${version}${request.path}?${request.query}`, init));
        }),
        { numRuns: long ? numRuns : 8 },
      );
    },
  );
}

test.each(["v3", "v4"] as const)(
  "random paths, methods and queries below %s get a documented response",
  async (version) => {
    const api = await filled();
    const names = ["query", "limit", "page", "order", "cursor", "offset", "all", "q"];
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.array(segment, { maxLength: 6 }),
        queryOf(names),
        async (anyMethod, segments, query) => {
          // With deleted domains, everything else would be a 404.
          fc.pre(!(anyMethod === "DELETE" && segments.length <= 2));
          const authorization = { authorization: credentials("local") };
          const path = `/${version}/${segments.join("/")}?${query}`;
          // Two dots may lead out of the version.
          fc.pre(new URL(path, api.service.url).pathname.startsWith(`/${version}/`));
          expectDocumented(version, await api.request(path, { method: anyMethod, headers: authorization }));
        },
      ),
      { numRuns },
    );
  },
);

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

test("random emails get a documented response, and accepted ones can be opened", async () => {
  const api = await filled();
  await fc.assert(
    fc.asyncProperty(mail, async (body) => {
      const answer = await api.post("/domains/example.test/emails/outbound", body);
      expectDocumented("v4", answer);
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

test("random keys are either refused or accepted", async () => {
  const api = await shared;
  await fc.assert(
    fc.asyncProperty(anyText, async (key) => {
      const answer = await api.request("/v4/account", { headers: { authorization: credentials(wellFormed(key)) } });
      expect(answer.status).toBe(key === "local" ? 200 : 401);
    }),
    { numRuns },
  );
});
