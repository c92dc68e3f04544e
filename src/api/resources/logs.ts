import type { AnswerReader } from "../calls/answer.js";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { LogEntryV3, LogPageV3 } from "../contract/v3/logs.js";
import * as PATHS_V3 from "../contract/v3/paths.js";
import type { LogEntry, LogPage, LogSearchPage, LogStatus, LogTransport } from "../contract/v4/logs.js";
import * as PATHS from "../contract/v4/paths.js";
import { byPlace } from "./pages.js";

/** Filters entries to list, count or search; all properties are optional and combine with AND. */
export interface LogFilter {
  /** An address, in any case: exact for listing and counting, partial for searching. */
  readonly sender?: string;
  readonly recipient?: string;
  readonly forward?: string;
  /** Entries that have an event with one of these statuses. */
  readonly status?: LogStatus | readonly LogStatus[];
  readonly transport?: LogTransport;
  /** Received after this time: ISO 8601, or a Date. */
  readonly after?: string | Date;
  /** Received before this time: ISO 8601, or a Date. */
  readonly before?: string | Date;
}

export interface LogListFilter extends LogFilter {
  /** Default `created_desc`. */
  readonly order?: "created_desc" | "created_asc";
  /** Entries per page: 1 to 200. Default 100. */
  readonly limit?: number;
}

export interface LogSearchFilter extends LogFilter {
  /** Default `relevance`. */
  readonly order?: "relevance" | "created_desc" | "created_asc";
  /** Entries per page: 1 to 200. Default 20. */
  readonly limit?: number;
}

export interface LogReadOptions extends CallOptions {
  /**
   * What to do with an entry that violates the documentation, such as one without a recipient: `fail` fails the call
   * with a ContractError, `skip` leaves out the entry, or only its unreadable event. Undocumented statuses are returned
   * unchanged in both cases. Default `fail`.
   */
  readonly unreadable?: "fail" | "skip";
}

export interface LogCalls {
  /** Every matching entry, one for each recipient of an email, read page by page during iteration. */
  list(domain: string, filter?: LogListFilter, options?: LogReadOptions): AsyncIterable<LogEntry>;
  /** One page, starting at the entry that `cursor` names; a page's `next_cursor` names the next one's. */
  page(
    domain: string,
    filter?: LogListFilter & { readonly cursor?: string },
    options?: LogReadOptions,
  ): Promise<LogPage>;
  count(domain: string, filter?: LogFilter, options?: CallOptions): Promise<number>;
  get(domain: string, id: string, options?: LogReadOptions): Promise<LogEntry>;
  /** Every entry whose subject or addresses are similar to the text, tolerating typos, read page by page. */
  search(domain: string, text: string, filter?: LogSearchFilter, options?: LogReadOptions): AsyncIterable<LogEntry>;
  searchPage(
    domain: string,
    text: string,
    filter?: LogSearchFilter & { readonly offset?: number },
    options?: LogReadOptions,
  ): Promise<LogSearchPage>;
}

/** Readers of the answers: the contract's schemas, or sending's replacements for them. */
export interface LogContract {
  readonly logListResponse: AnswerReader<LogPage>;
  readonly readableLogList: AnswerReader<LogPage>;
  readonly logCountResponse: AnswerReader<{ readonly total: number }>;
  readonly logEntrySchema: AnswerReader<LogEntry>;
  readonly readableLogEntry: AnswerReader<LogEntry>;
}

export function logCalls(caller: Caller, contract: () => Promise<LogContract>): Omit<LogCalls, keyof LogSearch> {
  const page: LogCalls["page"] = (domain, filter = {}, options) => {
    const request = {
      method: "GET",
      endpoint: PATHS.logs,
      parameters: { domain },
      query: logQueryParameters(filter),
    } as const;
    const schema = async () => {
      const { logListResponse, readableLogList } = await contract();
      return options?.unreadable === "skip" ? readableLogList : logListResponse;
    };
    return caller.ask(request, schema, options);
  };

  return {
    page,
    list: (domain, filter, options) =>
      byPlace(
        async (cursor: string | undefined) => {
          const { logs, next_cursor } = await page(domain, { ...filter, ...(cursor && { cursor }) }, options);
          return { items: logs, next: next_cursor ?? undefined };
        },
        ({ id }) => id,
      ),
    async count(domain, filter = {}, options) {
      const request = {
        method: "GET",
        endpoint: PATHS.logsCount,
        parameters: { domain },
        query: logQueryParameters(filter),
      } as const;
      const { total } = await caller.ask(request, async () => (await contract()).logCountResponse, options);
      return total;
    },
    get(domain, id, options) {
      const request = { method: "GET", endpoint: PATHS.log, parameters: { domain, id } } as const;
      const schema = async () => {
        const { logEntrySchema, readableLogEntry } = await contract();
        return options?.unreadable === "skip" ? readableLogEntry : logEntrySchema;
      };
      return caller.ask(request, schema, options);
    },
  };
}

/** The calls that sending doesn't need. */
type LogSearch = Pick<LogCalls, "search" | "searchPage">;

interface LogSearchContract {
  readonly logSearchResponse: AnswerReader<LogSearchPage>;
  readonly readableLogSearch: AnswerReader<LogSearchPage>;
}

export function logSearchCalls(caller: Caller, contract: () => Promise<LogSearchContract>): LogSearch {
  const searchPage: LogCalls["searchPage"] = (domain, text, filter = {}, options) => {
    const request = {
      method: "GET",
      endpoint: PATHS.logsSearch,
      parameters: { domain },
      query: { ...logQueryParameters(filter), query: text },
    } as const;
    const schema = async () => {
      const { logSearchResponse, readableLogSearch } = await contract();
      return options?.unreadable === "skip" ? readableLogSearch : logSearchResponse;
    };
    return caller.ask(request, schema, options);
  };

  return {
    searchPage,
    search: (domain, text, filter, options) =>
      byPlace(
        async (offset: number | undefined = 0) => {
          const { logs, next_offset } = await searchPage(domain, text, { ...filter, offset }, options);
          return { items: logs, next: next_offset ?? undefined };
        },
        ({ id }) => id,
      ),
  };
}

/** The filters in the URL's format, the same in both versions. */
export function logQueryParameters<Filter extends LogFilter>({ status, after, before, ...filter }: Filter) {
  return {
    ...filter,
    status: typeof status === "string" ? status : status?.join(","),
    after: isoTime(after),
    before: isoTime(before),
  };
}

function isoTime(time: string | Date | undefined): string | undefined {
  return time instanceof Date ? time.toISOString().replace(".000Z", "Z") : time;
}

export interface LogPageFilterV3 {
  /** A log id: the page begins after its entry. */
  readonly nextCursor?: string;
}

/** Filters entries. */
export interface LogSearchFilterV3 {
  /** Received at this time or later: a Date, or Unix seconds. */
  readonly after: Date | number;
  /** Received at this time or earlier: a Date, or Unix seconds. */
  readonly before: Date | number;
  /** Part of the subject or of an address, in any case. */
  readonly text?: string;
  /** `failure` for bounces only. Default `all`. */
  readonly filter?: "all" | "failure";
  /** Default `desc`: newest first. */
  readonly order?: "desc" | "asc";
}

export interface LogCallsV3 {
  /** Every entry of the domain, one for each recipient of an email, read page by page during iteration. */
  list(domain: string, options?: LogReadOptions): AsyncIterable<LogEntryV3>;
  /** One page. */
  page(domain: string, filter?: LogPageFilterV3, options?: LogReadOptions): Promise<LogPageV3>;
  /** Every entry of one alias, which may be a regular expression. */
  ofAlias(domain: string, alias: string, options?: LogReadOptions): AsyncIterable<LogEntryV3>;
  /** One page of an alias's entries. */
  pageOfAlias(domain: string, alias: string, filter?: LogPageFilterV3, options?: LogReadOptions): Promise<LogPageV3>;
  /** Every matching entry of a time span, in one request. */
  search(domain: string, filter: LogSearchFilterV3, options?: LogReadOptions): AsyncIterable<LogEntryV3>;
  /** The number of matching entries, with version 4's filters. */
  count(domain: string, filter?: LogFilter, options?: CallOptions): Promise<number>;
  get(domain: string, id: string, options?: LogReadOptions): Promise<LogEntryV3>;
}

/** Readers of the answers: the contract's schemas, or sending's replacements for them. */
export interface LogContractV3 {
  readonly logsResponse: AnswerReader<LogPageV3>;
  readonly readableLogs: AnswerReader<LogPageV3>;
  readonly logCountResponse: AnswerReader<{ readonly total: number }>;
  readonly anyLog: AnswerReader<LogEntryV3>;
  readonly readableLog: AnswerReader<LogEntryV3>;
}

export function logCallsV3(caller: Caller, contract: () => Promise<LogContractV3>): LogCallsV3 {
  const answerOf = (options: LogReadOptions | undefined) => async () => {
    const { logsResponse, readableLogs } = await contract();
    return options?.unreadable === "skip" ? readableLogs : logsResponse;
  };
  const page: LogCallsV3["page"] = (domain, { nextCursor } = {}, options) => {
    const query = { next_cursor: nextCursor };
    const request = { method: "GET", endpoint: PATHS.logs, parameters: { domain }, query } as const;
    return caller.ask(request, answerOf(options), options);
  };
  const pageOfAlias: LogCallsV3["pageOfAlias"] = async (domain, alias, { nextCursor } = {}, options) => {
    const query = { next_cursor: nextCursor };
    const request = { method: "GET", endpoint: PATHS_V3.logsOfAlias, parameters: { domain, alias }, query } as const;
    return caller.ask(request, answerOf(options), options);
  };

  return {
    page,
    pageOfAlias,
    list: (domain, options) => followed((nextCursor) => page(domain, { nextCursor }, options), options),
    ofAlias: (domain, alias, options) =>
      followed((nextCursor) => pageOfAlias(domain, alias, { nextCursor }, options), options),
    async *search(domain, { after, before, ...filter }, options) {
      const query = { ...filter, after: unixSeconds(after), before: unixSeconds(before) };
      const request = { method: "GET", endpoint: PATHS.logsSearch, parameters: { domain }, query } as const;
      yield* (await caller.ask(request, answerOf(options), options)).logs;
    },
    async count(domain, filter = {}, options) {
      const query = logQueryParameters(filter);
      const request = { method: "GET", endpoint: PATHS.logsCount, parameters: { domain }, query } as const;
      return (await caller.ask(request, async () => (await contract()).logCountResponse, options)).total;
    },
    async get(domain, id, options) {
      const request = { method: "GET", endpoint: PATHS.log, parameters: { domain, id } } as const;
      const schema = async () => {
        const { anyLog, readableLog } = await contract();
        return options?.unreadable === "skip" ? readableLog : anyLog;
      };
      return caller.ask(request, schema, options);
    },
  };
}

/**
 * Every entry, from page to page. The documentation does not say where the next cursor comes from: if the answer has
 * one, it is used; otherwise the id of the page's last entry.
 */
function followed(
  readPage: (nextCursor: string | undefined) => Promise<LogPageV3>,
  { unreadable }: LogReadOptions = {},
): AsyncIterable<LogEntryV3> {
  return byPlace(
    async (place: string | undefined) => {
      const { logs, next_cursor = logs.at(-1)?.id } = await readPage(place);
      // A page may be empty because all of it is unreadable.
      const isLast = logs.length === 0 && unreadable !== "skip";
      return { items: logs, next: isLast ? undefined : (next_cursor ?? undefined) };
    },
    ({ id }) => id,
  );
}

/** Whole seconds, which is the service's resolution. */
function unixSeconds(time: Date | number): number {
  return Math.floor(time instanceof Date ? time.getTime() / 1000 : time);
}
