import { Hono } from "hono";
import { z } from "zod";
import { PATHS } from "../../api/contract/v3/paths.js";
import { ruleBulkSchema } from "../../api/contract/v3/rules.js";
import { type BatchOutcome, runBatch } from "../batch.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { readJsonObject } from "../request.js";
import { addRule, changeRule } from "../rules/changes.js";
import { readNewRule } from "../rules/check-rule.js";
import { findRule } from "../rules/find.js";
import { withinRequest } from "../rules/pattern-check.js";
import { readRuleUpdate } from "../rules/read-update.js";
import type { AccountRecord } from "../store/accounts.js";
import type { RuleRecord } from "../store/rules.js";
import { parse } from "../validate.js";
import { ruleInSecondsV3 } from "./rules.js";

const identified = z.object({ id: z.string() });

type Bulk = z.output<typeof ruleBulkSchema>;

/** The one endpoint that adds, updates or deletes many rules. Entries that fail don't fail the rest. */
export function ruleBulkRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store } = context;

  async function run({ behavior, rules }: Bulk, account: AccountRecord, domainId: number) {
    const patterns = withinRequest(context.patterns);
    const outcomes: Record<Bulk["behavior"], () => Promise<BatchOutcome<RuleRecord>>> = {
      add: () =>
        runBatch(
          rules,
          (entry) => readNewRule(entry, patterns),
          (fields) => addRule(context, account, domainId, fields),
          store,
        ),
      update: () =>
        runBatch(
          rules,
          (entry) => readRuleUpdate(store.rules, domainId, entry, patterns),
          ({ id, changes }) => changeRule(context, findRule(store.rules, domainId, id), changes),
          store,
        ),
      delete: () =>
        runBatch(
          rules,
          (entry) => parse(identified, entry).id,
          (id) => {
            const rule = findRule(store.rules, domainId, id);
            store.rules.delete(rule.seq);
            return rule;
          },
          store,
        ),
    };
    return await outcomes[behavior]();
  }

  return new Hono<ApiEnv>().post(PATHS.ruleBulk, async (c) => {
    const bulk = parse(ruleBulkSchema, await readJsonObject(c.req.raw));
    const { done, failed } = await run(bulk, c.get("account"), c.get("domain").id);
    const results = done.map((rule) => ({ operation: bulk.behavior, rule: ruleInSecondsV3(rule), success: true }));
    return c.json({ errors: failed, results, success: true });
  });
}
