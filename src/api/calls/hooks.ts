import type { RateLimit } from "./rate-limit.js";

/** One try of a call, as `onRequest` sees it. Nothing in it is secret: no header, no query and no body. */
export interface RequestInfo {
  /** Which call of the client it is, from 1; the same for all tries of the call, which come one after the other. */
  readonly call: number;
  /** Which try of the call it is, from 1. */
  readonly attempt: number;
  readonly method: string;
  /** The path with its parameters' names, such as `/domains/:domain/templates`: rate limits hold for each endpoint. */
  readonly endpoint: string;
  readonly path: string;
}

/** How a try ended, as `onResponse` sees it. */
export interface ResponseInfo extends RequestInfo {
  /** Milliseconds since `onRequest`. */
  readonly durationMs: number;
  /** The answer's; undefined where none came. */
  readonly status?: number;
  readonly rateLimit?: RateLimit;
  /** The time on the service's clock, in whole seconds: the answer's `Date`. */
  readonly serviceTime?: Date;
  /** What the try failed with: a refusal, too. It may be tried again. */
  readonly error?: Error;
}

/** Functions that see what the client does; what they throw, the call throws. */
export interface Hooks {
  /**
   * Sees each try of a call just before it leaves.
   *
   * @example
   * onRequest: ({ call, method, endpoint }) => spans.set(call, tracer.startSpan(`${method} ${endpoint}`)),
   */
  readonly onRequest?: (request: RequestInfo) => void;
  /**
   * Sees how each try ended, refusals and failed connections included.
   *
   * @example
   * onResponse: ({ call, status, error }) => {
   *   spans.get(call)?.setAttribute("http.response.status_code", status ?? 0).end();
   *   spans.delete(call);
   * },
   */
  readonly onResponse?: (response: ResponseInfo) => void;
}
