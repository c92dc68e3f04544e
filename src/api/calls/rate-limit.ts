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

/**
 * Seconds until a refused request may be tried again: `Retry-After` in seconds, else the time until
 * `X-RateLimit-Reset`, measured on the service's own clock where the answer tells its time.
 */
export function readRetryAfter(headers: AnswerHeaders, now: number = Date.now()): number | undefined {
  const retryAfter = wholeNumber(headers["retry-after"]);
  if (retryAfter !== undefined) return retryAfter;
  const reset = wholeNumber(headers["x-ratelimit-reset"]);
  if (reset === undefined) return undefined;
  const serviceTime = typeof headers["date"] === "string" ? Date.parse(headers["date"]) : Number.NaN;
  const seconds = reset - Math.floor((Number.isNaN(serviceTime) ? now : serviceTime) / 1000);
  return Math.max(0, seconds);
}

function wholeNumber(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value.trim())) return undefined;
  return Number(value);
}
