import { setTimeout as sleep } from "node:timers/promises";
import { readDestination } from "../api/local.js";
import { LettershopError } from "../errors.js";
import { checkNames } from "../send/check-options.js";
import type { ReceivedEntries, ReceivedEntry } from "../service/inbound/inbound.js";
import { checkValue } from "./check-value.js";
import type { LocalHttp } from "./local-http.js";
import { isStringPattern, matches, STRING_PATTERN, type StringPattern } from "./partial-match.js";

export interface WaitOptions {
  /** The full address, in any case. */
  readonly to: string;
  /** Part of the subject, or a pattern for it. */
  readonly subject?: StringPattern;
  /** Timeout in ms. Default 10,000. */
  readonly timeoutMs?: number;
}

/** No message arrived in time. The error lists what arrived instead. */
export class NoMailError extends LettershopError {
  override readonly name = "NoMailError";
  readonly code = "no_mail";
}

const TIMEOUT_MS = 10_000;
const SHORTEST_PAUSE = 25;
const LONGEST_PAUSE = 250;

/**
 * Checks the options of a function that waits.
 *
 * @param caller The function that was called.
 * @throws {ConfigurationError} An option does not exist or has a value of the wrong type.
 */
export function readWait(
  caller: string,
  options: Partial<WaitOptions>,
): { readonly hasSubject: (subject: string) => boolean; readonly timeoutMs: number } {
  checkNames<WaitOptions>(caller, options, { to: true, subject: true, timeoutMs: true });
  const { to, subject = "", timeoutMs = TIMEOUT_MS } = options;
  checkValue(caller, "to", to, to === undefined || typeof to === "string", "an email address");
  checkValue(caller, "subject", subject, isStringPattern(subject), STRING_PATTERN);
  checkValue(
    caller,
    "timeoutMs",
    timeoutMs,
    typeof timeoutMs === "number" && timeoutMs >= 0,
    "a number of milliseconds, 0 or more",
  );
  return {
    timeoutMs,
    hasSubject: (text) => (typeof subject === "string" ? text.includes(subject) : matches(text, subject)),
  };
}

/** Looks for something until it is there. Undefined if the time is up. */
export async function poll<Found>(
  timeoutMs: number,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const found = await find();
    const leftMs = deadline - performance.now();
    if (found !== undefined || leftMs <= 0) return found;
    await sleep(Math.min(pause, leftMs));
  }
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What the service received from a moment on, for errors about emails that it should have forwarded. */
export async function followReceived(http: LocalHttp): Promise<() => Promise<string>> {
  const receivedAfter = (seq: number) => http.json<ReceivedEntries>("GET", `/local/received?after=${seq}`);
  const { last: start } = await receivedAfter(Number.MAX_SAFE_INTEGER);
  return async () => {
    const received = (await receivedAfter(start)).received.toReversed();
    if (received.length === 0) return "The service has received no email.";
    const undelivered = received.flatMap((entry) => undeliveredOf(entry).map((last) => ({ ...entry, last })));
    if (undelivered.length === 0) return "";
    const lines = undelivered.map(
      ({ sender, recipient, subject, last }) => `- for ${recipient} from ${sender}: ${subject}${fate(last)}`,
    );
    const isWaiting = undelivered.some(({ last }) => last.status === "SOFT-BOUNCE");
    const advice = isWaiting ? "\nTo let it try again, move its clock: service.clock.advance(60_000)" : "";
    return `Received, but not delivered:\n${lines.join("\n")}${advice}`;
  };
}

/** The last event of each destination that does not have the email; if none was tried yet, that it is queued. */
function undeliveredOf({ events }: ReceivedEntry): ReceivedEntry["events"] {
  const [queued, ...others] = events;
  const lasts = new Map(
    (others.length === 0 && queued ? [queued] : others).map((event) => [
      readDestination(event.message) ?? event.server,
      event,
    ]),
  );
  return [...lasts.values()].filter(({ status }) => status !== "DELIVERED");
}

/** Why an email was not delivered. */
export function fate(
  last: { readonly status: string; readonly code: number; readonly message: string } | undefined,
): string {
  return last === undefined || last.status === "DELIVERED" ? "" : ` (${last.status}: ${last.code} ${last.message})`;
}
