import type { RateLimit } from "./rate-limit.js";

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
