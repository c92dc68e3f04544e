import type { Clock } from "./clock.js";
import type { Turn } from "./endpoint-pace.js";
import { CallError } from "../errors.js";
import type { Hooks, RequestInfo, ResponseInfo } from "./hooks.js";
import type { Http, HttpAnswer, HttpRequest } from "./http.js";
import { readRateLimit, readRetryAfter } from "./rate-limit.js";

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
