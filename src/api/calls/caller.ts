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

/** What every call takes. */
export interface CallOptions {
  /** Ends the call with an AbortedError, also where it waits. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds for the whole call: waiting for a connection, all tries and the waits between them. The time before
   * the client's pacing lets it go does not count. Default: the client's.
   */
  readonly timeoutMs?: number;
  /** Tries after the first. Default: the client's. */
  readonly retries?: number;
  /** Sees each try just before it leaves, after the client's own hook; what it throws, the call throws, and nothing is sent. */
  readonly onRequest?: Hooks["onRequest"];
  /**
   * Called with the least number of milliseconds by which the client's pacing delays the call. Where several calls wait for
   * one endpoint, only the first is reported.
   */
  readonly onWait?: (milliseconds: number) => void;
}

export interface CallerOptions extends Hooks {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly version: ApiVersion;
  /** All paths that a parameter's value could turn another one into. */
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
  /** Becomes JSON, if it is none yet. */
  readonly body?: object | JsonPieces;
  /** Default: by the method. */
  readonly kind?: CallKind;
  /** What the body has that no error may show. */
  readonly passwords?: readonly string[];
}

interface Address {
  readonly facts: RequestFacts;
  /** From the origin, without the query. */
  readonly target: string;
}

/** Makes calls as the contract has them: authorization, JSON, pace, tries, and answers that are checked. */
export interface Caller {
  /** A call whose answer has a body. What reads it loads while the request is under way. */
  ask<Path extends string, Body>(
    request: CallRequest<Path>,
    reader: () => Promise<AnswerReader<Body>>,
    options?: CallOptions,
  ): Promise<Body>;
  /** A call whose answer only says that it was done. */
  tell<Path extends string>(request: CallRequest<Path>, options?: CallOptions): Promise<void>;
  close(): Promise<void>;
}

export function createCaller(options: CallerOptions, openTransport: OpenTransport): Caller {
  const { apiKey, version, paths, clock = systemClock } = options;
  if (typeof apiKey !== "string" || apiKey === "")
    throw new ConfigurationError(`The API key is ${apiKey === "" ? "empty" : "missing"}.`, {
      hint: "Pass it as `apiKey`; is the environment variable set that it comes from?",
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
  /** Where a request goes; the same few again and again. */
  function addressOf<Path extends string>({ method, endpoint, parameters }: CallRequest<Path>): Address {
    const key = `${method} ${endpoint} ${JSON.stringify(parameters)}`;
    const known = latestAddresses.get(key);
    if (known !== undefined) return known;
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
      // Where the call fails first, nobody waits for it any more.
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
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value));
  return given.size === 0 ? "" : `?${given.toString()}`;
}
