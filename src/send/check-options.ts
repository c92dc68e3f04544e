import { TIMER_MAX } from "../api/calls/clock.js";
import type { Environment } from "../project/environment.js";
import { ConfigurationError } from "../errors.js";
import { readDuration } from "./duration.js";
import { readFrom } from "./message/addresses.js";
import type { MailerOptions } from "./options.js";

type Checked = Pick<
  MailerOptions<object>,
  "from" | "maxWait" | "timeoutMs" | "sendsPerMinute" | "reconcile" | "outbox"
>;

/** A local part may have 64 characters (RFC 5321); `+` and the id take 37 of them. */
const CORRELATION = /^[a-z0-9](?:[a-z0-9._-]{0,25}[a-z0-9])?$/i;
const LIKE_AN_ADDRESS = /[^\s<>]@[^\s<>@]+\.[^\s<>@]+>?$/;

/**
 * Checks the options when the mailer is created, so that mistakes don't wait for the first message.
 *
 * @throws {ConfigurationError} An option has an unusable value.
 */
export function checkOptions(
  { from, maxWait = 0, timeoutMs = 1, sendsPerMinute = 1, reconcile = {}, outbox = {} }: Checked,
  { name, domain, recipients }: Pick<Environment, "name" | "domain" | "recipients">,
): void {
  // Optional here: each message may set its own.
  if (from !== undefined) readFrom(from, domain, refuse);
  const { logDelayMs = 0, correlation } = reconcile;
  check(maxWait >= 0, "maxWait", maxWait, "a number of milliseconds, 0 or more");
  check(
    timeoutMs > 0 && timeoutMs <= TIMER_MAX,
    "timeoutMs",
    timeoutMs,
    `a number of milliseconds from 1 to ${TIMER_MAX}`,
  );
  check(sendsPerMinute > 0, "sendsPerMinute", sendsPerMinute, "a number of messages above 0, or Infinity");
  check(
    logDelayMs >= 0 && logDelayMs <= TIMER_MAX,
    "reconcile.logDelayMs",
    logDelayMs,
    `a number of milliseconds from 0 to ${TIMER_MAX}`,
  );
  checkCorrelation(correlation);
  const { keepKeys = "1d", keepContents = 0, keepUndecided = 0, lease = "1d" } = outbox;
  for (const [option, duration] of Object.entries({ keepKeys, lease })) readDuration(duration, `outbox.${option}`);
  for (const [option, duration] of Object.entries({ keepContents, keepUndecided }))
    if (duration !== 0) readDuration(duration, `outbox.${option}`);
  if (recipients?.redirectTo !== undefined && !LIKE_AN_ADDRESS.test(recipients.redirectTo))
    throw new ConfigurationError(
      `recipients.redirectTo of the environment "${name}" is ${JSON.stringify(recipients.redirectTo)}; it must be an email address.`,
    );
}

/** @throws {ConfigurationError} */
function refuse(option: string, message: string): never {
  throw new ConfigurationError(`${option} ${message}.`);
}

function check(isUsable: boolean, option: string, value: number, expected: string): void {
  if (!isUsable) throw new ConfigurationError(`${option} is ${value}; it must be ${expected}.`);
}

/** @throws {ConfigurationError} It is not a local part that an id can be appended to. */
export function checkCorrelation(correlation: string | undefined): void {
  if (correlation === undefined || CORRELATION.test(correlation)) return;
  throw new ConfigurationError(
    `reconcile.correlation is ${JSON.stringify(correlation)}, which is not a valid prefix for an address.`,
    {
      hint: 'Use the part before the @ of an address at your domain, such as "sent": at most 27 letters, digits, ".", "_" and "-".',
    },
  );
}
