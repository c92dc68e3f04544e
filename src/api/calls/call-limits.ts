import { ConfigurationError } from "../../errors.js";
import { TIMER_MAX } from "./clock.js";

/** A call's timeout and maximum retries. */
export interface CallLimits {
  readonly timeoutMs?: number;
  readonly retries?: number;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

/** @throws ConfigurationError for a timeout that timers don't support, or an invalid number of retries. */
export function limitsOf(own: CallLimits, defaults: CallLimits): Required<CallLimits> {
  const { timeoutMs = defaults.timeoutMs ?? TIMEOUT_MS, retries = defaults.retries ?? RETRIES } = own;
  if (!(timeoutMs > 0 && timeoutMs <= TIMER_MAX))
    throw new ConfigurationError(
      `timeoutMs is ${timeoutMs}; it must be a number of milliseconds from 1 to ${TIMER_MAX}.`,
    );
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new ConfigurationError(`retries is ${retries}; it must be a whole number, 0 or more.`);
  return { timeoutMs, retries };
}
