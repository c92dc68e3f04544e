import { Hono } from "hono";
import * as PATHS from "../../api/contract/v4/paths.js";
import { answerBatch, asObject, readEntries, readId, runBatch } from "../http/batch.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { readJsonObject } from "../http/request.js";
import { addRule, changeRule } from "../rules/changes.js";
import { readNewRule } from "../rules/check-rule.js";
import { findRule } from "../rules/find.js";
import { withinRequest } from "../rules/pattern-check.js";
import { readRuleUpdate } from "../rules/read-update.js";
import { ruleV4 } from "./rules.js";

/** Batches of rules, which are the same in both versions. */
export function ruleBatchRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store } = context;
  const { rules } = store;
  return new Hono<ApiEnv>()
    .post(PATHS.ruleBatch, async (c) => {
      const account = c.get("account");
      const { id: domainId } = c.get("domain");
      const patterns = withinRequest(context.patterns);
      const { done, failed } = await runBatch(
        readEntries(await readJsonObject(c.req.raw), "rules"),
        (entry) => readNewRule(asObject(entry), patterns),
        (fields) => addRule(context, account, domainId, fields),
        store,
      );
      return answerBatch(c, "added", { done: done.map(ruleV4), failed });
    })
    .put(PATHS.ruleBatch, async (c) => {
      const { id: domainId } = c.get("domain");
      const patterns = withinRequest(context.patterns);
      const { done, failed } = await runBatch(
        readEntries(await readJsonObject(c.req.raw), "rules"),
        (entry) => readRuleUpdate(rules, domainId, asObject(entry), patterns),
        ({ id, changes }) => changeRule(context, findRule(rules, domainId, id), changes),
        store,
      );
      return answerBatch(c, "updated", { done: done.map(ruleV4), failed });
    })
    .delete(PATHS.ruleBatch, async (c) => {
      const { id: domainId } = c.get("domain");
      const outcome = await runBatch(
        readEntries(await readJsonObject(c.req.raw), "ids"),
        (id) => readId({ id }),
        (id) => {
          const rule = findRule(rules, domainId, id);
          rules.delete(rule.seq);
          return rule.id;
        },
        store,
      );
      return answerBatch(c, "deleted", outcome);
    });
}
