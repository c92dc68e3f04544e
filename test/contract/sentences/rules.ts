import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Api } from "../api.js";
import { addRules, aliasRule, celRule, forward, ids, kinds, regexRule, scopes } from "../rule-examples.js";
import { sentence } from "../sentence.js";

const list = "GET /domains/:domain/rules";
const create = "POST /domains/:domain/rules";
const one = "/domains/:domain/rules/:rule";
const batch = "/domains/:domain/rules/batch";

sentence(
  'v4 part 4, Rules: "query: `query` (substring)"',
  ["v4 rules.list {path *,query query,answer *,200}"],
  async ({ v4 }) => {
    const [first, ...others] = await addRules(v4);
    expect(await v4(list)).toMatchObject({ rules: [first, ...others], total: 3 });
    expect(ids((await v4(list, { query: { query: "sales" } })).rules)).toEqual([first?.id]);
    expect((await v4(list, { query: { query: "no such rule" } })).total).toBe(0);
  },
);

sentence(
  'v4 part 4, Rules: "`order` (`rank_asc` default, `rank_desc`, `created_asc`, `created_desc`)"',
  ["v4 rules.list query order*"],
  async ({ v4, wait }) => {
    const created: string[] = [];
    for (const rank of [2, 3, 1]) {
      created.push((await v4(create, { body: { ...aliasRule, rank } })).rule.id);
      await wait(1.1);
    }
    const [two, three, first] = created;
    const listed = async (query: Record<string, string>) => ids((await v4(list, { query })).rules);
    expect(await listed({})).toEqual([first, two, three]);
    expect(await listed({ order: "rank_asc" })).toEqual([first, two, three]);
    expect(await listed({ order: "rank_desc" })).toEqual([three, two, first]);
    expect(await listed({ order: "created_asc" })).toEqual(created);
    expect(await listed({ order: "created_desc" })).toEqual(created.toReversed());
  },
);

sentence(
  'v4 part 4, Rules: "body: `type` (required), `config` (required), `rank`, `active`, `id`"',
  ["{v3,v4} rules.create {path *,body *,answer *,200,400 field}"],
  async ({ both }) => {
    for (const api of both) {
      for (const kind of kinds) {
        const body = { ...kind, rank: 1.5, active: false, id: randomUUID() };
        expect((await api(create, { body })).rule).toMatchObject(body);
      }
      expect((await api.refused(400, create, { body: { type: "alias" } })).errors).toHaveProperty("config");
      expect((await api.refused(400, create, { body: { config: aliasRule.config } })).errors).toHaveProperty("type");
    }
  },
);

sentence(
  'v4 part 2, Rule: "string (UUID); auto-generated when omitted at creation", "evaluation priority; defaults to the next largest rank"',
  [],
  async ({ both: [v3, v4] }) => {
    const first = (await v4(create, { body: { ...aliasRule, rank: 7.5 } })).rule;
    const next = (await v4(create, { body: regexRule })).rule;
    const last = (await v3(create, { body: celRule })).rule;
    expect(next.id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect([first.rank < next.rank, next.rank < last.rank]).toEqual([true, true]);
    expect(next.active).toBe(true);
  },
);

sentence(
  'v4 part 2, Rule: "object, shape depends on type (below)"',
  ["{v3,v4} rules.create 400 ruleConfig", "{v3,v4} rules.update 400 ruleConfig"],
  async ({ both }) => {
    for (const api of both) {
      const refuse = async (config: object) => {
        const type = "regex" in config ? "regex" : "expression" in config ? "cel" : "alias";
        expect((await api.refused(400, create, { body: { type, config } })).errors).toHaveProperty("config");
      };
      await refuse({ regex: "(", scopes, forward });
      await refuse({ regex: "a", scopes: ["everywhere"], forward });
      await refuse({ regex: "a", forward });
      await refuse({ expression: "1 +", forward });
      await refuse({ expression: "true" });
      await refuse({ alias: "sales", forward: "nobody" });
      await refuse({ alias: "sales" });
      const { rule } = await api(create, { body: regexRule });
      const body = { config: celRule.config };
      expect((await api.refused(400, `PUT ${one}`, { rule: rule.id, body })).errors).toHaveProperty("config");
    }
  },
);

sentence(
  'v4 part 4, Rules: "GET | /domains/:domain/rules/:rule | none | `{rule}`"',
  ["v4 rules.get {path *,answer *,200,404 rule}"],
  async ({ v4 }) => {
    for (const rule of await addRules(v4)) expect(await v4(`GET ${one}`, { rule: rule.id })).toEqual({ rule });
    await v4.refused(404, `GET ${one}`, { rule: randomUUID() });
  },
);

sentence(
  'v4 part 4, Rules: "body: `config` (required), `rank`, `active`"',
  ["{v3,v4} rules.update {path *,body *,answer *,200,400 field,404 rule}"],
  async ({ both }) => {
    for (const api of both) {
      for (const { id } of await addRules(api)) {
        const { type, config } = await findRule(api, id);
        const body = { config: { ...config, forward: "bob@example.com" }, rank: 9.25, active: false };
        expect((await api(`PUT ${one}`, { rule: id, body })).rule).toMatchObject({ id, type, ...body });
        expect(await findRule(api, id)).toMatchObject({ id, type, ...body });
        expect((await api.refused(400, `PUT ${one}`, { rule: id, body: {} })).errors).toHaveProperty("config");
      }
      await api.refused(404, `PUT ${one}`, { rule: randomUUID(), body: { config: aliasRule.config } });
    }
  },
);

async function findRule(api: Api, id: string) {
  const answer = await api(`GET ${one}`, { rule: id });
  return api.version === "v4" ? answer.rule : answer;
}

sentence('v4 part 3: "update rule or batch update with `active`"', [], async ({ v3, v4 }) => {
  const { id } = (await v4(create, { body: aliasRule })).rule;
  const inactive = await v4(`PUT ${one}`, { rule: id, body: { config: aliasRule.config, active: false } });
  expect(inactive.rule.active).toBe(false);
  await v4(`PUT ${batch}`, { body: { rules: [{ id, active: true }] } });
  expect((await v3(`GET ${one}`, { rule: id })).active).toBe(true);
});

sentence(
  'v4 part 4, Rules: "DELETE | /domains/:domain/rules/:rule | none | 204"',
  ["v4 rules.delete {path *,204,404 rule}"],
  async ({ v4 }) => {
    const { id } = (await v4(create, { body: aliasRule })).rule;
    await v4(`DELETE ${one}`, { rule: id });
    await v4.refused(404, `DELETE ${one}`, { rule: id });
  },
);

sentence(
  'v4 part 4, Rules: "DELETE | /domains/:domain/rules?all=true | query `all=true` required (guard) | `{deleted: integer count}`"',
  ["v4 rules.deleteAll {path *,query *,answer *,200,400 guard}"],
  async ({ v4 }) => {
    await addRules(v4);
    await v4.refused(400, "DELETE /domains/:domain/rules");
    expect((await v4(list)).total).toBe(3);
    expect(await v4("DELETE /domains/:domain/rules", { query: { all: "true" } })).toEqual({ deleted: 3 });
    expect((await v4(list)).total).toBe(0);
  },
);
