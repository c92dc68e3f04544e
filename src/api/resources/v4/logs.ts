import type { Caller, CallOptions } from "../../caller.js";
import type { LogEntry, LogPage, LogSearchPage, LogStatus, LogTransport } from "../../contract/v4/logs.js";
import { PATHS } from "../../contract/v4/paths.js";

/** Which entries to list, count or search; all members are optional and combine with AND. */
export interface LogFilter {
  /** An address: exact where listing and counting, a part of it where searching; case does not matter. */
  readonly sender?: string;
  readonly recipient?: string;
  readonly forward?: string;
  /** Entries that have an event with one of these statuses. */
  readonly status?: LogStatus | readonly LogStatus[];
  readonly transport?: LogTransport;
  /** Received after this moment: ISO 8601. */
  readonly after?: string;
  /** Received before this moment: ISO 8601. */
  readonly before?: string;
}

export interface LogListFilter extends LogFilter {
  /** Default `created_desc`. */
  readonly order?: "created_desc" | "created_asc";
  /** Entries on a page: 1 to 200. Default 100. */
  readonly limit?: number;
}

export interface LogSearchFilter extends LogFilter {
  /** Default `relevance`. */
  readonly order?: "relevance" | "created_desc" | "created_asc";
  /** Entries on a page: 1 to 200. Default 20. */
  readonly limit?: number;
}

export interface LogCalls {
  /** Every entry that fits, one for each recipient of a mail, read page by page while it is iterated. */
  list(domain: string, filter?: LogListFilter, options?: CallOptions): AsyncIterable<LogEntry>;
  /** One page, from the entry that `cursor` names; a page's `next_cursor` names the next one's. */
  page(domain: string, filter?: LogListFilter & { readonly cursor?: string }, options?: CallOptions): Promise<LogPage>;
  count(domain: string, filter?: LogFilter, options?: CallOptions): Promise<number>;
  get(domain: string, id: string, options?: CallOptions): Promise<LogEntry>;
  /** Every entry whose subject or addresses are like the text, typing errors forgiven, read page by page. */
  search(domain: string, text: string, filter?: LogSearchFilter, options?: CallOptions): AsyncIterable<LogEntry>;
  searchPage(
    domain: string,
    text: string,
    filter?: LogSearchFilter & { readonly offset?: number },
    options?: CallOptions,
  ): Promise<LogSearchPage>;
}

const contract = () => import("../../contract/v4/logs.js");

export function logCalls(caller: Caller): LogCalls {
  const page: LogCalls["page"] = (domain, filter = {}, options) => {
    const request = { method: "GET", endpoint: PATHS.logs, parameters: { domain }, query: onWire(filter) } as const;
    return caller.ask(request, async () => (await contract()).logListResponse, options);
  };

  const searchPage: LogCalls["searchPage"] = (domain, text, filter = {}, options) => {
    const request = {
      method: "GET",
      endpoint: PATHS.logsSearch,
      parameters: { domain },
      query: { ...onWire(filter), query: text },
    } as const;
    return caller.ask(request, async () => (await contract()).logSearchResponse, options);
  };

  return {
    page,
    searchPage,
    async *list(domain, filter, options) {
      let cursor: string | undefined;
      do {
        const { logs, next_cursor }: LogPage = await page(
          domain,
          cursor === undefined ? filter : { ...filter, cursor },
          options,
        );
        yield* logs;
        cursor = next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
    async *search(domain, text, filter, options) {
      let offset: number | null = 0;
      while (offset !== null) {
        const { logs, next_offset }: LogSearchPage = await searchPage(domain, text, { ...filter, offset }, options);
        yield* logs;
        offset = next_offset;
      }
    },
    async count(domain, filter = {}, options) {
      const request = {
        method: "GET",
        endpoint: PATHS.logsCount,
        parameters: { domain },
        query: onWire(filter),
      } as const;
      const { total } = await caller.ask(request, async () => (await contract()).logCountResponse, options);
      return total;
    },
    get(domain, id, options) {
      const request = { method: "GET", endpoint: PATHS.log, parameters: { domain, id } } as const;
      return caller.ask(request, async () => (await contract()).logEntrySchema, options);
    },
  };
}

function onWire<Filter extends LogFilter>({ status, ...filter }: Filter) {
  return { ...filter, status: typeof status === "string" ? status : status?.join(",") };
}
