import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { addRules, aliasRule, forward, ids, kinds, many } from "../rule-examples.js";
import { sentence } from "../sentence.js";

const list = "GET /domains/:domain/rules";
const create = "POST /domains/:domain/rules";
const one = "/domains/:domain/rules/:rule";
const bulk = "POST /domains/:domain/rules/bulk";

sentence(
  'v3 part 4, Rules: "query: `search` (substring)"',
  ["v3 rules.list {path *,query search,answer *,200}"],
  async ({ v3, v4 }) => {
    const [first] = await addRules(v4);
    expect((await v3(list)).rules).toHaveLength(3);
    expect(ids((await v3(list, { query: { search: "sales" } })).rules)).toEqual([first?.id]);
    expect((await v3(list, { query: { search: "no such rule" } })).total).toBe(0);
  },
);

sentence(
  'v3 part 4, Rules: "the rule object itself (unwrapped)"',
  ["v3 rules.get {path *,answer *,200,404 rule}"],
  async ({ v3, v4 }) => {
    for (const { id } of await addRules(v3)) {
      const { created, ...older } = await v3(`GET ${one}`, { rule: id });
      const { rule } = await v4(`GET ${one}`, { rule: id });
      expect(rule).toMatchObject(older);
      expect(Math.floor(created / 1_000) * 1_000).toBe(Date.parse(rule.created_at));
    }
    await v3.refused(404, `GET ${one}`, { rule: randomUUID() });
  },
);

sentence('v3 part 2: "some responses (rule update, rule bulk) show epoch seconds"', [], async ({ v3 }) => {
  const { rule } = await v3(create, { body: aliasRule });
  const updated = await v3(`PUT ${one}`, { rule: rule.id, body: { config: aliasRule.config } });
  expect(updated.rule.created).toBe(Math.floor(rule.created / 1_000));
  const { results } = await v3(bulk, { body: { rules: [aliasRule] } });
  expect(results[0].rule.created).toBeLessThan(1e11);
});

sentence(
  'v3 part 4, Rules: "DELETE | /domains/:domain/rules/:rule | none | `{success}`"',
  ["v3 rules.delete {path *,answer *,200,404 rule}"],
  async ({ v3 }) => {
    const { id } = (await v3(create, { body: aliasRule })).rule;
    expect(await v3(`DELETE ${one}`, { rule: id })).toEqual({ success: true });
    await v3.refused(404, `DELETE ${one}`, { rule: id });
  },
);

sentence(
  'v3 part 4, Rules: "DELETE | /domains/:domain/rules-all | none | `{success}`; a second form requires query `all=true` and returns `{deleted: integer}`"',
  ["v3 rules.deleteAll {path *,query *,answer *,200}"],
  async ({ v3 }) => {
    const line = "DELETE /domains/:domain/rules-all";
    await addRules(v3);
    expect(await v3(line, { query: { all: "true" } })).toMatchObject({ deleted: 3 });
    await addRules(v3);
    expect(await v3(line)).toEqual({ success: true });
    expect((await v3(list)).total).toBe(0);
  },
);

sentence(
  'v3 part 4, Rules: "update items carry `id` and changed config; delete items carry `id` | `{errors:[], results:[{operation, rule, success}], success}`"',
  ["v3 rules.bulk {path *,answer *,200,400 field,400 batchSize}", "v3 rules.bulk body *"],
  async ({ v3 }) => {
    const added = await v3(bulk, { body: { rules: kinds } });
    expect(added).toMatchObject({ errors: [], results: kinds.map((rule) => ({ rule, success: true })), success: true });
    const rules = ids(added.results.map(({ rule }: { rule: { id: string } }) => rule)).map((id) => ({ id }));
    const changes = [{ ...rules[0], config: { alias: "support", forward } }];
    const updated = await v3(bulk, { body: { rules: changes, behavior: "update" } });
    expect(updated.results).toMatchObject([{ rule: changes[0], success: true }]);
    const deleted = await v3(bulk, { body: { rules, behavior: "delete" } });
    expect(deleted.results).toHaveLength(3);
    expect((await v3(list)).total).toBe(0);
    expect((await v3(bulk, { body: { rules: many, behavior: "add" } })).results).toHaveLength(500);
    await v3.refused(400, bulk, { body: { rules: [...many, aliasRule] } });
    await v3.refused(400, bulk, { body: { rules: kinds, behavior: "wipe" } });
  },
);
