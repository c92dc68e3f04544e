import { types } from "node:util";
import { TIMER_MAX } from "../../api/calls/clock.js";
import type { DeliveryDefaults } from "../../project/registry-types.js";
import type { OnUnknown, Parcel, Priority } from "../parcel.js";
import { parseDuration } from "../clock.js";
import type { PassedOptions } from "./options.js";
import { hasControlCharacters, type ReportProblem } from "../report.js";

/** Maximum characters of an idempotency key. */
export const KEY_MAX = 255;
const PRIORITIES: readonly Priority[] = ["high", "normal"];
const POLICIES: readonly OnUnknown[] = ["park", "resend"];

/** A message's delivery options, with the template's defaults filled in. */
export interface CheckedHandling extends Pick<Parcel, "priority" | "onUnknown" | "expiresAt"> {
  /** For the outbox. */
  readonly key?: string;
  /** By `clock.time()`, for the outbox. */
  readonly sendAt?: number;
}

/** @param now By `clock.time()`. */
export function readHandling(
  options: PassedOptions,
  defaults: DeliveryDefaults | undefined,
  now: number,
  report: ReportProblem,
): CheckedHandling {
  const key = readKey(options.key, report);
  const sendAt = readMoment("sendAt", options.sendAt, report);
  const expiresAt = readExpiry(options, defaults?.expiresAfter, Math.max(now, sendAt ?? now), report);
  if (expiresAt !== undefined && sendAt !== undefined && expiresAt <= sendAt)
    report("expiresAt", "is not after sendAt, so the message could never be sent");
  return {
    priority: readChoice("priority", options.priority, PRIORITIES, report) ?? defaults?.priority ?? "normal",
    onUnknown: readChoice("onUnknown", options.onUnknown, POLICIES, report) ?? defaults?.onUnknown ?? "park",
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(key === undefined ? {} : { key }),
    ...(sendAt === undefined ? {} : { sendAt }),
  };
}

/** Reports unusable limits of a direct send. */
export function checkDelivery({ signal, timeoutMs, maxWait }: PassedOptions, report: ReportProblem): void {
  if (signal !== undefined && !(signal instanceof AbortSignal)) report("signal", "is not an AbortSignal");
  if (timeoutMs !== undefined && !isTimeout(timeoutMs))
    report("timeoutMs", `is not a number of milliseconds from 1 to ${TIMER_MAX}`);
  if (maxWait !== undefined && !(isNumber(maxWait) && maxWait >= 0))
    report("maxWait", "is not a number of milliseconds, 0 or more");
}

/** Whether a timer supports the value. */
export function isTimeout(value: unknown): value is number {
  return isNumber(value) && value > 0 && value <= TIMER_MAX;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function readChoice<Choice extends string>(
  path: string,
  value: unknown,
  choices: readonly Choice[],
  report: ReportProblem,
): Choice | undefined {
  const choice = choices.find((each) => each === value);
  if (value !== undefined && choice === undefined)
    report(path, `must be ${choices.map((each) => `"${each}"`).join(" or ")}`);
  return choice;
}

function readExpiry(
  { expiresAt, expiresAfter }: PassedOptions,
  byDefault: string | undefined,
  start: number,
  report: ReportProblem,
): number | undefined {
  if (expiresAt !== undefined && expiresAfter !== undefined)
    report("expiresAfter", "can't be combined with expiresAt: pass one of them");
  const after = parseDuration(expiresAfter ?? byDefault);
  if (expiresAfter !== undefined && after === undefined)
    report("expiresAfter", 'is neither a duration such as "10m" nor milliseconds from 1');
  if (expiresAt !== undefined) return readMoment("expiresAt", expiresAt, report);
  return after === undefined ? undefined : start + after;
}

function readMoment(path: string, value: unknown, report: ReportProblem): number | undefined {
  if (value === undefined) return undefined;
  // A test runner's Date may be from another realm, where instanceof fails.
  const time = types.isDate(value) ? value.getTime() : Number.NaN;
  if (!Number.isNaN(time)) return time;
  report(path, "is not a valid Date");
  return undefined;
}

function readKey(value: unknown, report: ReportProblem): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.trim() === "") report("key", "must be a non-empty string");
  else if (value.length > KEY_MAX) report("key", `is longer than ${KEY_MAX} characters`);
  else if (!hasControlCharacters(value, "key", report)) return value;
  return undefined;
}
