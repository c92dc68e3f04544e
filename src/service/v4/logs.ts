import { Hono } from "hono";
import { logFilterQuery, logListQuery, logSearchQuery } from "../../api/contract/v4/logs.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import { notFound } from "../http/api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { positionOf } from "../logs/cursor.js";
import { logFilter } from "../logs/filter.js";
import { readQuery } from "../http/request.js";
import { parse } from "../http/validate.js";
import { logEntryV4 } from "./wire.js";

const orders = { relevance: "relevance", created_desc: "newest", created_asc: "oldest" } as const;

export function logRoutes({ store, logSearch }: ServiceContext): Hono<ApiEnv> {
  const { logs } = store;
  return new Hono<ApiEnv>()
    .get(PATHS.logs, (c) => {
      const domainId = c.get("domain").id;
      const { order, limit, cursor, ...filter } = parse(logListQuery, readQuery(c.req));
      const direction = order === "created_asc" ? "asc" : "desc";
      // A page starts at its cursor, inclusive, so the entry after the page is the next cursor.
      const result = logs.list(domainId, logFilter(filter), {
        order: direction,
        from: cursor === undefined ? undefined : positionOf(logs, domainId, { cursor }, direction),
        limit: limit + 1,
      });
      return c.json({
        logs: result.slice(0, limit).map(logEntryV4),
        limit,
        cursor: cursor ?? null,
        next_cursor: result[limit]?.id ?? null,
      });
    })
    .get(PATHS.logsCount, (c) => {
      const filter = parse(logFilterQuery, readQuery(c.req));
      return c.json({ total: logs.count(c.get("domain").id, logFilter(filter)) });
    })
    .get(PATHS.logsSearch, async (c) => {
      const domainId = c.get("domain").id;
      const { query, order, limit, offset, ...filter } = parse(logSearchQuery, readQuery(c.req));
      const result = await logSearch.find(domainId, {
        query,
        filter: logFilter(filter),
        horizon: logs.horizon(domainId),
        latest: logs.latest(),
        order: orders[order],
      });
      const next = offset + limit;
      return c.json({
        logs: logs.bySeq(result.seqs(offset, next)).map(logEntryV4),
        limit,
        offset,
        total: result.total,
        next_offset: next < result.total ? next : null,
      });
    })
    .get(PATHS.log, (c) => {
      const entry = logs.find(c.get("domain").id, c.req.param("id"));
      if (!entry) throw notFound("There is no log entry with this id on the domain.");
      return c.json(logEntryV4(entry));
    });
}
