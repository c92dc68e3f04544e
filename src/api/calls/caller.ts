import { ConfigurationError } from "../../errors.js";
import { Latest } from "../../latest.js";
import { VERSION } from "../../version.js";
import { type Answered, type AnswerReader, readBody, readDone, refuseRefusals } from "./answer.js";
import { attempts, wasSent } from "./attempt.js";
import { type ApiVersion, parseBaseUrl } from "./base-url.js";
import { limitsOf } from "./call-limits.js";
import { type Clock, sleep, systemClock } from "./clock.js";
import { createPathGuard, type PathParameters, pathTo } from "../contract/paths.js";
import { AbortedError, type RequestFacts, UnreachableError } from "../errors.js";
import type { Hooks } from "./hooks.js";
import { createHttp, type OpenTransport } from "./http.js";
import { JsonPieces } from "./json-pieces.js";
import { CLOSED, createPacer, noPacer } from "./pacer.js";
import { basicAuthorization, redactCause, redactor, redactorWith } from "./redact.js";
import { type CallKind, isRetryable, retryDelay } from "./retry.js";

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
