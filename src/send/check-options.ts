import { TIMER_MAX } from "../api/calls/clock.js";
import type { Environment } from "../config/environment.js";
import { ConfigurationError } from "../errors.js";
import { readDuration } from "./duration.js";
import { readFrom } from "./message/addresses.js";
import type { MailerOptions } from "./options.js";

type Checked = Pick<
  MailerOptions<object>,
  "from" | "maxWait" | "timeoutMs" | "sendsPerMinute" | "reconcile" | "outbox"
>;

/** A local part has 64 characters at most (RFC 5321), and an id 36. */
const CORRELATION = /^[a-z0-9](?:[a-z0-9._-]{0,25}[a-z0-9])?$/i;
const LIKE_AN_ADDRESS = /[^\s<>]@[^\s<>@]+\.[^\s<>@]+>?$/;

/**
 * What is wrong with a mailer's options is told where it is made, and not by the first mail that needs them.
 *
 * @throws {ConfigurationError} One cannot be used.
 */
export function checkOptions(
  { from, maxWait = 0, timeoutMs = 1, sendsPerMinute = 1, reconcile = {}, outbox = {} }: Checked,
  { name, domain, recipients }: Pick<Environment, "name" | "domain" | "recipients">,
): void {
  // Each message may bring its own.
  if (from !== undefined) readFrom(from, domain, refuse);
  const { logDelayMs = 0, correlation } = reconcile;
  check(maxWait >= 0, "maxWait", maxWait, "milliseconds from 0");
  check(timeoutMs > 0 && timeoutMs <= TIMER_MAX, "timeoutMs", timeoutMs, `milliseconds from 1 to ${TIMER_MAX}`);
  check(sendsPerMinute > 0, "sendsPerMinute", sendsPerMinute, "a number of messages from 1, or Infinity");
  check(logDelayMs >= 0 && logDelayMs <= TIMER_MAX, "reconcile.logDelayMs", logDelayMs, "milliseconds from 0");
  checkCorrelation(correlation);
  const { keepKeys = "1d", keepContents = 0, keepUndecided = 0, lease = "1d" } = outbox;
  for (const [option, duration] of Object.entries({ keepKeys, lease })) readDuration(duration, `outbox.${option}`);
  for (const [option, duration] of Object.entries({ keepContents, keepUndecided }))
    if (duration !== 0) readDuration(duration, `outbox.${option}`);
  if (recipients?.redirectTo !== undefined && !LIKE_AN_ADDRESS.test(recipients.redirectTo))
    throw new ConfigurationError(
      `recipients.redirectTo of the environment "${name}" is ${JSON.stringify(recipients.redirectTo)}; it takes an address.`,
    );
}

/** @throws {ConfigurationError} */
function refuse(option: string, message: string): never {
  throw new ConfigurationError(`${option} ${message}.`);
}

function check(isUsable: boolean, option: string, value: number, takes: string): void {
  if (!isUsable) throw new ConfigurationError(`${option} is ${value}; it takes ${takes}.`);
}

/** @throws {ConfigurationError} It is no local part to which an id can be added. */
export function checkCorrelation(correlation: string | undefined): void {
  if (correlation === undefined || CORRELATION.test(correlation)) return;
  throw new ConfigurationError(`reconcile.correlation is ${JSON.stringify(correlation)}.`, {
    hint: 'It takes the local part of an address of the domain, such as "sent": letters, digits, ".", "_" and "-", at most 27.',
  });
}
