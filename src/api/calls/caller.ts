import { ConfigurationError } from "../../errors.js";
import { Latest } from "../../cache/latest.js";
import { VERSION } from "../../version.js";
import { type Answered, type AnswerReader, readBody, readDone, refuseRefusals } from "./answer.js";
import { attempts, type Hooks, wasSent } from "./attempt.js";
import { type ApiVersion, basicAuthorization, parseBaseUrl, redactCause, redactor, redactorWith } from "./base-url.js";
import { type Clock, sleep, systemClock, TIMER_MAX } from "./clock.js";
import { createPathGuard, type PathParameters, pathTo } from "../contract/paths.js";
import { AbortedError, type CallError, type RequestFacts, ServiceError, UnreachableError } from "../errors.js";
import { createHttp, JsonPieces, type OpenTransport } from "./http.js";
import { EndpointPace, type Turn, type TurnOptions } from "./endpoint-pace.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../limits.js";

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
  readonly clock?: Clock;
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
  limitsOf(options, {});
  const redact = redactor(apiKey);
  const { origin, prefix } = parseBaseUrl(options.baseUrl, version, redact, options);
  const http = createHttp(() => openTransport(origin, redact));
  const pacer = options.pacing === false ? noPacer : createPacer(clock);
  const headers = {
    authorization: basicAuthorization(apiKey),
    accept: "application/json",
    "user-agent": `lettershop/${VERSION}`,
  };
  const headersWithBody = { ...headers, "content-type": "application/json" };
  const guardPath = createPathGuard(paths);
  const withSuccess = version === "v3";
  let calls = 0;

  const attempt = attempts(http, clock, options);

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
    const { timeoutMs, retries } = limitsOf(callOptions, options);
    const { signal, onWait } = callOptions;
    const { method, endpoint, query, body, passwords, kind = method === "GET" ? "read" : "write" } = request;
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
      let turn = pacer.turn({ method, path: endpoint, sends: kind === "send" }, { signal, first: tries > 1, onWait });
      if (turn instanceof Promise) {
        turn = await turn.catch((error: unknown) => {
          throw error === CLOSED ? new UnreachableError(facts, false, CLOSED.message) : aborted(sent);
        });
      }
      const now = clock.now();
      deadline = deadline === undefined ? now + timeoutMs : deadline + now - queuedAt;
      const info = { call: number, attempt: tries, method, endpoint, path: facts.path };
      try {
        return await attempt(
          turn,
          info,
          { remainingMs: deadline - now, ...content },
          (answer) => read({ facts, answer, redact: hide }),
          callOptions.onRequest,
        );
      } catch (error) {
        if (!isRetryable(error, kind) || tries > retries || http.closed) throw error;
        const delay = retryDelay(error, tries);
        if (clock.now() + delay >= deadline) throw error;
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
        refuseRefusals(answered);
        return loading.then((reader) => readBody(answered, reader, { withSuccess }));
      });
    },
    async tell(request, callOptions = {}) {
      return call(request, callOptions, (answered) => {
        refuseRefusals(answered);
        readDone(answered, { withSuccess });
      });
    },
    async close() {
      pacer.close();
      await http.close();
    },
  };
}

function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

/** A call's timeout and maximum retries. */
interface CallLimits {
  readonly timeoutMs?: number;
  readonly retries?: number;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

/** @throws ConfigurationError for a timeout that timers don't support, or an invalid number of retries. */
function limitsOf(own: CallLimits, defaults: CallLimits): Required<CallLimits> {
  const { timeoutMs = defaults.timeoutMs ?? TIMEOUT_MS, retries = defaults.retries ?? RETRIES } = own;
  if (!(timeoutMs > 0 && timeoutMs <= TIMER_MAX))
    throw new ConfigurationError(
      `timeoutMs is ${timeoutMs}; it must be a number of milliseconds from 1 to ${TIMER_MAX}.`,
    );
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new ConfigurationError(`retries is ${retries}; it must be a whole number, 0 or more.`);
  return { timeoutMs, retries };
}

/** The effect of a call, which determines whether it may be repeated. */
type CallKind = "read" | "write" | "send";

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 5000;

/**
 * Whether a failed call is repeated. Reads always may be; writes only if they definitely had no effect: nothing was
 * sent, or they were refused with 429. Whether a refused email is sent again is up to the caller.
 */
function isRetryable(error: unknown, kind: CallKind): error is CallError {
  if (error instanceof UnreachableError) return kind === "read" || !error.requestSent;
  if (!(error instanceof ServiceError)) return false;
  if (error.status === 429) return kind !== "send";
  return kind === "read" && error.status >= 500;
}

/**
 * Milliseconds before the next try: doubled each time, half of it random, so that clients that failed together don't
 * return together; at least what the service asked for.
 *
 * @param attempt Number of tries so far.
 */
function retryDelay(error: CallError, attempt: number): number {
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  const jittered = backoff / 2 + (Math.random() * backoff) / 2;
  const requested = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return requested === 0 ? jittered : requested + (Math.random() * FIRST_BACKOFF_MS) / 2;
}

/** Paces calls according to each endpoint's limit in the service's answers. */
interface Pacer {
  /** Returns a turn to make one request; directly, without a promise, if there is nothing to wait for. */
  turn(endpoint: Endpoint, options: TurnOptions): Turn | Promise<Turn>;
  /** Fails all waiting calls. */
  close(): void;
}

interface Endpoint {
  readonly method: string;
  /** With its parameters' names. */
  readonly path: string;
  /** Whether it sends email, which has its own limit. */
  readonly sends: boolean;
}

/** The reason if a wait for a turn ended without one. */
const CLOSED = new Error("the client is closed");

function createPacer(clock: Clock): Pacer {
  const paces = new Map<string, EndpointPace>();
  return {
    turn({ method, path, sends }, options) {
      const name = `${method} ${path}`;
      let pace = paces.get(name);
      if (pace === undefined) {
        // A parameter's name does not make a different endpoint.
        const key = name.replace(/:\w+/g, ":");
        pace = paces.get(key) ?? new EndpointPace(clock, sends ? SENDS_PER_MINUTE : REQUESTS_PER_MINUTE.free);
        paces.set(key, pace).set(name, pace);
      }
      return pace.turn(options);
    },
    close() {
      for (const pace of paces.values()) pace.fail(CLOSED);
    },
  };
}

const freeTurn: Turn = { answered: () => undefined, lost: () => undefined, unused: () => undefined };

/** Lets everything through. */
const noPacer: Pacer = { turn: () => freeTurn, close: () => undefined };
