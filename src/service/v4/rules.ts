import { Hono } from "hono";
import * as PATHS from "../../api/contract/v4/paths.js";
import { type Rule, ruleListQuery } from "../../api/contract/v4/rules.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requireAll } from "../http/delete-all.js";
import { readJsonObject, readQuery } from "../http/request.js";
import { addRule, updateRule } from "../rules/changes.js";
import { readNewRule } from "../rules/check-rule.js";
import { findRule } from "../rules/find.js";
import type { RuleRecord } from "../store/rules.js";
import { isoSeconds } from "../timestamp.js";
import { parse } from "../http/validate.js";

export function ruleRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { rules } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.rules, (c) => {
      const { order, limit, page, query } = parse(ruleListQuery, readQuery(c.req));
      const records = rules.list(c.get("domain").id, query, { order, limit, page });
      return c.json({ rules: records.rules.map(ruleV4), limit, page, total: records.total });
    })
    .get(PATHS.rule, (c) => c.json({ rule: ruleV4(findRule(rules, c.get("domain").id, c.req.param("rule"))) }))
    .post(PATHS.rules, async (c) => {
      const fields = await readNewRule(await readJsonObject(c.req.raw), context.patterns);
      return c.json({ rule: ruleV4(addRule(context, c.get("account"), c.get("domain").id, fields)) });
    })
    .put(PATHS.rule, async (c) => {
      const body = await readJsonObject(c.req.raw);
      return c.json({ rule: ruleV4(await updateRule(context, c.get("domain").id, c.req.param("rule"), body)) });
    })
    .delete(PATHS.rules, (c) => {
      requireAll(c.req);
      return c.json({ deleted: rules.deleteAll(c.get("domain").id) });
    })
    .delete(PATHS.rule, (c) => {
      rules.delete(findRule(rules, c.get("domain").id, c.req.param("rule")).seq);
      return c.body(null, 204);
    });
}

export function ruleV4({ id, kind, rank, active, createdAt, updatedAt }: RuleRecord): Rule {
  return { id, ...kind, rank, active, created_at: isoSeconds(createdAt), updated_at: isoSeconds(updatedAt) };
}
