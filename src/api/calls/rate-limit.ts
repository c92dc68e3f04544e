/** Headers of an answer, with lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an answer said about its endpoint's rate limit (part 8). A member is undefined where its header is absent or unreadable. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit?: number;
  /** Requests that are left in the window. */
  readonly remaining?: number;
  /** When the window ends: Unix seconds, on the service's clock. */
  readonly reset?: number;
}

/** Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset`; undefined where none of them is there. */
export function readRateLimit(headers: AnswerHeaders): RateLimit | undefined {
  const limit = wholeNumber(headers["x-ratelimit-limit"]);
  const remaining = wholeNumber(headers["x-ratelimit-remaining"]);
  const reset = wholeNumber(headers["x-ratelimit-reset"]);
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined;
  return { limit, remaining, reset };
}

/** A month: no limit of the service is longer. A longer wait is a mistake, such as a time in milliseconds. */
const LONGEST_WAIT_SECONDS = 31 * 24 * 60 * 60;

/**
 * Seconds until a refused request may be tried again: `Retry-After` as seconds, which may have decimals, or as an HTTP
 * date; else the time until `X-RateLimit-Reset`. Both moments are measured on the service's own clock where the answer
 * tells its time. A wait of more than a month is not believed: it would end the sending for good.
 */
export function readRetryAfter(headers: AnswerHeaders, now: number = Date.now()): number | undefined {
  const { "retry-after": retryAfter, "x-ratelimit-reset": reset, date } = headers;
  const time = httpDate(date) ?? now;
  const waits = [decimal(retryAfter), secondsFrom(time, httpDate(retryAfter)), resetIn(time, wholeNumber(reset))];
  return waits.find((seconds) => seconds !== undefined && seconds <= LONGEST_WAIT_SECONDS);
}

function secondsFrom(time: number, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : Math.max(0, Math.ceil((moment - time) / 1000));
}

function resetIn(time: number, reset: number | undefined): number | undefined {
  return reset === undefined ? undefined : Math.max(0, reset - Math.floor(time / 1000));
}

function decimal(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^\d{1,15}(?:\.\d{1,15})?$/.test(value.trim())) return undefined;
  return Number(value);
}

/** Milliseconds since 1970 of a date in one of HTTP's three forms (RFC 9110, 5.6.7), of which only the oldest has no zone. */
function httpDate(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^[a-z]{3}/i.test(value.trim())) return undefined;
  const text = value.trim();
  const moment = Date.parse(/[a-z]$|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : moment;
}

function wholeNumber(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value.trim())) return undefined;
  return Number(value);
}
