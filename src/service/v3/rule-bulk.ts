import { Hono } from "hono";
import type { z } from "zod";
import * as PATHS from "../../api/contract/v3/paths.js";
import { ruleBulkSchema } from "../../api/contract/v3/rules.js";
import { asObject, type BatchOutcome, readEntries, readId, runBatch } from "../http/batch.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { readJsonObject } from "../http/request.js";
import { addRule, changeRule } from "../rules/changes.js";
import { readNewRule } from "../rules/check-rule.js";
import { findRule } from "../rules/find.js";
import { withinRequest } from "../rules/pattern-check.js";
import { readRuleUpdate } from "../rules/read-update.js";
import type { AccountRecord } from "../store/accounts.js";
import type { RuleRecord } from "../store/rules.js";
import { parse } from "../http/validate.js";
import { ruleInSecondsV3 } from "./rules.js";

const bulkBehavior = ruleBulkSchema.pick({ behavior: true });

interface Bulk extends z.output<typeof bulkBehavior> {
  /** Entries of any form: one that is not an object only fails itself. */
  readonly rules: readonly unknown[];
}

/** The endpoint that adds, updates or deletes several rules. Failed entries do not affect the others. */
export function ruleBulkRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store } = context;

  async function run({ behavior, rules }: Bulk, account: AccountRecord, domainId: number) {
    const patterns = withinRequest(context.patterns);
    const outcomes: Record<Bulk["behavior"], () => Promise<BatchOutcome<RuleRecord>>> = {
      add: () =>
        runBatch(
          rules,
          (entry) => readNewRule(asObject(entry), patterns),
          (fields) => addRule(context, account, domainId, fields),
          store,
        ),
      update: () =>
        runBatch(
          rules,
          (entry) => readRuleUpdate(store.rules, domainId, asObject(entry), patterns),
          ({ id, changes }) => changeRule(context, findRule(store.rules, domainId, id), changes),
          store,
        ),
      delete: () =>
        runBatch(
          rules,
          (entry) => readId(asObject(entry)),
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
    const body = await readJsonObject(c.req.raw);
    const { behavior } = parse(bulkBehavior, body);
    const { done, failed } = await run(
      { behavior, rules: readEntries(body, "rules") },
      c.get("account"),
      c.get("domain").id,
    );
    const results = done.map((rule) => ({ operation: behavior, rule: ruleInSecondsV3(rule), success: true }));
    return c.json({ errors: failed, results, success: true });
  });
}
