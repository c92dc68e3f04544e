import { subscribe } from "node:diagnostics_channel";
import { AbortedError, TimeoutError, UnreachableError } from "../errors.js";
import {
  ANSWER_BYTES_MAX,
  failedToConnect,
  type HttpAnswer,
  type HttpRequest,
  reasonOf,
  type Transport,
  TRUNCATED_BYTES,
} from "./http.js";
import { type Redact, redactCause } from "./base-url.js";

/** Makes requests with the platform's own fetch: nothing to load or to bundle, and it runs wherever applications do. */
export function fetchTransport(origin: string, redact: Redact): Transport {
  watchDepartures();
  return {
    exchange: (request) => exchange(origin, request, redact),
    // The platform manages connections, and closes idle ones.
    close: async () => undefined,
  };
}

async function exchange(origin: string, request: HttpRequest, redact: Redact): Promise<HttpAnswer> {
  const { facts, target, timeoutMs, remainingMs, signal } = request;
  const abortedWith = () => redactCause(signal?.reason, redact);
  if (signal?.aborted) throw new AbortedError(facts, false, abortedWith());
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, remainingMs);
  signal?.addEventListener("abort", end, { once: true });
  const departure: Departure = { state: "unknown" };
  try {
    const response = await depart(departure, `${origin}${target}`, init(request, ending.signal));
    const { status, statusText, headers } = response;
    return { status, statusText, headers: Object.fromEntries(headers), ...(await readBody(response)) };
  } catch (error) {
    if (signal?.aborted) throw new AbortedError(facts, mayHaveLeft(departure), abortedWith());
    if (ending.signal.aborted) throw new TimeoutError(facts, mayHaveLeft(departure), timeoutMs);
    const cause = causeOf(error);
    throw new UnreachableError(
      facts,
      mayHaveLeft(departure, cause),
      redact(reasonOf(cause)),
      redactCause(cause, redact),
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

function init({ facts, headers, body }: HttpRequest, signal: AbortSignal): RequestInit {
  // Redirects are not followed, so that the key is only sent to the origin.
  const request = { method: facts.method, headers, redirect: "manual", signal } as const;
  if (body === undefined) return request;
  if (typeof body === "string" && !REPEATS) return { ...request, body };
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  const withLength = { ...headers, "content-length": String(length) };
  const pieces = typeof body === "string" ? [body] : body;
  // The DOM types, which the page's tests are checked with, lack this option.
  const streamed = { ...request, headers: withLength, body: streamOf(pieces), duplex: "half" } as const;
  return streamed;
}

/**
 * Deno automatically repeats a request, even a POST, if a kept-alive connection breaks before the answer. It cannot do
 * that if the body is a stream.
 */
const REPEATS = "Deno" in globalThis;

/** Chunks are read as fast as the connection accepts them. */
function streamOf(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

async function readBody({ body }: Response): Promise<Pick<HttpAnswer, "body" | "truncated">> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    chunks.push(read.value);
    bytes += read.value.length;
    if (bytes <= ANSWER_BYTES_MAX) continue;
    await reader?.cancel();
    return { body: Buffer.concat(chunks, TRUNCATED_BYTES), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

/** Fetch only reports that it failed; the cause has the reason. */
function causeOf(error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause));
}

/**
 * Whether a request was passed to a connection. Node reports this on two channels: synchronously when fetch creates a
 * request, and when it starts to write one. Other platforms, and wrappers of Node's fetch, don't report it; there, only
 * a connection error proves that nothing was sent.
 */
interface Departure {
  state: "unknown" | "waiting" | "left";
}

/** The fetch that is being called right now. */
let starting: Departure | undefined;
/** By the platform's own request. */
const departures = new WeakMap<object, Departure>();

function depart(departure: Departure, url: string, options: RequestInit): Promise<Response> {
  starting = departure;
  try {
    return fetch(url, options);
  } finally {
    starting = undefined;
  }
}

function mayHaveLeft({ state }: Departure, cause?: Error): boolean {
  return state === "unknown" ? cause === undefined || !failedToConnect(cause) : state === "left";
}

let isWatching = false;

function watchDepartures(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe("undici:request:create", (message) => {
    if (starting === undefined) return;
    starting.state = "waiting";
    departures.set(requestIn(message), starting);
  });
  subscribe("undici:client:sendHeaders", (message) => {
    const departure = departures.get(requestIn(message));
    if (departure !== undefined) departure.state = "left";
  });
}

function requestIn(message: unknown): object {
  // Undici documents this type for both messages.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (message as { readonly request: object }).request;
}
