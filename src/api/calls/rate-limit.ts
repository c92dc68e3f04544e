/** Headers of an answer, with lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer's rate limit for its endpoint (part 8). A property is undefined if its header is absent or invalid. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit?: number;
  /** Requests that are left in the window. */
  readonly remaining?: number;
  /** When the window ends: Unix seconds, on the service's clock. */
  readonly reset?: number;
}

/** Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset`; undefined if all are absent. */
export function readRateLimit(headers: AnswerHeaders): RateLimit | undefined {
  const limit = wholeNumber(headers["x-ratelimit-limit"]);
  const remaining = wholeNumber(headers["x-ratelimit-remaining"]);
  const reset = wholeNumber(headers["x-ratelimit-reset"]);
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined;
  return { limit, remaining, reset };
}

/** A month: the service has no longer limit. A longer wait is a mistake, such as a time in milliseconds. */
const LONGEST_WAIT_SECONDS = 31 * 24 * 60 * 60;

/**
 * Seconds until a refused request may be retried: `Retry-After` as seconds, with or without decimals, or as an HTTP
 * date; otherwise the time until `X-RateLimit-Reset`. Both are measured on the service's clock if the answer has its
 * time. Waits of more than a month are ignored, since they would stop sending for good.
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

/**
 * Milliseconds since 1970 for a date in one of HTTP's three formats (RFC 9110, 5.6.7), of which only the oldest has no
 * time zone.
 */
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
