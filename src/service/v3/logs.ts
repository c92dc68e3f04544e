import { type Context, Hono } from "hono";
import { logListQuery, logSearchQuery } from "../../api/contract/v3/logs.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { logFilterQuery, type LogStatus } from "../../api/contract/v4/logs.js";
import { notFound } from "../http/api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { aliasAddresses } from "../logs/alias-addresses.js";
import { isLogId, positionOf } from "../logs/cursor.js";
import { logFilter } from "../logs/filter.js";
import { searchText } from "../logs/text-search.js";
import { readQuery } from "../http/request.js";
import type { LogFilter } from "../store/log-filter.js";
import { parse } from "../http/validate.js";
import { logEntryV3 } from "./log-entry.js";

/** Entries per page, which the document does not specify. */
const PAGE = 100;
const SECOND_MS = 1_000;

const bounces: readonly LogStatus[] = ["SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED"];

export function logRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { logs } = context.store;

  /** A page, newest first, after the entry that the query names. */
  function answerPage(c: Context<ApiEnv>, filter: LogFilter): Response {
    const domainId = c.get("domain").id;
    const { next_cursor } = parse(logListQuery, readQuery(c.req));
    const from = next_cursor === undefined ? undefined : positionOf(logs, domainId, { next_cursor }, "desc");
    // The cursor's own entry, plus one that shows whether there is more.
    const entries = logs
      .list(domainId, filter, { order: "desc", from, limit: PAGE + 2 })
      .filter(({ id }) => id !== next_cursor);
    const page = entries.slice(0, PAGE);
    const last = entries.length > PAGE ? page.at(-1)?.id : undefined;
    return c.json({ logs: page.map(logEntryV3), next_cursor: last ?? null, success: true });
  }

  return new Hono<ApiEnv>()
    .get(PATHS.logs, (c) => answerPage(c, {}))
    .get(PATHS.logsCount, (c) => {
      const filter = parse(logFilterQuery, readQuery(c.req));
      return c.json({ total: logs.count(c.get("domain").id, logFilter(filter)), success: true });
    })
    .get(PATHS.logsSearch, async (c) => {
      const { filter, text, order, after, before } = parse(logSearchQuery, readQuery(c.req));
      const entries = await searchText(context, c.get("domain").id, text, {
        filter: {
          ...(filter === "failure" && { status: bounces }),
          times: { from: after * SECOND_MS, until: (before + 1) * SECOND_MS },
        },
        order: order === "asc" ? "oldest" : "newest",
      });
      return c.json({ logs: entries.map(logEntryV3), success: true });
    })
    .get(PATHS.logsOfAlias, (c) => {
      const domain = c.get("domain");
      const alias = c.req.param("alias");
      // `/logs/:id` is the same path. No other alias has the form of a log id.
      if (!isLogId(alias)) return answerPage(c, { between: aliasAddresses(context.store, domain, alias) });
      const entry = logs.find(domain.id, alias);
      if (!entry) throw notFound("There is no log entry with this id on the domain.");
      return c.json({ ...logEntryV3(entry), success: true });
    });
}
