import { Hono } from "hono";
import { type Alias, aliasListQuery } from "../../api/contract/v4/aliases.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import { findAlias } from "../aliases/find.js";
import { addAlias, changeAlias, readAliasChanges, readNewAlias } from "../aliases/changes.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requireAll } from "../http/delete-all.js";
import { readJsonObject, readQuery } from "../http/request.js";
import type { AliasRecord } from "../store/aliases.js";
import { isoSeconds } from "../timestamp.js";
import { parse } from "../http/validate.js";

export function aliasRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { aliases } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.aliases, (c) => {
      const { order, limit, page, query } = parse(aliasListQuery, readQuery(c.req));
      const records = aliases.list(c.get("domain").id, { query }, { order, limit, page });
      return c.json({ aliases: records.aliases.map(aliasV4), limit, page, total: records.total });
    })
    .get(PATHS.alias, (c) => {
      return c.json({ alias: aliasV4(findAlias(aliases, c.get("domain").id, c.req.param("id"))) });
    })
    .post(PATHS.aliases, async (c) => {
      const fields = await readNewAlias(await readJsonObject(c.req.raw), context.patterns);
      return c.json({ alias: aliasV4(addAlias(context, c.get("account"), c.get("domain").id, fields)) });
    })
    .put(PATHS.alias, async (c) => {
      const { id: domainId } = c.get("domain");
      const changes = await readAliasChanges(await readJsonObject(c.req.raw), context.patterns);
      const alias = findAlias(aliases, domainId, c.req.param("id"));
      return c.json({ alias: aliasV4(changeAlias(context, domainId, alias, changes)) });
    })
    .delete(PATHS.aliases, (c) => {
      requireAll(c.req);
      return c.json({ deleted: aliases.deleteAll(c.get("domain").id) });
    })
    .delete(PATHS.alias, (c) => {
      aliases.delete(findAlias(aliases, c.get("domain").id, c.req.param("id")).id);
      return c.body(null, 204);
    });
}

export function aliasV4({ id, alias, forward, createdAt, updatedAt }: AliasRecord): Alias {
  return {
    id: String(id),
    alias,
    forward,
    created_at: isoSeconds(createdAt),
    updated_at: isoSeconds(updatedAt),
  };
}
