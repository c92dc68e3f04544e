import { Hono } from "hono";
import type { z } from "zod";
import { logFilterQuery, logListQuery, logSearchQuery } from "../../api/contract/v4/logs.js";
import { PATHS } from "../../api/contract/v4/paths.js";
import { invalidFields, notFound } from "../api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { readQuery } from "../request.js";
import { relevanceOf } from "../search.js";
import type { LogFilter } from "../store/log-filter.js";
import type { LogEntryRecord } from "../store/log-rows.js";
import { parse } from "../validate.js";
import { logEntryV4 } from "./wire.js";

export function logRoutes({ store }: ServiceContext): Hono<ApiEnv> {
  const { logs } = store;
  return new Hono<ApiEnv>()
    .get(PATHS.logs, (c) => {
      const domainId = c.get("domain").id;
      const { order, limit, cursor, ...filter } = parse(logListQuery, readQuery(c.req));
      const from = cursor === undefined ? undefined : logs.find(domainId, cursor);
      if (cursor !== undefined && !from) {
        throw invalidFields({ cursor: ["cursor is not the id of a log entry of this domain"] });
      }
      // The cursor is where a page starts, inclusive: one entry more than the page shows is the next one's.
      const found = logs.list(domainId, logFilter(filter, "exact"), {
        order: direction(order),
        from,
        limit: limit + 1,
      });
      const next = found[limit];
      return c.json({
        logs: found.slice(0, limit).map(logEntryV4),
        limit,
        cursor: cursor ?? null,
        next_cursor: next?.id ?? null,
      });
    })
    .get(PATHS.logsCount, (c) => {
      const filter = parse(logFilterQuery, readQuery(c.req));
      return c.json({ total: logs.count(c.get("domain").id, logFilter(filter, "exact")) });
    })
    .get(PATHS.logsSearch, (c) => {
      const { query, order, limit, offset, ...filter } = parse(logSearchQuery, readQuery(c.req));
      const relevance = relevanceOf(query);
      const hits = logs
        .candidates(c.get("domain").id, logFilter(filter, "substring"))
        .map((entry) => ({ seq: entry.seq, score: relevance(searchedTexts(entry)) }))
        .filter(({ score }) => score > 0);
      // Candidates come newest first, which sorting by relevance keeps among equals.
      if (order === "relevance") hits.sort((a, b) => b.score - a.score);
      if (order === "created_asc") hits.reverse();
      const page = logs.bySeq(hits.slice(offset, offset + limit).map(({ seq }) => seq));
      const next = offset + limit;
      return c.json({
        logs: page.map(logEntryV4),
        limit,
        offset,
        total: hits.length,
        next_offset: next < hits.length ? next : null,
      });
    })
    .get(PATHS.log, (c) => {
      const entry = logs.find(c.get("domain").id, c.req.param("id"));
      if (!entry) throw notFound("There is no log entry with this id on the domain.");
      return c.json(logEntryV4(entry));
    });
}

function logFilter(filter: z.infer<typeof logFilterQuery>, addresses: LogFilter["addresses"]): LogFilter {
  return { ...filter, addresses, after: time(filter.after), before: time(filter.before) };
}

function time(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : Date.parse(timestamp);
}

function direction(order: "created_desc" | "created_asc"): "asc" | "desc" {
  return order === "created_asc" ? "asc" : "desc";
}

function searchedTexts({ subject, sender, recipient, forward }: Omit<LogEntryRecord, "events">): string[] {
  return [
    subject,
    ...[sender, recipient, forward].flatMap((mailbox) => (mailbox ? [mailbox.email, mailbox.name ?? ""] : [])),
  ];
}
