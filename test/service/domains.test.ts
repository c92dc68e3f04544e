import * as fc from "fast-check";
import { expect, test } from "vitest";
import { successResponse } from "../../src/api/contract/v3/formats.js";
import {
  domainListResponse as domainListResponseV3,
  domainResponse as domainResponseV3,
} from "../../src/api/contract/v3/domains.js";
import { domainListResponse, domainResponse } from "../../src/api/contract/v4/domains.js";
import { frozenClock, startService } from "../../src/service/index.js";
import { openDatabase } from "../../src/service/store/database.js";
import { type Answer, apiOf, refusal, startApi, temporaryFolder } from "./harness.js";
import { below, version3 } from "./version-3.js";
import { join } from "node:path";

const start = Date.parse("2026-11-20T10:00:00.900Z");

test("a domain added in one version is shown by the other in its own form", async () => {
  const api = await startApi({ clock: frozenClock(start) });
  const v3 = version3(api);
  const added = await api.post("/domains", {
    domain: "Acme.Test",
    notification_email: "ops@acme.test",
    whitelabel: "Brand.test",
  });
  expect(added.status).toBe(200);
  expect(JSON.parse(added.text)).toEqual({
    domain: {
      domain: "acme.test",
      forwarding_ready: true,
      send_ready: true,
      banned: false,
      notification_email: "ops@acme.test",
      notify_when_spam_blocked: false,
      routing_engine: "alias",
      rules_fallback_email: null,
      strict_mxes: false,
      whitelabel: "brand.test",
      created_at: "2026-11-20T10:00:00Z",
      updated_at: "2026-11-20T10:00:00Z",
    },
  });
  await api.post("/domains/acme.test/aliases", { alias: "hello", forward: "ada@example.com" });
  expect(JSON.parse((await v3.get("/domains/acme.test")).text)).toEqual({
    domain: {
      active: true,
      domain: "acme.test",
      display: "acme.test",
      dkim_selector: "ls",
      notification_email: "ops@acme.test",
      webhook: null,
      whitelabel: "brand.test",
      added: start,
      daily_quota: 100_000,
      aliases: [{ id: expect.any(Number), alias: "hello", forward: "ada@example.com", created: start }],
    },
    success: true,
  });

  const other = (await v3.post("/domains", { domain: "other.test" })).read(domainResponseV3);
  expect(other.domain).toMatchObject({ domain: "other.test", notification_email: null, webhook: null, aliases: [] });
  expect((await api.get("/domains/other.test")).read(domainResponse).domain.whitelabel).toBeNull();
});

test("an international name is stored in ASCII, found in both forms and shown as written", async () => {
  const api = await startApi();
  const { domain } = (await api.post("/domains", { domain: "Bücher.example" })).read(domainResponse);
  expect(domain.domain).toBe("xn--bcher-kva.example");
  expect((await api.get(`/domains/${encodeURIComponent("BÜCHER.example")}`)).status).toBe(200);
  expect((await version3(api).get("/domains/XN--bcher-kva.example")).read(domainResponseV3).domain.display).toBe(
    "bücher.example",
  );
});

test.each([
  [{}, ["domain"]],
  [{ domain: null }, ["domain"]],
  [{ domain: 7, notification_email: 7 }, ["domain", "notification_email"]],
  [{ domain: "acme.test", notification_email: "nobody" }, ["notification_email"]],
  [{ domain: "acme.test", notification_email: "Ada <ada@acme.test>" }, ["notification_email"]],
  [{ domain: "acme.test", whitelabel: "brand" }, ["whitelabel"]],
  ...[
    "",
    " ",
    "acme",
    "acme.",
    ".test",
    "a..test",
    "-a.test",
    "a-.test",
    "a_b.test",
    "1.2.3.4",
    "[::1]",
    "acme.test:25",
    "0x7f.1",
    "http://acme.test",
    "acme.test/",
    "ada@acme.test",
    " acme.test",
    "acme.test ",
    "a%2eb.test",
    `${"a".repeat(64)}.test`,
    `${"a.".repeat(126)}test`,
    "acme.1",
    "acme\0.test",
    "\ud800.test",
    "*.acme.test",
  ].map((domain) => [{ domain }, ["domain"]] as [object, string[]]),
])("%j cannot be added", async (body, fields) => {
  const api = await startApi();
  for (const answer of [await api.post("/domains", body), await version3(api).post("/domains", body)]) {
    expect(answer.status).toBe(400);
    const { message, errors } = JSON.parse(answer.text);
    expect(Object.keys(errors)).toEqual(fields);
    expect(message).toBe(errors[fields[0] ?? ""][0]);
  }
});

test("a name is taken case-insensitively and across accounts", async () => {
  const api = await startApi({
    seed: { accounts: [{}, { apiKey: "other", domains: [{ name: "theirs.test" }] }] },
  });
  for (const domain of ["EXAMPLE.test", "theirs.test"]) {
    expect(refusal(await api.post("/domains", { domain }))).toEqual({
      status: 400,
      message: "domain is already added, to this account or another",
      fields: ["domain"],
    });
  }
  expect((await below("v4", api, "other").get("/domains/example.test")).status).toBe(404);
});

test("a plan limits the number of domains", async () => {
  const api = await startApi({ seed: { limits: { domains_limit: 2 } } });
  expect((await api.post("/domains", { domain: "two.test" })).status).toBe(200);
  expect(refusal(await version3Error(await version3(api).post("/domains", { domain: "three.test" })))).toEqual({
    status: 400,
    message: "The account has reached its plan's limit of 2 domains.",
    fields: [],
  });
  expect((await api.get("/domains/three.test")).status).toBe(404);
  await api.delete("/domains/two.test");
  expect((await api.post("/domains", { domain: "three.test" })).status).toBe(200);
});

/** A refusal of version 3, without its additional member. */
async function version3Error(answer: Answer): Promise<Answer> {
  const { success, ...body } = JSON.parse(answer.text);
  expect(success).toBe(false);
  const response = new Response(JSON.stringify(body), { status: answer.status });
  const text = await response.text();
  return { ...answer, text, readError: () => JSON.parse(text) };
}

test("an update changes the members it contains; null removes a value", async () => {
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  const v3 = version3(api);
  clock.advance(5_000);
  const first = await v3.put("/domains/example.test", {
    notification_email: "ops@acme.test",
    webhook: "https://hooks.test/in?a=1",
    whitelabel: "BRAND.test",
  });
  expect(first.read(domainResponseV3).domain).toMatchObject({
    notification_email: "ops@acme.test",
    webhook: "https://hooks.test/in?a=1",
    whitelabel: "brand.test",
  });
  // Version 4 has no webhook member, so it is ignored like any unknown member.
  const second = (await api.put("/domains/example.test", { notification_email: null, webhook: null })).read(
    domainResponse,
  );
  expect(second.domain).toMatchObject({
    notification_email: null,
    whitelabel: "brand.test",
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:05Z",
  });
  const third = (await v3.put("/domains/example.test", {})).read(domainResponseV3);
  expect(third.domain).toMatchObject({ webhook: "https://hooks.test/in?a=1", whitelabel: "brand.test" });
  const last = (await v3.put("/domains/example.test", { webhook: null, whitelabel: null })).read(domainResponseV3);
  expect(last.domain).toMatchObject({ webhook: null, whitelabel: null });
});

test.each([
  [{ domain: "other.test" }, "domain"],
  [{ domain: 7 }, "domain"],
  [{ webhook: "ftp://a.test/" }, "webhook"],
  [{ webhook: "nothing" }, "webhook"],
  [{ webhook: "https:a.test" }, "webhook"],
  [{ webhook: "https://a.test/ b" }, "webhook"],
  [{ webhook: `https://a.test/${"a".repeat(2_048)}` }, "webhook"],
  [{ webhook: 7 }, "webhook"],
  [{ whitelabel: "x" }, "whitelabel"],
  [{ notification_email: "@" }, "notification_email"],
])("an update to %j is refused", async (body, field) => {
  const api = await startApi();
  const answer = await version3Error(await version3(api).put("/domains/example.test", body));
  expect(refusal(answer)).toMatchObject({ status: 400, fields: [field] });
});

test("an update may contain the unchanged name", async () => {
  const api = await startApi();
  expect((await api.put("/domains/example.test", { domain: "Example.test" })).status).toBe(200);
  expect(refusal(await api.put("/domains/example.test", { domain: "x.test" })).message).toBe(
    "domain cannot be changed: add the other domain, and delete this one",
  );
});

test("deleting a domain deletes everything that belongs to it, and its name can be used again", async () => {
  const data = await temporaryFolder();
  const service = await startService({ data, port: 0, limits: false });
  const api = apiOf(service);
  await api.post("/domains", { domain: "gone.test" });
  for (const domain of ["gone.test", "example.test"]) {
    const path = `/domains/${domain}`;
    await api.post(`${path}/templates`, { name: "a", text_body: "a" });
    await api.post(`${path}/aliases`, { alias: "a", forward: "ada@example.com" });
    await api.post(`${path}/rules`, { type: "alias", config: { alias: "a", forward: "ada@example.com" } });
    await api.post(`${path}/credentials`, { username: "a", password: "a" });
    await api.post(`${path}/emails/outbound`, { from: "a", to: ["a@b.test", "c@d.test"], subject: "a", text: "a" });
  }
  expect((await api.delete("/domains/GONE.test")).status).toBe(204);
  expect((await api.get("/domains/gone.test")).status).toBe(404);
  expect((await api.delete("/domains/gone.test")).status).toBe(404);
  expect((await api.post("/domains", { domain: "gone.test" })).status).toBe(200);
  expect((await version3(api).delete("/domains/gone.test")).read(successResponse)).toEqual({ success: true });
  await service.close();

  const database = await openDatabase(join(data, "service.db"));
  for (const table of ["domains", "templates", "aliases", "rules", "credentials", "mails"]) {
    expect([table, database.prepare(`SELECT count(*) AS total FROM ${table}`).get()?.["total"]]).toEqual([table, 1]);
  }
  expect(database.prepare("SELECT count(*) AS total FROM log_entries").get()?.["total"]).toBe(2);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  database.close();
});

test("a request whose domain is deleted meanwhile gets 404", async () => {
  const api = await startApi();
  const paths = ["templates", "aliases", "credentials"].map((resource) => `/domains/example.test/${resource}`);
  const bodies = [{ name: "a" }, { alias: "a", forward: "a@b.test" }, { username: "a", password: "a" }];
  for (let round = 0; round < 10; round += 1) {
    await api.post("/domains", { domain: "example.test" });
    const answers = await Promise.all([
      ...paths.map((path, index) => api.post(path, bodies[index])),
      api.delete("/domains/example.test"),
      api.put("/domains/example.test", { whitelabel: "a.test" }),
    ]);
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
  }
});

test.each([
  ["", ["a-b.test", "a.test", "b.example"], { limit: 50, page: 1, total: 3 }],
  ["?q=A", ["a-b.test", "a.test", "b.example"], { total: 3 }],
  ["?q=.TEST", ["a-b.test", "a.test"], { total: 2 }],
  ["?q=", ["a-b.test", "a.test", "b.example"], { total: 3 }],
  ["?q=_", [], { total: 0 }],
  ["?is_active=1", ["a.test", "b.example"], { total: 2 }],
  ["?is_active=0", ["a-b.test"], { total: 1 }],
  ["?is_active=0&q=example", [], { total: 0 }],
  ["?limit=2&page=2", ["b.example"], { limit: 2, page: 2, total: 3 }],
  ["?limit=100&page=9", [], { limit: 100, page: 9, total: 3 }],
])("version 3: GET /domains%s", async (query, expected, page) => {
  const domains = [{ name: "b.example" }, { name: "a.test" }, { name: "a-b.test", sendReady: false }] as const;
  const api = await startApi({ seed: { domains: [...domains] } });
  const answer = (await version3(api).get(`/domains${query}`)).read(domainListResponseV3);
  expect(answer.domains.map(({ domain }) => domain)).toEqual(expected);
  expect(answer).toMatchObject(page);
});

test.each([["limit=101"], ["limit=0"], ["limit=x"], ["page=0"], ["is_active=true"], ["page=1.5"]])(
  "version 3: GET /domains?%s is refused",
  async (query) => {
    const answer = await version3Error(await version3(await startApi()).get(`/domains?${query}`));
    expect(refusal(answer)).toMatchObject({ status: 400, fields: [query.split("=")[0]] });
  },
);

test("version 3 shows at most 200 aliases of a domain", async () => {
  const aliases = Array.from({ length: 201 }, (_, index) => ({ alias: `a${index}`, forward: "ada@example.com" }));
  const api = await startApi({ seed: { domains: [{ name: "a.test", aliases }] } });
  const v3 = version3(api);
  expect((await v3.get("/domains/a.test")).read(domainResponseV3).domain.aliases).toHaveLength(200);
  const [listed] = (await v3.get("/domains")).read(domainListResponseV3).domains;
  expect(listed?.aliases).toHaveLength(200);
});

test("every domain appears once, in every order and page size", async () => {
  const names = Array.from({ length: 23 }, (_, index) => `d${(index * 7) % 23}.test`);
  const api = await startApi({ seed: { limits: { domains_limit: 30 }, domains: [{ name: "x.test" }] } });
  for (const domain of names) await api.post("/domains", { domain });
  await api.delete("/domains/x.test");
  const orders = ["name_asc", "name_desc", "created_asc", "created_desc"] as const;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.constantFrom(...orders), async (limit, order) => {
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(names.length / limit); page += 1) {
        const answer = await api.get(`/domains?limit=${limit}&page=${page}&order=${order}`);
        seen.push(...answer.read(domainListResponse).domains.map(({ domain }) => domain));
      }
      const byTime = order.endsWith("asc") ? names : names.toReversed();
      const byName = order.endsWith("asc") ? names.toSorted() : names.toSorted().toReversed();
      expect(seen).toEqual(order.startsWith("name") ? byName : byTime);
    }),
    { numRuns: process.env["MODE"] === "long" ? 300 : 10 },
  );
});
