import type { z } from "zod";
import type { LogEntry, logFilterQuery } from "../../api/contract/v4/logs.js";
import type { ServiceContext } from "../context.js";
import type { HandlersV4 } from "../endpoints.js";
import { invalidFields, notFound } from "../http/api-error.js";
import { isoSeconds } from "../ids.js";
import type { LogSelection } from "../store/log-filter.js";
import type { LogEntryRecord, LogPosition } from "../store/log-rows.js";
import type { LogStore } from "../store/logs.js";

/** A log id: the entry's time, and a suffix that makes it unique. */
const LOG_ID = /^(\d{1,16})\.[\da-f]+$/;

export function isLogId(text: string): boolean {
  return LOG_ID.test(text);
}

/**
 * The position of a cursor's entry in time order. An entry that has expired meanwhile keeps its position, so that a
 * client that reads page by page can continue.
 *
 * @throws ApiError (400), under the cursor's name, if the domain never had such an entry.
 */
export function positionOf(
  logs: LogStore,
  domainId: number,
  cursor: Readonly<Record<string, string>>,
  order: "asc" | "desc",
): LogPosition {
  const [[name, id] = ["cursor", ""]] = Object.entries(cursor);
  const entry = logs.find(domainId, id);
  if (entry) return entry;
  const [, digits] = LOG_ID.exec(id) ?? [];
  if (digits === undefined || Number(digits) >= logs.horizon(domainId)) {
    throw invalidFields({ [name]: [`${name} is not the id of a log entry of this domain`] });
  }
  return { createdAt: Number(digits), seq: order === "asc" ? 0 : Number.MAX_SAFE_INTEGER };
}

const SECOND_MS = 1_000;

/**
 * The filter of a query. `after` and `before` compare the times that are shown, in whole seconds, and exclude the time
 * itself.
 */
export function logFilter({ after, before, ...filter }: z.infer<typeof logFilterQuery>): LogSelection {
  return {
    ...filter,
    times: {
      from: after === undefined ? undefined : shownSecond(Date.parse(after)) + SECOND_MS,
      until: before === undefined ? undefined : shownSecond(Date.parse(before) - 1) + SECOND_MS,
    },
  };
}

function shownSecond(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS;
}

const orders = { relevance: "relevance", created_desc: "newest", created_asc: "oldest" } as const;

/** Version 4's endpoints. */
export function logHandlers({ store, logSearch }: ServiceContext): HandlersV4<"logs"> {
  const { logs } = store;
  return {
    "logs.list": ({ domain, query }) => {
      const { order, limit, cursor, ...filter } = query();
      const direction = order === "created_asc" ? "asc" : "desc";
      // A page starts at its cursor, inclusive, so the entry after the page is the next cursor.
      const entries = logs.list(domain.id, logFilter(filter), {
        order: direction,
        from: cursor === undefined ? undefined : positionOf(logs, domain.id, { cursor }, direction),
        limit: limit + 1,
      });
      return {
        logs: entries.slice(0, limit).map(logEntryV4),
        limit,
        cursor: cursor ?? null,
        next_cursor: entries[limit]?.id ?? null,
      };
    },
    "logs.count": ({ domain, query }) => ({ total: logs.count(domain.id, logFilter(query())) }),
    "logs.search": async ({ domain, query }) => {
      const { query: words, order, limit, offset, ...filter } = query();
      const found = await logSearch.find(domain.id, {
        words,
        filter: logFilter(filter),
        horizon: logs.horizon(domain.id),
        latest: logs.latest(),
        order: orders[order],
      });
      const next = offset + limit;
      return {
        logs: logs.bySeq(found.slice(offset, next)).map(logEntryV4),
        limit,
        offset,
        total: found.length,
        next_offset: next < found.length ? next : null,
      };
    },
    "logs.get": ({ domain, parameters }) => logEntryV4(findLogEntry(logs, domain.id, parameters.id)),
  };
}

/** @throws ApiError (404) if the domain has no such entry. */
export function findLogEntry(logs: LogStore, domainId: number, id: string): LogEntryRecord {
  const entry = logs.find(domainId, id);
  if (!entry) throw notFound("There is no log entry with this id on the domain.");
  return entry;
}

function logEntryV4(entry: LogEntryRecord): LogEntry {
  return {
    id: entry.id,
    created_at: isoSeconds(entry.createdAt),
    events: entry.events.map(({ createdAt, code, id, local, message, server, status }) => ({
      code,
      created_at: isoSeconds(createdAt),
      id,
      local,
      message,
      server,
      status,
    })),
    forward: entry.forward,
    hostname: entry.hostname,
    message_id: entry.messageId,
    recipient: entry.recipient,
    sender: entry.sender,
    subject: entry.subject,
    transport: entry.transport,
  };
}
