import type { z } from "zod";
import { ConfigurationError } from "../errors.js";
import { parseBaseUrl, type ApiVersion } from "./base-url.js";
import { type PathParameters, pathTo } from "./contract/paths.js";
import { parseJson, readRefusalBody } from "./error-body.js";
import { ContractError, type RequestFacts, ServiceError } from "./errors.js";
import { createHttp, type HttpAnswer } from "./http.js";
import { type RateLimit, readRateLimit, readRetryAfter } from "./rate-limit.js";
import { basicAuthorization, type Redact, redactor } from "./redact.js";

/** What every call takes. */
export interface CallOptions {
  /** Ends the call with an AbortedError. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call, waiting for a connection included. Default: the client's. */
  readonly timeoutMs?: number;
}

/** An answer of any status, as `onResponse` sees it. */
export interface ResponseInfo {
  readonly method: string;
  /** The path with its parameters' names, such as `/domains/:domain/templates`: rate limits hold for each endpoint. */
  readonly endpoint: string;
  readonly path: string;
  readonly status: number;
  readonly rateLimit?: RateLimit;
}

export interface CallerOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  readonly timeoutMs: number;
  readonly onResponse?: (response: ResponseInfo) => void;
}

type QueryValue = string | number | boolean | undefined;

export interface CallRequest<Path extends string> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly endpoint: Path;
  readonly parameters: PathParameters<Path>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Becomes JSON. */
  readonly body?: object;
}

/** Makes calls as the contract has them: authorization, JSON, and answers that are checked. */
export interface Caller {
  /** A call whose answer has a body. The schema loads while the request is under way. */
  ask<Path extends string, Schema extends z.ZodType>(
    request: CallRequest<Path>,
    schema: () => Promise<Schema>,
    options?: CallOptions,
  ): Promise<z.output<Schema>>;
  /** A call that is answered by 204. */
  tell<Path extends string>(request: CallRequest<Path>, options?: CallOptions): Promise<void>;
  close(): Promise<void>;
}

/** The longest delay that a timer can have. */
const TIMEOUT_MAX = 2 ** 31 - 1;

export function createCaller({
  apiKey,
  baseUrl,
  version,
  timeoutMs: defaultTimeoutMs,
  onResponse,
}: CallerOptions): Caller {
  if (apiKey === "") throw new ConfigurationError("The API key is empty.");
  checkTimeout(defaultTimeoutMs);
  const redact = redactor(apiKey);
  const { origin, prefix } = parseBaseUrl(baseUrl, version, redact);
  const http = createHttp(origin, redact);
  const headers = { authorization: basicAuthorization(apiKey), accept: "application/json" };
  const headersWithBody = { ...headers, "content-type": "application/json" };

  async function exchange<Path extends string>(
    request: CallRequest<Path>,
    options: CallOptions,
  ): Promise<{ answer: HttpAnswer; facts: RequestFacts }> {
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    checkTimeout(timeoutMs);
    const path = pathTo(request.endpoint, request.parameters);
    const facts = { method: request.method, path: redact(path), url: redact(`${origin}${prefix}${path}`) };
    const answer = await http.request({
      facts,
      target: `${prefix}${path}${queryString(request.query)}`,
      headers: request.body === undefined ? headers : headersWithBody,
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      timeoutMs,
      signal: options.signal,
    });
    const { status } = answer;
    const rateLimit = readRateLimit(answer.headers);
    onResponse?.({ method: facts.method, endpoint: request.endpoint, path: facts.path, status, rateLimit });
    if (status >= 400) throw refusal(facts, answer, rateLimit, redact);
    return { answer, facts };
  }

  return {
    async ask(request, loadSchema, options = {}) {
      const [{ answer, facts }, schema] = await Promise.all([exchange(request, options), loadSchema()]);
      const broken = (problem: string) => contractError(facts, answer, problem, redact);
      if (answer.status < 200 || answer.status >= 300) throw broken(`its status is ${answer.status}`);
      if (answer.truncated) throw broken("it is longer than any answer may be");
      const body = parseJson(answer.body.toString());
      if (body === undefined) throw broken("it is not JSON");
      const checked = schema.safeParse(body);
      if (checked.success) return checked.data;
      throw broken(checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
    },
    async tell(request, options = {}) {
      const { answer, facts } = await exchange(request, options);
      if (answer.status !== 204) throw contractError(facts, answer, `its status is ${answer.status}, not 204`, redact);
    },
    close: () => http.close(),
  };
}

function refusal(
  facts: RequestFacts,
  answer: HttpAnswer,
  rateLimit: RateLimit | undefined,
  redact: Redact,
): ServiceError {
  const { message, fieldErrors } = readRefusalBody(answer.body.toString(), redact);
  return new ServiceError(facts, {
    status: answer.status,
    serviceMessage: message ?? (redact(answer.statusText) || "no message"),
    fieldErrors,
    retryAfterSeconds: answer.status === 429 ? readRetryAfter(answer.headers) : undefined,
    rateLimit,
  });
}

/** How much of an answer and of its faults is worth keeping. */
const BODY_START = 500;
const PROBLEM_MAX = 500;

function contractError(facts: RequestFacts, answer: HttpAnswer, problem: string, redact: Redact): ContractError {
  return new ContractError(
    facts,
    answer.status,
    redact(problem).slice(0, PROBLEM_MAX),
    redact(answer.body.toString()).slice(0, BODY_START),
  );
}

function queryString(query: Readonly<Record<string, QueryValue>> = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value));
  return given.size === 0 ? "" : `?${given.toString()}`;
}

function checkTimeout(timeoutMs: number): void {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX) return;
  throw new ConfigurationError(`timeoutMs is ${timeoutMs}; it takes milliseconds from 1 to ${TIMEOUT_MAX}.`);
}
