import type { AnswerReader } from "../../calls/answer.js";
import type { Caller, CallOptions } from "../../calls/caller.js";
import type { LogEntryV3, LogPageV3 } from "../../contract/v3/logs.js";
import * as PATHS from "../../contract/v3/paths.js";
import { byPlace } from "../pages.js";
import { type LogFilter, type LogReadOptions, onWire } from "../v4/logs.js";

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
  readonly logResponse: AnswerReader<LogEntryV3>;
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
    const request = { method: "GET", endpoint: PATHS.logsOfAlias, parameters: { domain, alias }, query } as const;
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
      const query = onWire(filter);
      const request = { method: "GET", endpoint: PATHS.logsCount, parameters: { domain }, query } as const;
      return (await caller.ask(request, async () => (await contract()).logCountResponse, options)).total;
    },
    async get(domain, id, options) {
      const request = { method: "GET", endpoint: PATHS.log, parameters: { domain, id } } as const;
      const schema = async () => {
        const { logResponse, readableLog } = await contract();
        return options?.unreadable === "skip" ? readableLog : logResponse;
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
