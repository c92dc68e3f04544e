import type { Clock } from "./clock.js";
import type { Turn } from "./endpoint-pace.js";
import { CallError } from "../errors.js";
import type { Http, HttpAnswer, HttpRequest } from "./http.js";
import { type RateLimit, readRateLimit, readRetryAfter } from "./rate-limit.js";

/** One try of a call, from getting its turn to reading its answer. */
export type Attempt = <Result>(
  turn: Turn,
  info: RequestInfo,
  request: HttpRequest,
  read: (answer: HttpAnswer) => Result | Promise<Result>,
  /** The call's own hook. */
  onRequest: Hooks["onRequest"],
) => Promise<Result>;

/** Runs tries, and reports them to the hooks and the endpoint's pace. */
export function attempts(http: Http, clock: Clock, { onRequest, onResponse }: Hooks): Attempt {
  const withTime = timeReader();
  return async (turn, info, request, read, onOwnRequest) => {
    const startedAt = clock.now();
    const end = (answered?: HttpAnswer, error?: unknown) =>
      onResponse?.({
        durationMs: clock.now() - startedAt,
        ...info,
        ...(answered && { status: answered.status, ...withRateLimit(answered), ...withTime(answered) }),
        ...(error instanceof Error && { error }),
      });

    let answer: HttpAnswer;
    try {
      onRequest?.(info);
      onOwnRequest?.(info);
      answer = await http.request(request);
    } catch (error) {
      if (wasSent(error)) turn.lost();
      else turn.unused();
      end(undefined, error);
      throw error;
    }
    turn.answered({ refused: answer.status === 429, ...paceOf(answer) });
    let result;
    try {
      result = await read(answer);
    } catch (error) {
      end(answer, error);
      throw error;
    }
    end(answer);
    return result;
  };
}

/** Whether any part of a failed request may have reached the service. */
export function wasSent(error: unknown): boolean {
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
