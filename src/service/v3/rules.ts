import { Hono } from "hono";
import * as PATHS from "../../api/contract/v3/paths.js";
import { ruleListQuery, type RuleV3 } from "../../api/contract/v3/rules.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { asksForCount } from "../http/delete-all.js";
import { readJsonObject, readQuery } from "../http/request.js";
import { addRule, updateRule } from "../rules/changes.js";
import { readNewRule } from "../rules/check-rule.js";
import { findRule } from "../rules/find.js";
import type { RuleRecord } from "../store/rules.js";
import { parse } from "../http/validate.js";

export function ruleRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { rules } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.rules, (c) => {
      const { search, limit, page } = parse(ruleListQuery, readQuery(c.req));
      const records = rules.list(c.get("domain").id, search, { order: "rank_asc", limit, page });
      return c.json({ rules: records.rules.map(ruleV3), limit, page, total: records.total, success: true });
    })
    .get(PATHS.rule, (c) => c.json(ruleV3(findRule(rules, c.get("domain").id, c.req.param("rule")))))
    .post(PATHS.rules, async (c) => {
      const fields = await readNewRule(await readJsonObject(c.req.raw), context.patterns);
      const rule = addRule(context, c.get("account"), c.get("domain").id, fields);
      return c.json({ rule: ruleV3(rule), success: true });
    })
    .put(PATHS.rule, async (c) => {
      const body = await readJsonObject(c.req.raw);
      const rule = await updateRule(context, c.get("domain").id, c.req.param("rule"), body);
      return c.json({ rule: ruleInSecondsV3(rule), success: true });
    })
    .delete(PATHS.rulesAll, (c) => {
      const counted = asksForCount(c.req);
      const deleted = rules.deleteAll(c.get("domain").id);
      return c.json(counted ? { deleted, success: true } : { success: true });
    })
    .delete(PATHS.rule, (c) => {
      rules.delete(findRule(rules, c.get("domain").id, c.req.param("rule")).seq);
      return c.json({ success: true });
    });
}

function ruleV3({ id, kind, rank, active, createdAt }: RuleRecord): RuleV3 {
  return { id, ...kind, rank, active, created: createdAt };
}

/** Updates and bulk responses show the time in seconds (version 3, part 2). */
export function ruleInSecondsV3(rule: RuleRecord): RuleV3 {
  return { ...ruleV3(rule), created: Math.floor(rule.createdAt / 1_000) };
}
