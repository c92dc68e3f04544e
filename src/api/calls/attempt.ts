import type { Clock } from "./clock.js";
import type { Turn } from "./endpoint-pace.js";
import { CallError } from "../errors.js";
import type { Hooks, RequestInfo } from "./hooks.js";
import type { Http, HttpAnswer, HttpRequest } from "./http.js";
import { readRateLimit, readRetryAfter } from "./rate-limit.js";

/** One try of a call, from its turn to what its answer holds. */
export type Attempt = <Result>(
  turn: Turn,
  info: RequestInfo,
  request: HttpRequest,
  read: (answer: HttpAnswer) => Result | Promise<Result>,
  /** The call's own hook. */
  onRequest: Hooks["onRequest"],
) => Promise<Result>;

/** Tries that tell the hooks, and the pace of their endpoint, how they went. */
export function attempts(http: Http, clock: Clock, { onRequest, onResponse }: Hooks): Attempt {
  return async (turn, info, request, read, onOwnRequest) => {
    const startedAt = clock.now();
    const end = (outcome: { answer?: HttpAnswer; error?: unknown }) =>
      onResponse?.({ ...info, durationMs: clock.now() - startedAt, ...shown(outcome) });

    let answer: HttpAnswer;
    try {
      onRequest?.(info);
      onOwnRequest?.(info);
      answer = await http.request(request);
    } catch (error) {
      if (wasSent(error)) turn.lost();
      else turn.unused();
      end({ error });
      throw error;
    }
    turn.answered({ ...paceOf(answer), refused: answer.status === 429 });
    let result;
    try {
      result = await read(answer);
    } catch (error) {
      end({ answer, error });
      throw error;
    }
    end({ answer });
    return result;
  };
}

/** Whether any of a request that failed may have reached the service. */
export function wasSent(error: unknown): boolean {
  return error instanceof CallError && (!("requestSent" in error) || error.requestSent === true);
}

function shown({ answer, error }: { answer?: HttpAnswer; error?: unknown }) {
  return {
    ...(answer && { status: answer.status, ...withRateLimit(answer), ...withServiceTime(answer) }),
    ...(error instanceof Error && { error }),
  };
}

function withServiceTime({ headers: { date } }: HttpAnswer) {
  const time = typeof date === "string" ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : { serviceTime: new Date(time) };
}

function paceOf(answer: HttpAnswer) {
  const seconds = readRetryAfter(answer.headers);
  return { ...withRateLimit(answer), ...(seconds !== undefined && { resetMs: seconds * 1000 }) };
}

function withRateLimit({ headers }: HttpAnswer) {
  const rateLimit = readRateLimit(headers);
  return rateLimit && { rateLimit };
}
