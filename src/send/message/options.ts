import type { Attachment } from "../attachments/attachment.js";
import type { OnUnknown, Priority, Parcel } from "../parcel.js";
import { type Duration, parseDuration } from "../clock.js";
import type { Address } from "./addresses.js";
import { nearest } from "../../text/nearest.js";
import { hasControlCharacters, type ReportProblem } from "../report.js";
import { types } from "node:util";
import { TIMER_MAX } from "../../api/calls/timing.js";
import type { DeliveryDefaults } from "../../project/registry-types.js";
import { isRecord } from "../../values.js";

/** Who a message goes to and what is attached. */
export interface Envelope {
  /** One or many. An address that appears twice, also across `cc` and `bcc`, gets one email. */
  readonly to: Address | readonly Address[];
  readonly cc?: Address | readonly Address[] | undefined;
  readonly bcc?: Address | readonly Address[] | undefined;
  readonly replyTo?: Address | undefined;
  /**
   * The local part of the sender's address. A full address at the environment's domain is accepted too. Default: the
   * mailer's.
   */
  readonly from?: string | undefined;
  /** At most 25, and 10 MB in total. */
  readonly attachments?: readonly Attachment[] | undefined;
}

/** Delivery options. The defaults come from the template's `template.json`. */
export interface Handling {
  /** `high` is for messages that someone is waiting for, such as a sign-in code: they go first. Default `normal`. */
  readonly priority?: Priority | undefined;
  /** The time from which it is not worth sending: it is then dropped, as `expired`. Default: never. */
  readonly expiresAt?: Date | undefined;
  /** The same, relative to now or to `sendAt`: `"10m"`, or milliseconds. */
  readonly expiresAfter?: Duration | undefined;
  /**
   * What to do if it is unknown whether the message was sent: `park` keeps it until someone decides, `resend` sends it
   * again, for messages where a duplicate is better than a loss. Default `park`.
   */
  readonly onUnknown?: OnUnknown | undefined;
}

/** How long a direct send may take. */
export interface Delivery {
  /** Aborts the send. If the request is already in progress, the outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the service to answer; the same limit applies before that to reading streamed attachments.
   * Default: the mailer's.
   */
  readonly timeoutMs?: number | undefined;
  /** Maximum milliseconds to wait for a turn and between tries. Default: the mailer's. */
  readonly maxWait?: number | undefined;
}

/** Makes a call safe to repeat. */
export interface Keyed {
  /**
   * Identifies the message, as `receipt-1042` does: the same key never sends twice, and a repeated call returns the
   * first one's result. `send` and `queue` share their keys. Requires a store with an outbox. At most 255 characters.
   */
  readonly key?: string | undefined;
}

/** How a message waits in the outbox. */
export interface Queueing extends Keyed {
  /** The message is not sent before this date. Default: as soon as its turn comes. */
  readonly sendAt?: Date | undefined;
  /**
   * A transaction that you have open in the database of the mailer's store: the message is queued if that is committed,
   * and was never there if it is rolled back. Await the call within the transaction. Requires `postgresStore`.
   *
   * @example
   * await db.transaction(async (tx) => {
   *   await tx.insert(orders).values(order);
   *   await mailer.queue("receipt", { order }, { to, transaction: tx });
   * });
   */
  readonly transaction?: Transaction | undefined;
}

/**
 * A transaction of pg (a connected client), postgres.js, Drizzle, Kysely, Knex or Prisma; or, for any other library, a
 * function that runs a statement in it.
 */
export type Transaction = object | RunStatement;

/**
 * Runs a statement with parameters `$1`, `$2` in a transaction. Resolves to its rows, or to an object with `rows`.
 *
 * @example
 * (sql, parameters) => client.query(sql, parameters);
 */
export type RunStatement = (
  sql: string,
  parameters: (string | number | boolean | null)[],
) => Promise<readonly unknown[] | { readonly rows: readonly unknown[] }>;

/** Where a template's bodies come from: the template on the service, or the registry's bodies, filled here. */
export type Rendering = "template" | "local";

interface FromTemplate {
  /** Replaces the template's subject. May contain Mustache; at most 250 characters, before and after filling. */
  readonly subject?: string | undefined;
  /**
   * `local` fills the bodies that `templates types --bodies` wrote and sends the result, so that nothing needs to be
   * synced. Default: the mailer's setting, otherwise `template`.
   */
  readonly render?: Rendering | undefined;
}

/** Options of `send`. */
export interface SendOptions extends Envelope, FromTemplate, Handling, Delivery, Keyed {}

/** Options of `queue`. */
export interface QueueOptions extends Envelope, FromTemplate, Handling, Queueing {}

/** `Options` for each template name: templates without a subject require one. */
type ByTemplate<Options, Types extends object, WithoutSubject extends keyof Types> = {
  readonly [Name in keyof Types]: Name extends WithoutSubject ? Options & { readonly subject: string } : Options;
};

export type SendOptionsOf<Types extends object, WithoutSubject extends keyof Types> = ByTemplate<
  SendOptions,
  Types,
  WithoutSubject
>;

export type QueueOptionsOf<Types extends object, WithoutSubject extends keyof Types> = ByTemplate<
  QueueOptions,
  Types,
  WithoutSubject
>;

/**
 * A message without a template: a subject, and a text body, an HTML body or both. The service fills nothing in the
 * bodies.
 */
type Content = { readonly subject: string } & (
  | { readonly text: string; readonly html?: string | undefined }
  | { readonly html: string; readonly text?: string | undefined }
);

/** Options of `sendMessage`. */
export type MessageOptions = Envelope & Handling & Delivery & Keyed & Content;

/** Options of `queueMessage`. */
export type QueuedMessageOptions = Envelope & Handling & Queueing & Content;

/** What a message is checked for: the two have different options. */
export type Purpose = "send" | "queue";

/** Options as JavaScript may pass them: only the names are verified. */
export type PassedOptions = { readonly [Name in OptionName]?: unknown };

type OptionName = AllKeys<SendOptions | QueueOptions | MessageOptions | QueuedMessageOptions>;
type AllKeys<Options> = Options extends unknown ? keyof Options : never;

const COMMON = [
  ..."to cc bcc replyTo from attachments subject".split(" "),
  ..."priority expiresAt expiresAfter onUnknown key".split(" "),
];
const OF_PURPOSE = { send: ["signal", "timeoutMs", "maxWait"], queue: ["sendAt", "transaction"] };
const OF_KIND = { template: ["render"], plain: ["text", "html"] };

/** Why an option that exists elsewhere is not available here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  sendAt: "is for queued messages: mailer.queue",
  transaction: "is for queued messages: mailer.queue",
  signal: "is for a direct send; a queued message waits for its turn and can be discarded",
  timeoutMs: "is for a direct send; the worker uses its mailer's setting",
  maxWait: "is for a direct send; use expiresAfter for queued messages",
  render: "is for messages made from a template",
  text: "is for messages without a template: mailer.sendMessage",
  html: "is for messages without a template: mailer.sendMessage",
  template: "is the first argument of mailer.send",
  variables: "are the second argument of mailer.send",
};

/**
 * Reads the options that are set. Reports unknown names, with a suggestion, and nulls, which TypeScript would not
 * accept.
 */
export function readOptions(
  options: unknown,
  { kind, purpose }: { readonly kind: "template" | "plain"; readonly purpose: Purpose },
  report: ReportProblem,
): PassedOptions {
  const path = kind === "template" ? "options" : "message";
  if (!isRecord(options)) {
    report(path, "is not an object: pass at least { to }");
    return {};
  }
  const names = [...COMMON, ...OF_PURPOSE[purpose], ...OF_KIND[kind]];
  const passed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) report(name, unknownOption(name, names));
    // Required options are reported as missing elsewhere.
    else if (value === null && name !== "to" && name !== "subject") report(name, "is null: leave it out");
    // A hole in a list becomes undefined, which is reported.
    else if (value !== null) passed[name] = Array.isArray(value) ? Array.from<unknown>(value) : value;
  }
  return passed;
}

function unknownOption(name: string, names: readonly string[]): string {
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const near = nearest(name.replaceAll(/[_-]/g, ""), names);
  return near === undefined ? "is not an option" : `is not an option. Did you mean ${near}?`;
}

/** Maximum characters of an idempotency key. */
const KEY_MAX = 255;
const PRIORITIES: readonly Priority[] = ["high", "normal"];
const POLICIES: readonly OnUnknown[] = ["park", "resend"];

/** A message's delivery options, with the template's defaults filled in. */
export interface CheckedHandling extends Pick<Parcel, "priority" | "onUnknown" | "expiresAt"> {
  /** For the outbox. */
  readonly key?: string;
  /** For the outbox: milliseconds since 1970. */
  readonly sendAt?: number;
  /** For the outbox: set if `expiresAt` is relative to now. */
  readonly expiresInMs?: number;
  /** For the outbox, which knows what is a transaction. */
  readonly transaction?: unknown;
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
  const { expiresAt: expiryDate, expiresAfterMs } = readExpiry(options, defaults?.expiresAfter, report);
  const isLater = sendAt !== undefined && sendAt > now;
  const expiresAt = expiresAfterMs === undefined ? expiryDate : (isLater ? sendAt : now) + expiresAfterMs;
  if (expiresAt !== undefined && sendAt !== undefined && expiresAt <= sendAt)
    report("expiresAt", "is not after sendAt, so the message could never be sent");
  return {
    priority: readChoice("priority", options.priority, PRIORITIES, report) ?? defaults?.priority ?? "normal",
    onUnknown: readChoice("onUnknown", options.onUnknown, POLICIES, report) ?? defaults?.onUnknown ?? "park",
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(key === undefined ? {} : { key }),
    ...(sendAt === undefined ? {} : { sendAt }),
    ...(expiresAfterMs === undefined || isLater ? {} : { expiresInMs: expiresAfterMs }),
    ...(options.transaction === undefined ? {} : { transaction: options.transaction }),
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
  report: ReportProblem,
): { readonly expiresAt?: number | undefined; readonly expiresAfterMs?: number | undefined } {
  if (expiresAt !== undefined && expiresAfter !== undefined)
    report("expiresAfter", "can't be combined with expiresAt: pass one of them");
  const after = parseDuration(expiresAfter ?? byDefault);
  if (expiresAfter !== undefined && after === undefined)
    report("expiresAfter", 'is neither a duration such as "10m" nor milliseconds from 1');
  return expiresAt === undefined
    ? { expiresAfterMs: after }
    : { expiresAt: readMoment("expiresAt", expiresAt, report) };
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
