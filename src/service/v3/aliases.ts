import { Hono } from "hono";
import { aliasListQuery, type AliasV3 } from "../../api/contract/v3/aliases.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { addAlias, changeAlias, readAliasChanges, readNewAlias } from "../aliases/changes.js";
import { findAliasByEither } from "../aliases/find.js";
import { invalidFields } from "../http/api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { asksForCount } from "../http/delete-all.js";
import { readJsonObject, readQuery } from "../http/request.js";
import type { AliasRecord } from "../store/aliases.js";
import { parse } from "../http/validate.js";

export function aliasRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { aliases } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.aliases, (c) => {
      const { q: query, alias: prefix, is_active: active, limit, page } = parse(aliasListQuery, readQuery(c.req));
      // Aliases cannot be made inactive, so no alias is.
      const records =
        active === "0"
          ? { aliases: [], total: 0 }
          : aliases.list(c.get("domain").id, { query, prefix }, { order: "name_asc", limit, page });
      return c.json({ aliases: records.aliases.map(aliasV3), limit, page, total: records.total, success: true });
    })
    .get(PATHS.alias, (c) => {
      const { alias } = findAliasByEither(aliases, c.get("domain").id, c.req.param("alias"));
      return c.json({ alias: aliasV3(alias), success: true });
    })
    .post(PATHS.aliases, async (c) => {
      const fields = await readNewAlias(await readJsonObject(c.req.raw), context.patterns);
      const alias = addAlias(context, c.get("account"), c.get("domain").id, fields);
      return c.json({ alias: changedAliasV3(alias), success: true });
    })
    .put(PATHS.alias, async (c) => {
      const { id: domainId } = c.get("domain");
      const changes = await readAliasChanges(await readJsonObject(c.req.raw), context.patterns, "renamable");
      const { alias, by } = findAliasByEither(aliases, domainId, c.req.param("alias"));
      if (by === "name" && changes.alias !== undefined && changes.alias !== alias.alias) {
        throw invalidFields({ alias: ["alias can only be changed if the path contains the alias's integer id"] });
      }
      return c.json({ alias: changedAliasV3(changeAlias(context, domainId, alias, changes)), success: true });
    })
    .delete(PATHS.aliasesAll, (c) => {
      const counted = asksForCount(c.req);
      const deleted = aliases.deleteAll(c.get("domain").id);
      return c.json(counted ? { deleted, success: true } : { success: true });
    })
    .delete(PATHS.alias, (c) => {
      aliases.delete(findAliasByEither(aliases, c.get("domain").id, c.req.param("alias")).alias.id);
      return c.json({ success: true });
    });
}

export function aliasV3({ id, alias, forward, createdAt }: AliasRecord): AliasV3 {
  return { id, alias, forward, created: createdAt };
}

/** An alias that was just added or updated, which is shown without its time. */
export function changedAliasV3({ id, alias, forward }: AliasRecord): AliasV3 {
  return { forward, alias, id };
}
