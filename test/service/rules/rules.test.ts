import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  ruleListResponse as ruleListResponseV3,
  ruleResponse as ruleResponseV3,
  rulesChangedResponse,
  ruleSchema as ruleSchemaV3,
} from "../../../src/api/contract/v3/rules.js";
import { ruleListResponse, ruleResponse } from "../../../src/api/contract/v4/rules.js";
import { frozenClock } from "../../../src/service/index.js";
import { type Api, refusal, startApi } from "../harness.js";
import { version3 } from "../version-3.js";

const rules = "/domains/example.test/rules";
const forward = "ada@example.com";
const at = "2026-11-20T10:00:00Z";
const uuid = "0b7f3c1e-9a51-4c0e-8d5b-2f6f0d4a9c33";
const ofAlias = { type: "alias", config: { alias: "sales", forward } };
const ofRegex = { type: "regex", config: { regex: "invoice-[0-9]+", scopes: ["subject", "body"], forward } };
const ofCel = { type: "cel", config: { expression: 'subject.contains("Invoice")', forward } };

/** A service for tests that only look at their own rules. */
const shared = startApi({}, afterAll);

async function create(api: Api, fields: object) {
  return (await api.post(rules, fields)).read(ruleResponse).rule;
}

async function idsOf(api: Api, query: string): Promise<string[]> {
  return (await api.get(`${rules}?${query}`)).read(ruleListResponse).rules.map(({ id }) => id);
}

test.each([ofAlias, ofRegex, ofCel])("a rule is created, read, changed and deleted: $type", async (fields) => {
  const clock = frozenClock(Date.parse(at));
  const api = await startApi({ clock });
  const created = await api.post(rules, fields);
  expect(created.status).toBe(200);
  const { rule } = created.read(ruleResponse);
  expect(rule).toEqual({ ...fields, id: expect.any(String), rank: 1, active: true, created_at: at, updated_at: at });
  expect((await api.get(`${rules}/${rule.id}`)).read(ruleResponse).rule).toEqual(rule);

  clock.advance(60_000);
  const config = { ...fields.config, forward: "bob@example.com" };
  const changed = await api.put(`${rules}/${rule.id}`, { config, active: false });
  const expected = { ...rule, config, active: false, updated_at: "2026-11-20T10:01:00Z" };
  expect(changed.read(ruleResponse).rule).toEqual(expected);

  const deleted = await api.delete(`${rules}/${rule.id}`);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  for (const gone of [await api.get(`${rules}/${rule.id}`), await api.put(`${rules}/${rule.id}`, { config })]) {
    expect(refusal(gone)).toMatchObject({ status: 404, fields: [] });
  }
});

test("a rule without a rank comes after all others", async () => {
  const api = await startApi();
  expect((await create(api, ofAlias)).rank).toBe(1);
  expect((await create(api, ofAlias)).rank).toBe(2);
  await create(api, { ...ofAlias, rank: 7.5, active: false });
  expect((await create(api, ofAlias)).rank).toBe(8.5);
  await create(api, { ...ofAlias, rank: -3.25 });
  expect((await create(api, ofAlias)).rank).toBe(9.5);
});

test("a rule without a rank comes after all others, however large their ranks are", async () => {
  const api = await startApi();
  await fc.assert(
    fc.asyncProperty(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1.7e308 }), async (rank) => {
      await api.delete(`${rules}?all=true`);
      await create(api, { ...ofAlias, rank });
      expect((await create(api, ofAlias)).rank).toBeGreaterThan(rank);
    }),
    { numRuns: process.env["MODE"] === "long" ? 300 : 10, examples: [[2 ** 53], [-(2 ** 60)], [1.7e308]] },
  );
  await create(api, { ...ofAlias, rank: Number.MAX_VALUE });
  expect(refusal(await api.post(rules, ofAlias))).toMatchObject({ status: 400, fields: ["rank"] });
});

test.each([1e-320, -1e-320, 5e-324, 1e-17, -1e-17, 1e-300, 0, 0.1, -2.5, Number.MAX_VALUE, -Number.MAX_VALUE])(
  "the rank %d is stored unchanged",
  async (rank) => {
    const api = await shared;
    const { id } = await create(api, { ...ofAlias, rank });
    expect((await api.get(`${rules}/${id}`)).read(ruleResponse).rule.rank).toBe(rank);
    const changed = await api.put(`${rules}/${id}`, { config: ofAlias.config, rank: rank / 2 });
    expect(changed.read(ruleResponse).rule.rank).toBe(rank / 2);
  },
);

test("an id is a unique UUID, case-insensitive", async () => {
  const api = await startApi();
  expect((await create(api, { ...ofAlias, id: uuid })).id).toBe(uuid);
  expect(refusal(await api.post(rules, { ...ofAlias, id: uuid.toUpperCase() }))).toMatchObject({
    status: 400,
    fields: ["id"],
  });
  expect(refusal(await api.post(rules, { ...ofAlias, id: "rule-1" }))).toMatchObject({ status: 400, fields: ["id"] });
  expect((await api.get(`${rules}/${uuid.toUpperCase()}`)).read(ruleResponse).rule.id).toBe(uuid);
  expect((await create(api, ofAlias)).id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test.each([
  [{}, ["type", "config"]],
  [{ type: "glob", config: ofAlias.config }, ["type"]],
  [{ type: "alias" }, ["config"]],
  [{ type: "alias", config: "sales" }, ["config"]],
  [{ type: "alias", config: { alias: "sales" } }, ["config"]],
  [{ type: "alias", config: { alias: "a b", forward } }, ["config"]],
  [{ type: "alias", config: { alias: "sales", forward: "nobody" } }, ["config"]],
  [{ type: "alias", config: ofRegex.config }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, regex: "" } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, regex: "a(" } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, regex: "(?=a)" } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, regex: "(a)\\1" } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, scopes: [] } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, scopes: ["header"] } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, scopes: ["body", "body"] } }, ["config"]],
  [{ type: "regex", config: { ...ofRegex.config, scopes: "body" } }, ["config"]],
  [{ type: "cel", config: { expression: "subject ==", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "subject.size() > 9223372036854775808", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "9223372036854775808 > 0", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "-9223372036854775809 < 0", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "true || 18446744073709551616u > 0u", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "0x8000000000000000 in [1]", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "{99999999999999999999: 1}.size() == 1", forward } }, ["config"]],
  [{ type: "cel", config: { expression: "", forward } }, ["config"]],
  [{ ...ofAlias, rank: "1" }, ["rank"]],
  [{ ...ofAlias, active: 1 }, ["active"]],
  [{ type: "nope", rank: "a", active: "b", id: 3 }, ["rank", "active", "type", "id", "config"]],
])("an invalid rule is refused: %j", async (fields, named) => {
  const api = await shared;
  expect(refusal(await api.post(rules, fields))).toMatchObject({ status: 400, fields: named });
});

test.each([
  [
    { ...ofRegex, config: { ...ofRegex.config, regex: "a\\pZq[" } },
    'config.regex does not compile: missing closing ] in "[" at character 6',
  ],
  [
    { ...ofCel, config: { expression: "true &&\n  frob(1)", forward } },
    "config.expression does not compile: line 2, column 3: there is no function frob that can be called like this",
  ],
  [
    { ...ofCel, config: { expression: 'sender != "" &&\n  subjct.contains("x")', forward } },
    "config.expression does not compile: line 2, column 3: there is no variable subjct; did you mean subject?",
  ],
  [
    { ...ofCel, config: { expression: "true ||\n 9223372036854775808 > 0", forward } },
    "config.expression does not compile: line 2, column 2: 9223372036854775808 does not fit in 64 bits",
  ],
  [
    { ...ofCel, config: { expression: "true || Subject == ''", forward } },
    "config.expression does not compile: line 1, column 9: there is no variable Subject; did you mean subject?",
  ],
  [
    { ...ofCel, config: { expression: 'subject.matches("(a")', forward } },
    'config.expression does not compile: line 1, column 8: missing closing ) in "(a"',
  ],
  [
    { ...ofCel, config: { expression: "subject == ''\n|| `subject` == ''", forward } },
    "config.expression does not compile: line 2, column 4: only member names can be in backticks",
  ],
  [
    { ...ofCel, config: { expression: "1 +", forward } },
    "config.expression does not compile: line 1, column 3: found + but expecting end of input",
  ],
])("a pattern that does not compile is refused with the place: %j", async (fields, message) => {
  const api = await shared;
  expect(refusal(await api.post(rules, fields))).toEqual({ status: 400, message, fields: ["config"] });
  const { id } = await create(api, fields.type === "cel" ? ofCel : ofRegex);
  expect(refusal(await api.put(`${rules}/${id}`, { config: fields.config }))).toEqual({
    status: 400,
    message,
    fields: ["config"],
  });
});

test.each([
  "1",
  "'x'",
  "unknown == 1",
  "a.b.c",
  "true",
  "false",
  "headers.exists(header, header == 'list-id')",
  "headers.`list-id` == '`a b`'",
  "has(headers.`list-id`) && '`' != \"`\" // ` and `",
  "subject.reverse() == 'neko'",
  "subject.matches('(a)') && matches(body, sender)",
])("a valid expression is accepted: %s", async (expression) => {
  const api = await shared;
  const config = { expression, forward };
  expect((await create(api, { type: "cel", config })).config).toEqual(config);
});

test("an update requires the configuration of the rule's own type", async () => {
  const api = await shared;
  const { id } = await create(api, ofRegex);
  for (const wrong of [{}, { active: false }, { config: ofAlias.config }, { config: ofCel.config }]) {
    expect(refusal(await api.put(`${rules}/${id}`, wrong))).toMatchObject({ status: 400, fields: ["config"] });
  }
  expect((await api.get(`${rules}/${id}`)).read(ruleResponse).rule).toMatchObject(ofRegex);
});

test("lists are filtered by a substring of the configuration, and sorted", async () => {
  const clock = frozenClock(Date.parse(at));
  const api = await startApi({ clock });
  const ids: string[] = [];
  for (const [fields, rank] of [
    [ofAlias, 3],
    [ofRegex, 1],
    [ofCel, 2],
  ] as const) {
    ids.push((await create(api, { ...fields, rank })).id);
    clock.advance(1_000);
  }
  const [alias, regex, cel] = ids;
  expect(await idsOf(api, "")).toEqual([regex, cel, alias]);
  expect(await idsOf(api, "order=rank_desc")).toEqual([alias, cel, regex]);
  expect(await idsOf(api, "order=created_asc")).toEqual([alias, regex, cel]);
  expect(await idsOf(api, "order=created_desc&limit=1&page=2")).toEqual([regex]);
  expect(await idsOf(api, "query=INVOICE")).toEqual([regex, cel]);
  expect(await idsOf(api, "query=ADA@")).toHaveLength(3);
  expect(await idsOf(api, "query=scopes")).toEqual([]);
});

test("every rule appears once, whatever the page size, even with equal ranks", async () => {
  const api = await shared;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom("rank_asc", "rank_desc", "created_asc", "created_desc"),
      async (ranks, limit, order) => {
        await api.delete(`${rules}?all=true`);
        await api.post(`${rules}/batch`, { rules: ranks.map((rank) => ({ ...ofAlias, rank })) });
        const paged = [];
        for (let page = 1; page <= Math.ceil(ranks.length / limit); page += 1) {
          paged.push(...(await idsOf(api, `order=${order}&limit=${limit}&page=${page}`)));
        }
        expect(paged).toEqual(await idsOf(api, `order=${order}&limit=200`));
        expect(new Set(paged).size).toBe(ranks.length);
      },
    ),
    { numRuns: process.env["MODE"] === "long" ? 150 : 8 },
  );
});

test("all are deleted only with all=true", async () => {
  const api = await startApi();
  await create(api, ofAlias);
  expect(refusal(await api.delete(rules))).toMatchObject({ status: 400, fields: ["all"] });
  expect((await api.delete(`${rules}?all=true`)).text).toBe('{"deleted":1}');
});

test("a plan limits the number of rules", async () => {
  const api = await startApi({
    seed: { plan: "free" },
  });
  const many = Array.from({ length: 26 }, () => ofAlias);
  const answer = await api.post(`${rules}/batch`, { rules: many });
  expect([answer.status, JSON.parse(answer.text).failed]).toMatchObject([207, [{ index: 25, errors: {} }]]);
  expect(refusal(await api.post(rules, ofAlias))).toMatchObject({ status: 400, fields: [] });
});

describe("version 3", () => {
  test("shows milliseconds, and seconds for a rule that was just updated", async () => {
    const api = await startApi({ clock: frozenClock(Date.parse(at) + 789) });
    const v3 = version3(api);
    const created = Date.parse(at) + 789;
    const posted = await v3.post(rules, { ...ofCel, id: uuid });
    const rule = { ...ofCel, id: uuid, rank: 1, active: true, created };
    expect(posted.read(ruleResponseV3)).toEqual({ rule, success: true });
    const one = await v3.get(`${rules}/${uuid}`);
    expect(one.read(ruleSchemaV3)).toEqual(rule);
    expect(JSON.parse(one.text)).toEqual(rule);
    expect((await v3.get(rules)).read(ruleListResponseV3)).toEqual({
      rules: [rule],
      limit: 100,
      page: 1,
      total: 1,
      success: true,
    });
    const put = await v3.put(`${rules}/${uuid}`, { config: ofCel.config, rank: 4 });
    expect(put.read(ruleResponseV3).rule).toEqual({ ...rule, rank: 4, created: Math.floor(created / 1_000) });
    expect((await v3.get(`${rules}?search=INVOICE`)).read(ruleListResponseV3).total).toBe(1);
    expect((await v3.get(`${rules}?search=nothing`)).read(ruleListResponseV3).total).toBe(0);
    expect((await v3.delete(`${rules}/${uuid}`)).text).toBe('{"success":true}');
    expect((await v3.delete(`${rules}/${uuid}`)).status).toBe(404);
  });

  test("deletes all in two forms", async () => {
    const api = await startApi();
    const v3 = version3(api);
    await create(api, ofAlias);
    expect((await v3.delete("/domains/example.test/rules-all")).text).toBe('{"success":true}');
    await create(api, ofAlias);
    const counted = await v3.delete("/domains/example.test/rules-all?all=true");
    expect(JSON.parse(counted.text)).toEqual({ deleted: 1, success: true });
  });

  test("adds, updates and deletes in bulk, and each result names its operation", async () => {
    const api = await startApi({ clock: frozenClock(Date.parse(at)) });
    const v3 = version3(api);
    const bulk = `${rules}/bulk`;
    const rule = { ...ofAlias, id: uuid, rank: 1, active: true, created: Date.parse(at) / 1_000 };
    const added = await v3.post(bulk, { rules: [{ ...ofAlias, id: uuid }, { type: "alias" }] });
    expect(added.status).toBe(200);
    expect(added.read(rulesChangedResponse)).toEqual({
      errors: [{ index: 1, message: "config is required", errors: { config: ["config is required"] } }],
      results: [{ operation: "add", rule, success: true }],
      success: true,
    });
    const updated = await v3.post(bulk, {
      behavior: "update",
      rules: [
        { id: uuid, active: false },
        { id: "none", rank: 1 },
      ],
    });
    expect(updated.read(rulesChangedResponse)).toMatchObject({
      errors: [{ index: 1, message: "There is no such rule on the domain." }],
      results: [{ operation: "update", rule: { ...rule, active: false }, success: true }],
    });
    for (const behavior of ["add", "update", "delete"]) {
      const answer = await v3.post(bulk, { behavior, rules: [1, null, "a"] });
      const { errors } = answer.read(rulesChangedResponse);
      expect(errors).toMatchObject([0, 1, 2].map((index) => ({ index, message: "The entry must be an object." })));
    }
    const deleted = await v3.post(bulk, { behavior: "delete", rules: [{ id: uuid }] });
    expect(deleted.read(rulesChangedResponse)).toEqual({
      errors: [],
      results: [{ operation: "delete", rule: { ...rule, active: false }, success: true }],
      success: true,
    });
    expect((await v3.get(rules)).read(ruleListResponseV3).total).toBe(0);
    expect((await v3.post(bulk, { rules: Array.from({ length: 501 }, () => ofAlias) })).status).toBe(400);
  });
});
