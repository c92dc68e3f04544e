import { TIMER_MAX } from "../api/calls/timing.js";
import type { Environment } from "../project/environment.js";
import { ConfigurationError } from "../errors.js";
import { readDuration } from "./clock.js";
import { readFrom } from "./message/addresses.js";
import type { MailTransport } from "./delivery/transport.js";
import type { MailerOptions, OutboxOptions, ReconcileOptions } from "./options.js";
import { nearest } from "../text/nearest.js";
import { isRecord } from "../values.js";

type Checked = Pick<
  MailerOptions<object>,
  "from" | "maxWait" | "timeoutMs" | "sendsPerMinute" | "reconcile" | "outbox" | "suppressHardBounces"
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
  { from, maxWait = 0, timeoutMs = 1, sendsPerMinute = 1, reconcile = {}, outbox = {}, suppressHardBounces }: Checked,
  { name, domain, recipients, smtp, apiKey }: Pick<Environment, "name" | "domain" | "recipients" | "smtp" | "apiKey">,
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
  if (smtp !== undefined && apiKey === "" && suppressHardBounces)
    throw new ConfigurationError("suppressHardBounces needs `url` and `apiKey`, to read the service's delivery log.");
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
function checkCorrelation(correlation: string | undefined): void {
  if (correlation === undefined || CORRELATION.test(correlation)) return;
  throw new ConfigurationError(
    `reconcile.correlation is ${JSON.stringify(correlation)}, which is not a valid prefix for an address.`,
    {
      hint: 'Use the part before the @ of an address at your domain, such as "sent": at most 27 letters, digits, ".", "_" and "-".',
    },
  );
}

/** The names of all options of a type: the compiler reports a missing one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

const OUTBOX: OptionNames<OutboxOptions> = { keepKeys: true, keepContents: true, keepUndecided: true, lease: true };
const RECONCILE: OptionNames<ReconcileOptions> = { logDelayMs: true, correlation: true };
const MAILER: OptionNames<MailerOptions<object>> = {
  templates: true,
  environment: true,
  url: true,
  domain: true,
  apiKey: true,
  allowInsecure: true,
  transport: true,
  from: true,
  render: true,
  store: true,
  maxWait: true,
  timeoutMs: true,
  sendsPerMinute: true,
  reconcile: true,
  suppressHardBounces: true,
  outbox: true,
  locale: true,
  timeZone: true,
  clock: true,
};

const IN_ENVIRONMENT = "set it in the environment, in lettershop.config.ts";
const WITH_MESSAGE = "pass it with each message";
const WITH_TEMPLATE = `${WITH_MESSAGE}, or set it in the template's template.json`;

/** What other libraries call an option, and where to set things that are not options here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  baseUrl: "did you mean url?",
  env: "did you mean environment?",
  key: "did you mean apiKey?",
  sender: "did you mean from?",
  registry: "did you mean templates?",
  version: IN_ENVIRONMENT,
  keyVariable: IN_ENVIRONMENT,
  recipients: "set them in the environment, in lettershop.config.ts",
  to: WITH_MESSAGE,
  replyTo: WITH_MESSAGE,
  priority: WITH_TEMPLATE,
  onUnknown: WITH_TEMPLATE,
  expiresAfter: WITH_TEMPLATE,
};

/**
 * Checks the names of a mailer's options.
 *
 * @param maker The function that was called.
 * @throws {ConfigurationError} Lists every unknown name on one level.
 */
export function checkOptionNames(maker: string, options: unknown): void {
  checkNames(maker, options, MAILER, { elsewhere: ELSEWHERE, example: "{ templates, from }" });
  if (options.transport !== undefined && !isMailTransport(options.transport))
    throw new ConfigurationError("transport is not what smtp() returns.", {
      hint: 'Import smtp from "lettershop/smtp", and pass: transport: smtp({ host, user, password })',
    });
  if (isRecord(options.outbox)) checkNames(maker, options.outbox, OUTBOX, { path: "outbox." });
  if (isRecord(options.reconcile)) checkNames(maker, options.reconcile, RECONCILE, { path: "reconcile." });
}

export function isMailTransport(value: unknown): value is MailTransport {
  return isRecord(value) && typeof value["open"] === "function" && typeof value["resolve"] === "function";
}

interface NamesContext {
  /** The prefix of a name in messages, such as `outbox.`. */
  readonly path?: string;
  /** Advice for names that callers may expect to be options. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** What to pass, for a caller that did not pass an object. Default: the list of options. */
  readonly example?: string;
}

/**
 * Refuses misspelt options. JavaScript would ignore them: email would go elsewhere, or a test that should fail would
 * pass.
 *
 * @example
 * checkNames("openInbox", options, { url: true, domain: true });
 *
 * @param caller The function that was called, as its caller writes it.
 * @throws {ConfigurationError} Lists every unknown name, the likely options, and all options.
 */
export function checkNames<Options>(
  caller: string,
  options: unknown,
  known: Readonly<Record<keyof Options, unknown>>,
  { path = "", elsewhere = {}, example }: NamesContext = {},
): asserts options is { readonly [Name in keyof Options]?: unknown } {
  const all = Object.keys(known);
  const listed = all.map((name) => `${path}${name}`).join(", ");
  if (!isRecord(options))
    throw new ConfigurationError(
      `${caller} takes an object with options${example === undefined ? `: ${listed}` : `, such as ${example}`}.`,
    );
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const problems = unknown.map((name) => {
    const near = nearest(name.replaceAll(/[_-]/g, ""), all);
    const advice = Object.hasOwn(elsewhere, name) ? elsewhere[name] : near && `did you mean ${path}${near}?`;
    return `no option "${path}${name}"${advice === undefined ? "" : ` (${advice})`}`;
  });
  throw new ConfigurationError(`${caller} has ${problems.join(", ")}. Its options: ${listed}.`);
}
