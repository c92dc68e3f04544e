import { Hono } from "hono";
import * as PATHS from "../../api/contract/v4/paths.js";
import { findAlias } from "../aliases/find.js";
import { addAlias, changeAlias, readAliasChanges, readNewAlias } from "../aliases/changes.js";
import { badRequest } from "../http/api-error.js";
import { answerBatch, asObject, readEntries, readId, runBatch } from "../http/batch.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requirePaidPlan } from "../account/plan.js";
import { readJsonObject } from "../http/request.js";
import { withinRequest } from "../rules/pattern-check.js";
import { aliasV4 } from "./aliases.js";

/** Batches of aliases, which are the same in both versions. */
export function aliasBatchRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store } = context;
  return new Hono<ApiEnv>()
    .post(PATHS.aliasBatch, async (c) => {
      const account = c.get("account");
      requirePaidPlan(account);
      const { id: domainId } = c.get("domain");
      const patterns = withinRequest(context.patterns);
      const { done, failed } = await runBatch(
        readEntries(await readJsonObject(c.req.raw), "aliases"),
        (entry) => readNewAlias(asObject(entry), patterns),
        (fields) => addAlias(context, account, domainId, fields),
        store,
      );
      return answerBatch(c, "added", { done: done.map(aliasV4), failed });
    })
    .put(PATHS.aliasBatch, async (c) => {
      const { id: domainId } = c.get("domain");
      const patterns = withinRequest(context.patterns);
      const { done, failed } = await runBatch(
        readEntries(await readJsonObject(c.req.raw), "aliases"),
        async (entry) => {
          const fields = asObject(entry);
          const id = readId(fields);
          const changes = await readAliasChanges(fields, patterns, "any");
          if (Object.keys(changes).length === 0) throw badRequest("The entry has no fields to update.");
          return { id, changes };
        },
        ({ id, changes }) => changeAlias(context, domainId, findAlias(store.aliases, domainId, id), changes),
        store,
      );
      return answerBatch(c, "updated", { done: done.map(aliasV4), failed });
    })
    .delete(PATHS.aliasBatch, async (c) => {
      const { id: domainId } = c.get("domain");
      const outcome = await runBatch(
        readEntries(await readJsonObject(c.req.raw), "ids"),
        (id) => readId({ id }),
        (id) => {
          store.aliases.delete(findAlias(store.aliases, domainId, id).id);
          return id;
        },
        store,
      );
      return answerBatch(c, "deleted", outcome);
    });
}
