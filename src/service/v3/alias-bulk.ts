import { Hono } from "hono";
import { aliasBulkSchema } from "../../api/contract/v3/aliases.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { addAlias, changeAlias, readAliasChanges, readNewAlias } from "../aliases/changes.js";
import { notFound } from "../http/api-error.js";
import { type BatchOutcome, runBatch } from "../http/batch.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requirePaidPlan } from "../account/plan.js";
import { readJsonObject } from "../http/request.js";
import { withinRequest } from "../rules/pattern-check.js";
import type { AliasRecord } from "../store/aliases.js";
import { parse } from "../http/validate.js";
import { aliasV3, changedAliasV3 } from "./aliases.js";

/** The endpoint that adds, updates or deletes several aliases by name. Failed entries do not affect the others. */
export function aliasBulkRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store } = context;

  function find(domainId: number, alias: string): AliasRecord {
    const existing = store.aliases.findByName(domainId, alias);
    if (!existing) throw notFound("There is no such alias on the domain.");
    return existing;
  }

  return new Hono<ApiEnv>().post(PATHS.aliasBulk, async (c) => {
    const account = c.get("account");
    const { id: domainId } = c.get("domain");
    const { behavior, aliases } = parse(aliasBulkSchema, await readJsonObject(c.req.raw));
    const patterns = withinRequest(context.patterns);

    if (behavior === "delete") {
      const outcome = await runBatch(
        aliases,
        ({ alias }) => alias,
        (alias) => {
          const existing = find(domainId, alias);
          store.aliases.delete(existing.id);
          return existing;
        },
        store,
      );
      const failed = failedOf(aliases, outcome).map(({ alias }) => ({ alias }));
      return c.json({ deleted: outcome.done.map(aliasV3), failed, success: true });
    }

    if (behavior === "add") requirePaidPlan(account);
    const outcome =
      behavior === "add"
        ? await runBatch(
            aliases,
            (entry) => readNewAlias(entry, patterns),
            (fields) => addAlias(context, account, domainId, fields),
            store,
          )
        : await runBatch(
            aliases,
            async ({ alias, forward }) => ({ alias, changes: await readAliasChanges({ forward }, patterns) }),
            ({ alias, changes }) => changeAlias(context, domainId, find(domainId, alias), changes),
            store,
          );
    const failed = failedOf(aliases, outcome).map(({ alias, forward = null }) => ({
      alias,
      forward,
      id: store.aliases.findByName(domainId, alias)?.id ?? null,
    }));
    const done = outcome.done.map(changedAliasV3);
    return c.json({
      added: behavior === "add" ? done : [],
      updated: behavior === "update" ? done : [],
      failed,
      success: true,
    });
  });
}

function failedOf<Entry>(entries: readonly Entry[], { failed }: BatchOutcome<AliasRecord>): Entry[] {
  return failed.flatMap(({ index }) => entries.slice(index, index + 1));
}
