import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { aliasRule, ids, many } from "../rule-examples.js";
import { sentence } from "../sentence.js";

const batch = "/domains/:domain/rules/batch";

sentence(
  'v4 part 4, Rules: "up to 500 objects with `type`, `config`, optionally `rank`, `active`, `id`"',
  ["{v3,v4} rules.createMany {path *,body *,answer *,200,207,400 field,400 batchSize}"],
  async ({ both }) => {
    for (const api of both) {
      const rules = many.map((rule) => ({ ...rule, id: randomUUID() }));
      expect(await api(`POST ${batch}`, { body: { rules } })).toMatchObject({
        added: rules,
        added_count: 500,
        failed_count: 0,
      });
      await api.refused(400, `POST ${batch}`, { body: { rules: [...many, aliasRule] } });
      expect((await api.refused(400, `POST ${batch}`, { body: {} })).errors).toHaveProperty("rules");
      // "Rule batch failure messages include a rule-not-found message and an invalid-forward-address message."
      const wrong = { type: "alias", config: { alias: "sales", forward: "nobody" } };
      const answer = await api(`POST ${batch}`, { status: 207, body: { rules: [aliasRule, wrong] } });
      expect(answer).toMatchObject({ added: [aliasRule], added_count: 1, failed: [{ index: 1 }], failed_count: 1 });
      expect(answer.failed[0].message).toMatch(/invalid forward address/i);
    }
  },
);

sentence(
  'v4 part 4, Rules: "each with string `id` and fields such as `config`, `rank`, `active`"',
  ["{v3,v4} rules.updateMany {path *,body *,answer *,200,207,400 field,400 batchSize}"],
  async ({ both }) => {
    for (const api of both) {
      const { added } = await api(`POST ${batch}`, { body: { rules: many } });
      const rules = added.map(({ id, config }: { id: string; config: object }) => ({
        id,
        config,
        rank: 2,
        active: false,
      }));
      expect(await api(`PUT ${batch}`, { body: { rules } })).toMatchObject({ updated: rules, updated_count: 500 });
      await api.refused(400, `PUT ${batch}`, { body: { rules: [...rules, rules[0]] } });
      await api.refused(400, `PUT ${batch}`, { body: { rules: {} } });
      const some = [
        { id: randomUUID(), rank: 1 },
        { id: rules[0].id, rank: 3.5 },
      ];
      const answer = await api(`PUT ${batch}`, { status: 207, body: { rules: some } });
      expect(answer).toMatchObject({ updated: [some[1]], updated_count: 1, failed: [{ index: 0 }], failed_count: 1 });
      expect(answer.failed[0].message).toMatch(/no such rule|rule not found/i);
    }
  },
);

sentence(
  'v4 part 4, Rules: "body: `ids` (required, up to 500 UUID strings)"',
  ["{v3,v4} rules.deleteMany {path *,body *,answer *,200,207,400 field,400 batchSize}"],
  async ({ both }) => {
    for (const api of both) {
      const deleted = ids((await api(`POST ${batch}`, { body: { rules: many } })).added);
      await api.refused(400, `DELETE ${batch}`, { body: { ids: [...deleted, randomUUID()] } });
      await api.refused(400, `DELETE ${batch}`, { body: { ids: "all" } });
      expect(await api(`DELETE ${batch}`, { body: { ids: deleted } })).toMatchObject({ deleted, deleted_count: 500 });
      const answer = await api(`DELETE ${batch}`, { status: 207, body: { ids: [randomUUID()] } });
      expect(answer).toMatchObject({ deleted: [], deleted_count: 0, failed: [{ index: 0 }], failed_count: 1 });
    }
  },
);
