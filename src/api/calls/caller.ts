import { ConfigurationError } from "../../errors.js";
import { Latest } from "../../cache/memoize.js";
import { VERSION } from "../../version.js";
import { type Answered, type AnswerReader, readBody, readConfirmation, throwIfRefused } from "./answer.js";
import { type ApiVersion, basicAuthorization, parseBaseUrl, redactCause, redactor, redactorWith } from "./base-url.js";
import { type TimerClock, sleep, systemClock, type CallKind, callPolicy } from "./timing.js";
import { createPathGuard, type PathParameters, pathTo } from "../contract/paths.js";
import { AbortedError, CallError, type RequestFacts, UnreachableError } from "../errors.js";
import { type HttpAnswer, type HttpRequest, JsonPieces, type OpenTransport, type Transport } from "./http.js";
import {
  CLOSED,
  createPacer,
  noPacer,
  type Permit,
  type RateLimit,
  readRateLimit,
  readRetryAfter,
} from "./rate-limit.js";

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

export interface CallerOptions extends Hooks {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  /** All paths: a parameter's value must not turn one path into another. */
  readonly paths: readonly string[];
  readonly allowInsecure?: boolean | undefined;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly pacing?: boolean;
  readonly clock?: TimerClock;
}

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
  const { apiKey, version, paths, clock = systemClock } = options;
  if (typeof apiKey !== "string" || apiKey === "")
    throw new ConfigurationError(`The API key is ${apiKey === "" ? "empty" : "missing"}.`, {
      hint: "Pass it as `apiKey`, and check that its environment variable is set.",
    });
  callPolicy("read", options);
  const redact = redactor(apiKey);
  const { origin, prefix } = parseBaseUrl(options.baseUrl, version, redact, options);
  const pacer = options.pacing === false ? noPacer : createPacer(clock);
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
  /** Makes one try of a call, and reports it to the hooks and the endpoint's pace. */
  async function attempt<Result>(
    permit: Permit,
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
      permit.answered({ refused: answer.status === 429, ...paceOf(answer) });
      result = await read(answer);
    } catch (error) {
      if (answer === undefined) permit[wasSent(error) ? "lost" : "unused"]();
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
    const { signal, onWait } = callOptions;
    const { method, endpoint, query, body, passwords, kind = method === "GET" ? "read" : "write" } = request;
    const { timeoutMs, delayAfter } = callPolicy(kind, callOptions, options);
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
      let permit = pacer.permit(
        { method, path: endpoint, sends: kind === "send" },
        { signal, first: tries > 1, onWait },
      );
      if (permit instanceof Promise) {
        permit = await permit.catch((error: unknown) => {
          throw error === CLOSED ? new UnreachableError(facts, false, CLOSED.message) : aborted(sent);
        });
      }
      const now = clock.now();
      deadline = deadline === undefined ? now + timeoutMs : deadline + now - queuedAt;
      const info = { call: number, attempt: tries, method, endpoint, path: facts.path };
      try {
        return await attempt(
          permit,
          info,
          { remainingMs: deadline - now, ...content },
          (answer) => read({ facts, answer, redact: hide }),
          callOptions.onRequest,
        );
      } catch (error) {
        const delay = closed ? undefined : delayAfter(error, tries);
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
      pacer.close();
      closed = true;
      await Promise.allSettled(underWay);
      await (await opening)?.close();
    },
  };
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

function paceOf(answer: HttpAnswer) {
  const seconds = readRetryAfter(answer.headers);
  return { ...withRateLimit(answer), ...(seconds !== undefined && { resetMs: seconds * 1000 }) };
}

function withRateLimit({ headers }: HttpAnswer) {
  const rateLimit = readRateLimit(headers);
  return rateLimit && { rateLimit };
}
