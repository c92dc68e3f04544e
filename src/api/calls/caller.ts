import { ConfigurationError } from "../../errors.js";
import { Latest } from "../../cache/memoize.js";
import { VERSION } from "../../version.js";
import {
  type Answered,
  type AnswerReader,
  type RateLimit,
  readBody,
  readConfirmation,
  readRateLimit,
  readRetryAfter,
  throwIfRefused,
} from "./answer.js";
import { type ApiVersion, basicAuthorization, parseBaseUrl, redactCause, redactor, redactorWith } from "./base-url.js";
import { type CallKind, type CallPolicy, checkRetries, CLOSED, type RequestSlot, standardPolicy } from "./policy.js";
import { type TimerClock, sleep, systemClock, TIMER_MAX } from "./timing.js";
import { createPathGuard, type PathParameters, pathTo } from "../contract/paths.js";
import { AbortedError, CallError, type RequestFacts, UnreachableError } from "../errors.js";
import { type HttpAnswer, type HttpRequest, JsonPieces, type OpenTransport, type Transport } from "./http.js";

/** One try of a call, passed to `onRequest`. Contains no secrets: no headers, query or body. */
export interface RequestInfo {
  /** The number of the call, from 1; the same for all tries of the call, which are made one after the other. */
  readonly call: number;
  /** The number of the try within the call, from 1. */
  readonly attempt: number;
  readonly method: string;
  /** The path with its parameters' names, such as `/domains/:domain/templates`: rate limits apply per endpoint. */
  readonly endpoint: string;
  readonly path: string;
}

/** The end of a try, passed to `onResponse`. */
export interface ResponseInfo extends RequestInfo {
  /** Milliseconds since `onRequest`. */
  readonly durationMs: number;
  /** The answer's status; undefined if there was no answer. */
  readonly status?: number;
  readonly rateLimit?: RateLimit;
  /** The time on the service's clock, in whole seconds: the answer's `Date`. */
  readonly serviceTime?: Date;
  /** The try's error, which may be a refusal. The call may still be retried. */
  readonly error?: Error;
}

/** Functions that observe the client; if one throws, the call throws the error. */
export interface Hooks {
  /**
   * Called for each try of a call just before it is sent.
   *
   * @example
   * onRequest: ({ call, method, endpoint }) => spans.set(call, tracer.startSpan(`${method} ${endpoint}`)),
   */
  readonly onRequest?: (request: RequestInfo) => void;
  /**
   * Called at the end of each try, including refusals and failed connections.
   *
   * @example
   * onResponse: ({ call, status, error }) => {
   *   spans.get(call)?.setAttribute("http.response.status_code", status ?? 0).end();
   *   spans.delete(call);
   * },
   */
  readonly onResponse?: (response: ResponseInfo) => void;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with an AbortedError, even while it waits. */
  readonly signal?: AbortSignal;
  /**
   * Timeout in ms for the whole call: connecting, all tries and the waits between them. Waiting because of the client's
   * pacing does not count. Default: the client's.
   */
  readonly timeoutMs?: number;
  /** Maximum retries. Default: the client's. */
  readonly retries?: number;
  /** @internal Replaces parts of the client's policy. */
  readonly policy?: Partial<CallPolicy>;
  /**
   * Called for each try just before it is sent, after the client's own hook. If it throws, the call throws the error,
   * and nothing is sent.
   */
  readonly onRequest?: Hooks["onRequest"];
  /**
   * Called with the minimum delay in ms that the client's pacing causes. If several calls wait for one endpoint, only
   * the first is notified.
   */
  readonly onWait?: (milliseconds: number) => void;
}

export interface ClientOptions extends Hooks {
  /**
   * The account's key. It is sent in the Authorization header and is never part of an error, even if a server quotes
   * it.
   */
  readonly apiKey: string;
  /** The service's URL without the version: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The API version; determines the client's type. Default `v4`. */
  readonly version?: ApiVersion;
  /**
   * Whether the key may be sent unencrypted to another machine. Otherwise `http://` is refused, except for this machine
   * (`localhost`, `*.localhost`, `127.0.0.0/8`, `::1`) and for the local service's key, `local`. Default false.
   */
  readonly allowInsecure?: boolean | undefined;
  /**
   * Timeout in ms for each call: connecting, all tries and the waits between them. Waiting because of `pacing` does not
   * count. For lists and batches, it applies to each request. Default 30,000.
   */
  readonly timeoutMs?: number;
  /**
   * Maximum retries, within the timeout. Reads are retried after failed connections, 429 and 5xx; writes only if they
   * definitely had no effect: nothing was sent, or they were refused with 429; sending an email only if nothing was
   * sent. Default 2.
   */
  readonly retries?: number;
  /**
   * Whether calls are paced according to the `X-RateLimit-*` headers of each endpoint (part 8): they are made at once
   * while requests are left, then wait for the reset. Default true.
   */
  readonly pacing?: boolean;
  /** @internal Replaces the pace (`slot`), the retries (`retry`) or both. */
  readonly policy?: Partial<CallPolicy>;
  /** The clock for pacing and retries. Default: the machine's. */
  readonly clock?: TimerClock;
}

interface CallerOptions extends ClientOptions {
  readonly version: ApiVersion;
  /** All paths: a parameter's value must not turn one path into another. */
  readonly paths: readonly string[];
}

const TIMEOUT_MS = 30_000;

type QueryValue = string | number | boolean | undefined;

export interface CallRequest<Path extends string> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly endpoint: Path;
  readonly parameters: PathParameters<Path>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Converted to JSON, unless it is JSON already. */
  readonly body?: object | JsonPieces;
  /** Default: by the method. */
  readonly kind?: CallKind;
  /** Parts of the body that errors must not reveal. */
  readonly passwords?: readonly string[];
}

interface Address {
  readonly facts: RequestFacts;
  /** After the origin, without the query. */
  readonly target: string;
}

/** Makes calls according to the contract: authorization, JSON, pacing, retries, and validated answers. */
export interface Caller {
  /** Makes a call whose answer has a body. Its reader is loaded during the request. */
  ask<Path extends string, Body>(
    request: CallRequest<Path>,
    reader: () => Promise<AnswerReader<Body>>,
    options?: CallOptions,
  ): Promise<Body>;
  /** Makes a call whose answer only confirms success. */
  tell<Path extends string>(request: CallRequest<Path>, options?: CallOptions): Promise<void>;
  close(): Promise<void>;
}

export function createCaller(options: CallerOptions, openTransport: OpenTransport): Caller {
  const { apiKey, version, paths, timeoutMs: defaultTimeoutMs = TIMEOUT_MS, clock = systemClock } = options;
  if (typeof apiKey !== "string" || apiKey === "")
    throw new ConfigurationError(`The API key is ${apiKey === "" ? "empty" : "missing"}.`, {
      hint: "Pass it as `apiKey`, and check that its environment variable is set.",
    });
  checkTimeout(defaultTimeoutMs);
  const policy: CallPolicy = { ...standardPolicy(options), ...options.policy };
  const redact = redactor(apiKey);
  const { origin, prefix } = parseBaseUrl(options.baseUrl, version, redact, options);
  const headers = {
    authorization: basicAuthorization(apiKey),
    accept: "application/json",
    "user-agent": `lettershop/${VERSION}`,
  };
  const headersWithBody = { ...headers, "content-type": "application/json" };
  const guardPath = createPathGuard(paths);
  const withSuccess = version === "v3";
  const underWay = new Set<Promise<HttpAnswer>>();
  let opening: Promise<Transport> | undefined;
  let transport: Transport | undefined;
  let closed = false;
  let calls = 0;

  async function exchange(request: HttpRequest): Promise<HttpAnswer> {
    if (closed) throw new UnreachableError(request.facts, false, CLOSED.message);
    const answer = transport
      ? transport.exchange(request)
      : (opening ??= open()).then((opened) => opened.exchange(request));
    underWay.add(answer);
    try {
      return await answer;
    } finally {
      underWay.delete(answer);
    }
  }

  async function open(): Promise<Transport> {
    transport = await openTransport(origin, redact);
    return transport;
  }

  const withTime = timeReader();
  /** Makes one try of a call, and reports it to the hooks and its slot. */
  async function attempt<Result>(
    slot: RequestSlot,
    info: RequestInfo,
    request: HttpRequest,
    read: (answer: HttpAnswer) => Result | Promise<Result>,
    onOwnRequest: Hooks["onRequest"],
  ): Promise<Result> {
    const startedAt = clock.now();
    const end = (answered?: HttpAnswer, error?: unknown) =>
      options.onResponse?.({
        durationMs: clock.now() - startedAt,
        ...info,
        ...(answered && { status: answered.status, ...withRateLimit(answered), ...withTime(answered) }),
        ...(error instanceof Error && { error }),
      });
    let answer: HttpAnswer | undefined;
    let result;
    try {
      options.onRequest?.(info);
      onOwnRequest?.(info);
      answer = await exchange(request);
      void slot.answered({ status: answer.status, ...withReset(answer), ...withRateLimit(answer) });
      result = await read(answer);
    } catch (error) {
      if (answer === undefined) void (wasSent(error) ? slot.lost() : slot.unused());
      end(answer, error);
      throw error;
    }
    end(answer);
    return result;
  }

  const latestAddresses = new Latest<Address>(100);
  /** The URL of a request. Cached, because the same few repeat. */
  function addressOf<Path extends string>({ method, endpoint, parameters }: CallRequest<Path>): Address {
    const key = `${method} ${endpoint} ${JSON.stringify(parameters)}`;
    const cached = latestAddresses.get(key);
    if (cached !== undefined) return cached;
    guardPath(endpoint, parameters);
    const path = pathTo(endpoint, parameters);
    const facts = { method, path: redact(path), url: redact(`${origin}${prefix}${path}`) };
    const address = { facts, target: `${prefix}${path}` };
    latestAddresses.set(key, address);
    return address;
  }

  async function call<Path extends string, Result>(
    request: CallRequest<Path>,
    callOptions: CallOptions,
    read: (answered: Answered) => Result | Promise<Result>,
  ): Promise<Result> {
    const { signal, onWait, retries, timeoutMs = defaultTimeoutMs } = callOptions;
    const { method, endpoint, query, body, passwords, kind = method === "GET" ? "read" : "write" } = request;
    checkTimeout(timeoutMs);
    if (retries !== undefined) checkRetries(retries);
    const { slot: slotFor, retry } = callOptions.policy === undefined ? policy : { ...policy, ...callOptions.policy };
    const { facts, target } = addressOf(request);
    const hide = passwords === undefined ? redact : redactorWith(redact, passwords);
    const content = {
      facts,
      target: query === undefined ? target : `${target}${queryString(query)}`,
      headers: body === undefined ? headers : headersWithBody,
      body: body === undefined || body instanceof JsonPieces ? body : JSON.stringify(body),
      timeoutMs,
      signal,
    };
    const aborted = (requestSent: boolean) => new AbortedError(facts, requestSent, redactCause(signal?.reason, redact));
    const number = (calls += 1);
    let deadline: number | undefined;
    let sent = false;

    for (let tries = 1; ; tries += 1) {
      const queuedAt = clock.now();
      const policyRequest = { method, endpoint, kind, attempt: tries, retries, signal, onWait };
      let slot = slotFor(policyRequest);
      if (slot instanceof Promise) {
        slot = await slot.catch((error: unknown) => {
          if (error === CLOSED) throw new UnreachableError(facts, false, CLOSED.message);
          throw signal?.aborted ? aborted(sent) : error;
        });
      }
      const now = clock.now();
      deadline = deadline === undefined ? now + timeoutMs : deadline + now - queuedAt;
      const info = { call: number, attempt: tries, method, endpoint, path: facts.path };
      try {
        return await attempt(
          slot,
          info,
          { remainingMs: deadline - now, ...content },
          (answer) => read({ facts, answer, redact: hide }),
          callOptions.onRequest,
        );
      } catch (error) {
        const delay = closed ? undefined : retry(error, policyRequest);
        if (delay === undefined || clock.now() + delay >= deadline) throw error;
        sent ||= kind === "read" && wasSent(error);
        await sleep(clock, delay, signal).catch(() => {
          throw aborted(sent);
        });
      }
    }
  }

  return {
    async ask(request, loadReader, callOptions = {}) {
      const loading = loadReader();
      // If the call fails first, nothing waits for the reader.
      loading.catch(() => undefined);
      return call(request, callOptions, (answered) => {
        throwIfRefused(answered);
        return loading.then((reader) => readBody(answered, reader, { withSuccess }));
      });
    },
    async tell(request, callOptions = {}) {
      return call(request, callOptions, (answered) => {
        throwIfRefused(answered);
        readConfirmation(answered, { withSuccess });
      });
    },
    async close() {
      policy.close?.();
      closed = true;
      await Promise.allSettled(underWay);
      await (await opening)?.close();
    },
  };
}

/** @throws ConfigurationError */
function checkTimeout(timeoutMs: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= TIMER_MAX))
    throw new ConfigurationError(
      `timeoutMs is ${timeoutMs}; it must be a number of milliseconds from 1 to ${TIMER_MAX}.`,
    );
}

function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

/** Whether any part of a failed request may have reached the service. */
function wasSent(error: unknown): boolean {
  return error instanceof CallError && (!("requestSent" in error) || error.requestSent === true);
}

/** Parses the service's time only once a second, since all answers of a second have the same. */
function timeReader(): (answer: HttpAnswer) => Pick<ResponseInfo, "serviceTime"> | undefined {
  let latest: unknown;
  let time = Number.NaN;
  return ({ headers: { date } }) => {
    if (date !== latest) time = typeof date === "string" ? Date.parse(date) : Number.NaN;
    latest = date;
    return Number.isNaN(time) ? undefined : { serviceTime: new Date(time) };
  };
}

function withReset({ headers }: HttpAnswer) {
  const seconds = readRetryAfter(headers);
  return seconds === undefined ? undefined : { resetMs: seconds * 1000 };
}

function withRateLimit({ headers }: HttpAnswer) {
  const rateLimit = readRateLimit(headers);
  return rateLimit && { rateLimit };
}
