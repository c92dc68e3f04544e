import { aliasBulkSchema } from "../../api/contract/v3/aliases.js";
import { requirePaidPlan } from "../account.js";
import { aliasChangesSchema, newAliasSchema } from "../../api/contract/v4/aliases.js";
import { addAlias, changeAlias, findAliasByEither, readAliasFields } from "../aliases.js";
import type { ServiceContext } from "../context.js";
import type { HandlersV3, HandlersV4 } from "../endpoints.js";
import { invalidFields, notFound } from "../http/api-error.js";
import { type BatchOutcome, runBatch } from "../http/batch.js";
import { asksForCount } from "../http/request.js";
import { parse } from "../http/validate.js";
import { withinRequest } from "../patterns/patterns.js";
import type { AliasRecord } from "../store/aliases.js";
import { aliasV3, changedAliasV3 } from "./records.js";

/** With its id in the path, an alias can also be renamed. */
const renamableSchema = newAliasSchema.partial({ alias: true });

export function aliasHandlersV3(context: ServiceContext, v4: HandlersV4<"aliases">): HandlersV3<"aliases"> {
  const { store } = context;
  const { aliases } = store;

  function findByName(domainId: number, alias: string): AliasRecord {
    const existing = aliases.findByName(domainId, alias);
    if (!existing) throw notFound("There is no such alias on the domain.");
    return existing;
  }

  return {
    "aliases.list": ({ domain, query }) => {
      const { q, alias: prefix, is_active: active, limit, page } = query();
      // Aliases cannot be made inactive, so no alias is.
      const { rows, total } =
        active === "0"
          ? { rows: [], total: 0 }
          : aliases.list(domain.id, { query: q, prefix }, { order: "name_asc", limit, page });
      return { aliases: rows.map(aliasV3), limit, page, total, success: true };
    },
    "aliases.get": ({ domain, parameters }) => {
      const { alias } = findAliasByEither(aliases, domain.id, parameters.alias);
      return { alias: aliasV3(alias), success: true };
    },
    "aliases.create": async ({ account, domain, body }) => {
      const fields = await readAliasFields(newAliasSchema, await body(), context.patterns);
      return { alias: changedAliasV3(addAlias(context, account, domain.id, fields)), success: true };
    },
    "aliases.update": async ({ domain, parameters, body }) => {
      const changes = await readAliasFields(renamableSchema, await body(), context.patterns);
      const { alias, by } = findAliasByEither(aliases, domain.id, parameters.alias);
      if (by === "name" && changes.alias !== undefined && changes.alias !== alias.alias) {
        throw invalidFields({ alias: ["alias can only be changed if the path contains the alias's integer id"] });
      }
      return { alias: changedAliasV3(changeAlias(context, domain.id, alias, changes)), success: true };
    },
    "aliases.delete": ({ domain, parameters }) => {
      aliases.delete(findAliasByEither(aliases, domain.id, parameters.alias).alias.id);
      return { success: true };
    },
    "aliases.deleteAll": ({ domain, rawQuery }) => {
      const isCounted = asksForCount(rawQuery());
      const deleted = aliases.deleteAll(domain.id);
      return { ...(isCounted && { deleted }), success: true };
    },
    "aliases.createMany": v4["aliases.createMany"],
    "aliases.updateMany": v4["aliases.updateMany"],
    "aliases.deleteMany": v4["aliases.deleteMany"],
    /** Adds, updates or deletes several aliases by name. Failed entries do not affect the others. */
    "aliases.bulk": async ({ account, domain: { id: domainId }, body }) => {
      const { behavior, aliases: entries } = parse(aliasBulkSchema, await body());
      const patterns = withinRequest(context.patterns);

      if (behavior === "delete") {
        const outcome = await runBatch(
          entries,
          ({ alias }) => alias,
          (alias) => {
            const existing = findByName(domainId, alias);
            aliases.delete(existing.id);
            return existing;
          },
          store,
        );
        const failed = failedOf(entries, outcome).map(({ alias }) => ({ alias }));
        return { deleted: outcome.done.map(aliasV3), failed, success: true };
      }

      if (behavior === "add") requirePaidPlan(account);
      const outcome =
        behavior === "add"
          ? await runBatch(
              entries,
              (entry) => readAliasFields(newAliasSchema, entry, patterns),
              (fields) => addAlias(context, account, domainId, fields),
              store,
            )
          : await runBatch(
              entries,
              async ({ alias, forward }) => ({
                alias,
                changes: await readAliasFields(aliasChangesSchema, { forward }, patterns),
              }),
              ({ alias, changes }) => changeAlias(context, domainId, findByName(domainId, alias), changes),
              store,
            );
      const failed = failedOf(entries, outcome).map(({ alias, forward = null }) => ({
        alias,
        forward,
        id: aliases.findByName(domainId, alias)?.id ?? null,
      }));
      const done = outcome.done.map(changedAliasV3);
      return {
        added: behavior === "add" ? done : [],
        updated: behavior === "update" ? done : [],
        failed,
        success: true,
      };
    },
  };
}

function failedOf<Entry>(entries: readonly Entry[], { failed }: BatchOutcome<AliasRecord>): Entry[] {
  return failed.flatMap(({ index }) => entries.slice(index, index + 1));
}
