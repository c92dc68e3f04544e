import { ConfigurationError } from "../../errors.js";
import { TIMER_MAX } from "./clock.js";

/** How long a call may take, and how often it is tried again. */
export interface CallLimits {
  readonly timeoutMs?: number;
  readonly retries?: number;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

/** @throws ConfigurationError for a time-out that a timer cannot have, and for a number of tries that is none. */
export function limitsOf(own: CallLimits, defaults: CallLimits): Required<CallLimits> {
  const { timeoutMs = defaults.timeoutMs ?? TIMEOUT_MS, retries = defaults.retries ?? RETRIES } = own;
  if (!(timeoutMs > 0 && timeoutMs <= TIMER_MAX))
    throw new ConfigurationError(`timeoutMs is ${timeoutMs}; it takes milliseconds from 1 to ${TIMER_MAX}.`);
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new ConfigurationError(`retries is ${retries}; it takes a whole number from 0.`);
  return { timeoutMs, retries };
}
