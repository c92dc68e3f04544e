import { Hono } from "hono";
import { PATHS } from "../../api/contract/v4/paths.js";
import { type Rule, ruleListQuery } from "../../api/contract/v4/rules.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requireAll } from "../http/delete-all.js";
import { readJsonObject, readQuery } from "../http/request.js";
import { addRule, changeRule } from "../rules/changes.js";
import { readNewRule, readRuleChanges } from "../rules/check-rule.js";
import { findRule } from "../rules/find.js";
import type { RuleRecord } from "../store/rules.js";
import { isoSeconds } from "../timestamp.js";
import { parse } from "../http/validate.js";

export function ruleRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { rules } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.rules, (c) => {
      const { order, limit, page, query } = parse(ruleListQuery, readQuery(c.req));
      const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
      const found = rules.list(c.get("domain").id, query, { order, limit, offset });
      return c.json({ rules: found.rules.map(ruleV4), limit, page, total: found.total });
    })
    .get(PATHS.rule, (c) => c.json({ rule: ruleV4(findRule(rules, c.get("domain").id, c.req.param("rule"))) }))
    .post(PATHS.rules, async (c) => {
      const fields = await readNewRule(await readJsonObject(c.req.raw), context.patterns);
      return c.json({ rule: ruleV4(addRule(context, c.get("account"), c.get("domain").id, fields)) });
    })
    .put(PATHS.rule, async (c) => {
      const { id: domainId } = c.get("domain");
      const body = await readJsonObject(c.req.raw);
      // What the configuration has to be depends on the rule, so that a missing one is refused first.
      const { kind } = findRule(rules, domainId, c.req.param("rule"));
      const changes = await readRuleChanges(kind.type, body, context.patterns, "required");
      const rule = findRule(rules, domainId, c.req.param("rule"));
      return c.json({ rule: ruleV4(changeRule(context, rule, changes)) });
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
