import * as fc from "fast-check";
import { expect, test } from "vitest";
import { errorSchema } from "../../src/api/contract/v3/formats.js";
import { anyString } from "../any-string.js";
import { type Answer, credentials, startApi } from "./harness.js";

const long = process.env["MODE"] === "long";
const numRuns = long ? 10_000 : 60;

const uuid = "0b7f3c1e-9a51-4c0e-8d5b-2f6f0d4a9c33";
const text = fc.oneof(
  fc.string(),
  anyString(),
  fc.constantFrom("", "1", "*", "a", "/a/", "a@b.de", "https://a.de/", "add", "update", "delete", "cel", "regex", uuid),
);
const pattern = fc.oneof(
  text,
  fc
    .array(
      fc.constantFrom(
        "a",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "*",
        "+",
        "?",
        "|",
        "^",
        "$",
        "\\",
        ".",
        ",",
        "1",
        '"',
        "&&",
        "==",
        " ",
        "`",
      ),
    )
    .map((parts) => parts.join("")),
);
const value = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() });
const config = fc.oneof(
  fc.record(
    {
      alias: value,
      forward: fc.oneof(fc.constant("a@b.de"), value),
      regex: pattern,
      scopes: fc.oneof(fc.subarray(["sender", "recipient", "subject", "body"]), value),
      expression: pattern,
    },
    { requiredKeys: [] },
  ),
  value,
);
const item = fc.oneof(
  fc.record(
    {
      id: fc.oneof(fc.constantFrom("1", uuid), value),
      alias: value,
      forward: fc.oneof(fc.constant("a@b.de"), value),
      type: fc.oneof(fc.constantFrom("alias", "regex", "cel"), value),
      config,
      rank: fc.oneof(
        fc.double().map((rank) => (Number.isFinite(rank) ? rank : null)),
        value,
      ),
      active: fc.oneof(fc.boolean(), value),
    },
    { requiredKeys: [] },
  ),
  value,
);
const items = fc.oneof({ weight: 4, arbitrary: fc.array(item, { maxLength: 6 }) }, { weight: 1, arbitrary: value });
const body = fc.oneof(
  { weight: 3, arbitrary: item },
  {
    weight: 2,
    arbitrary: fc.record(
      { aliases: items, rules: items, ids: items, behavior: value },
      { requiredKeys: ["aliases", "rules", "ids"] },
    ),
  },
);
const path = fc
  .tuple(
    fc.constantFrom("aliases", "rules"),
    fc.oneof(
      fc.constantFrom("", "/batch", "/bulk", "/1", `/${uuid}`, "/aliases-all", "-all", "/a"),
      fc.string({ minLength: 1 }).map((segment) => `/${encodeURIComponent(segment)}`),
    ),
  )
  .map((parts) => parts.join(""));
const query = fc.oneof(
  fc.constant(""),
  fc
    .array(
      fc.tuple(
        fc.constantFrom("query", "q", "alias", "search", "order", "limit", "page", "all", "is_active"),
        fc.oneof(text, fc.double().map(String), fc.constantFrom("true", "rank_desc", "name_desc", "0", "1", "200")),
      ),
      { maxLength: 4 },
    )
    .map(
      (pairs) =>
        `?${pairs.map((pair) => pair.map((part) => encodeURIComponent(Buffer.from(part).toString())).join("=")).join("&")}`,
    ),
);

function expectDocumented(version: string, answer: Answer): void {
  expect([200, 204, 207, 400, 403, 404]).toContain(answer.status);
  if (answer.status < 400) return;
  if (version === "v4") answer.readError();
  else answer.read(errorSchema);
}

test("any request about aliases and rules gets a documented response, and lists stay readable", async () => {
  const api = await startApi();
  const authorization = credentials(api.service.apiKey);
  const base = "domains/example.test";
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("v3", "v4"),
      fc.constantFrom("GET", "POST", "PUT", "DELETE"),
      path,
      query,
      body,
      async (version, method, anyPath, anyQuery, anyBody) => {
        const headers = { authorization, "content-type": "application/json" };
        const init = { method, headers, ...(method !== "GET" && { body: JSON.stringify(anyBody) }) };
        expectDocumented(version, await api.request(`/${version}/${base}/${anyPath}${anyQuery}`, init));
        for (const list of ["v3/domains/example.test/aliases", "v4/domains/example.test/rules?limit=200"]) {
          expect((await api.request(`/${list}`, { headers: { authorization } })).status).toBe(200);
        }
      },
    ),
    { numRuns },
  );
});
