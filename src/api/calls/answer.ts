import { ContractError, type RequestFacts, ServiceError } from "../errors.js";
import { ANSWER_BYTES_MAX, type AnswerHeaders, type HttpAnswer } from "./http.js";
import type { Redact } from "./base-url.js";
import { isRecord } from "../../values.js";

/** An answer with its request, and the function that redacts its secrets. */
export interface Answered {
  readonly facts: RequestFacts;
  readonly answer: HttpAnswer;
  readonly redact: Redact;
}

/** Reads an answer's body: a zod schema, or a few lines if loading zod would cost more than the call. */
export interface AnswerReader<Body> {
  safeParse(body: unknown):
    | { readonly success: true; readonly data: Body }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly AnswerIssue[] };
      };
}

interface AnswerIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** For a union: the problems that each of its schemas finds. */
  readonly errors?: readonly (readonly AnswerIssue[])[] | undefined;
}

/** @throws ServiceError for status 400 and above; ContractError for a redirect, which is never followed. */
export function throwIfRefused(answered: Answered): void {
  const { answer, redact } = answered;
  if (answer.status >= 400) throw refusal(answered, readRefusal(parseJson(answer.body.toString()), redact));
  const redirect = readRedirect(answered);
  if (redirect) throw contractError(answered, redirect.problem, redirect.hint);
}

/**
 * Reads an answer that has a body.
 *
 * @throws ServiceError for version 3's `success: false`, unless the schema allows it; ContractError.
 */
export function readBody<Body>(
  answered: Answered,
  reader: AnswerReader<Body>,
  { withSuccess }: { readonly withSuccess: boolean },
): Body {
  const { answer, redact } = answered;
  if (answer.status < 200 || answer.status >= 300) throw contractError(answered, `its status is ${answer.status}`);
  if (answer.truncated)
    throw contractError(answered, `it is longer than ${ANSWER_BYTES_MAX / 1024 / 1024} MB; request less at a time`);
  const body = parseJson(answer.body.toString());
  if (body === undefined) throw contractError(answered, "it is not JSON");
  const checked = reader.safeParse(body);
  if (checked.success) return checked.data;
  if (withSuccess && isRecord(body) && body["success"] === false) throw refusal(answered, readRefusal(body, redact));
  throw contractError(answered, checked.error.issues.flatMap((issue) => describe(issue)).join("; "));
}

/** For a union, the problems that its first schema, the documented one, finds. */
function describe(issue: AnswerIssue, above: readonly PropertyKey[] = []): string[] {
  const path = [...above, ...issue.path];
  const [documented = []] = issue.errors ?? [];
  if (documented.length > 0) return documented.flatMap((inner) => describe(inner, path));
  return [[...(path.length > 0 ? [path.join(".")] : []), issue.message].join(": ")];
}

/**
 * Reads an answer that only confirms success: 204, or version 3's `{ success: true }`.
 *
 * @throws ServiceError for `success: false`; ContractError.
 */
export function readConfirmation(answered: Answered, { withSuccess }: { readonly withSuccess: boolean }): void {
  const { status, body } = answered.answer;
  if (status === 204) return;
  if (!withSuccess) throw contractError(answered, `its status is ${status}, not 204`);
  const parsed = status === 200 ? parseJson(body.toString()) : undefined;
  if (isRecord(parsed) && parsed["success"] === true) return;
  if (isRecord(parsed) && parsed["success"] === false) throw refusal(answered, readRefusal(parsed, answered.redact));
  throw contractError(answered, `its status is ${status}, and it does not confirm success`);
}

function refusal({ facts, answer, redact }: Answered, { message, fieldErrors }: RefusalBody): ServiceError {
  const { status, statusText, headers } = answer;
  const retryAfterSeconds = status === 429 ? readRetryAfter(headers) : readDelay(status, headers);
  return new ServiceError(facts, {
    status,
    serviceMessage: (message ?? (redact(statusText) || "no message")).slice(0, MESSAGE_MAX),
    fieldErrors,
    retryAfterSeconds,
    rateLimit: readRateLimit(headers),
  });
}

/** A 503 may say when to retry; in other answers, the header has a different meaning. */
function readDelay(status: number, { "retry-after": retryAfter, date }: HttpAnswer["headers"]): number | undefined {
  return status === 503 ? readRetryAfter({ "retry-after": retryAfter, date }) : undefined;
}

const BODY_START = 500;
const PROBLEM_MAX = 500;
const MESSAGE_MAX = 2000;

function contractError({ facts, answer, redact }: Answered, problem: string, hint?: string): ContractError {
  return new ContractError(
    facts,
    answer.status,
    redact(problem).slice(0, PROBLEM_MAX),
    // Redact before truncating, so that no part of a secret remains.
    redact(answer.body.subarray(0, 20 * BODY_START).toString()).slice(0, BODY_START),
    hint,
  );
}

/**
 * Describes a redirect: its target, without user name, password, query and fragment, which may contain secrets, and the
 * base URL that avoids it. Undefined for any other answer.
 *
 * Redirects are not followed: the key would be sent to a URL that nobody has configured, and a POST would become a GET.
 */
function readRedirect({ facts, answer, redact }: Answered): { problem: string; hint?: string } | undefined {
  const { status, headers } = answer;
  const { location } = headers;
  if (status < 300 || status > 399 || typeof location !== "string" || !URL.canParse(location, facts.url))
    return undefined;
  const target = new URL(location, facts.url);
  const targetUrl = redact(`${target.origin === "null" ? target.protocol : target.origin}${target.pathname}`);
  const problem = `it redirects to ${targetUrl.slice(0, SHOWN_MAX)} (status ${status})`;
  const base = baseOf(target, facts);
  const known = base !== undefined && base !== baseOf(new URL(facts.url), facts);
  return {
    problem,
    ...(known && { hint: `If that is the service, set \`url\` (or \`baseUrl\` of createClient) to ${redact(base)}.` }),
  };
}

const SHOWN_MAX = 300;

/** The base URL for which the same path and version is the target; undefined if the target has another path. */
function baseOf(target: URL, { url, path }: RequestFacts): string | undefined {
  const versioned = `${/\/v\d+$/.exec(url.slice(0, -path.length))?.[0] ?? ""}${path}`;
  const folder = target.pathname.replace(/\/+$/, "");
  return folder.endsWith(versioned) ? `${target.origin}${folder.slice(0, -versioned.length)}` : undefined;
}

/** The content of a refusal's body, as far as it follows the contract. */
interface RefusalBody {
  readonly message?: string;
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/**
 * Parses `{ message, errors }` (part 7), and version 3's earlier format without a message, for which the first field's
 * message is used. Proxies and load balancers refuse in their own formats: then the status has to suffice.
 */
export function readRefusal(body: unknown, redact: Redact): RefusalBody {
  if (!isRecord(body)) return { fieldErrors: {} };
  const { message, errors } = body;
  // The text ends up in logs, so line breaks and other control characters are removed.
  const clean = (words: string) => redact(words).replaceAll(/\p{Cc}+/gu, " ");
  const fieldErrors = Object.entries(isRecord(errors) ? errors : {}).flatMap(
    ([field, messages]): [string, string[]][] => (isStringList(messages) ? [[clean(field), messages.map(clean)]] : []),
  );
  const firstMessage = typeof message === "string" && message !== "" ? clean(message) : fieldErrors[0]?.[1][0];
  return {
    ...(firstMessage === undefined ? {} : { message: firstMessage }),
    fieldErrors: Object.fromEntries(fieldErrors),
  };
}

/** Undefined for a string that is not JSON; JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

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
