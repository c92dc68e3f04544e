import { inspect, types } from "node:util";
import { ConfigurationError } from "../errors.js";
import { checkTemplate, checkValue } from "./check-value.js";
import { type Expectation, FIELDS, fieldsOf } from "./expectation.js";
import type { AnyMail } from "./recorded-mail.js";
import { checkNames } from "../send/check-options.js";
import type { Mailer } from "../send/mailer.js";

export type MailList = "sent" | "queued";

/** The recorded messages and templates of a mailer. */
export interface Recorded {
  readonly sent: readonly AnyMail[];
  readonly queued: readonly AnyMail[];
  /** The mailer's templates. */
  readonly templateNames: readonly string[];
}

/** What a test looks for, as JavaScript may pass it. */
export interface MailSearch {
  /** The function or matcher that was called. */
  readonly caller: string;
  readonly place: MailList;
  /** If undefined, messages of any template or none. */
  readonly template: unknown;
  readonly expected: unknown;
}

/** Whether something was sent or queued as expected, and what to report if not. */
export interface SearchResult {
  readonly found: readonly AnyMail[];
  readonly pass: boolean;
  /** What was expected, and what there is. */
  readonly message: () => string;
  /** How the most similar message differs. */
  readonly difference: () => { readonly actual: unknown; readonly expected: unknown } | undefined;
}

/**
 * @throws {ConfigurationError} The template does not exist, or the expectation has a misspelt key or an invalid value.
 */
export function find(recorded: Recorded, { caller, place, template, expected = {} }: MailSearch): SearchResult {
  checkTemplate(caller, template, recorded.templateNames);
  checkExpectation(caller, expected);
  const { times } = expected;
  const ofTemplate = (mails: readonly AnyMail[]) =>
    template === undefined ? mails : mails.filter((mail) => mail.template === template);
  const candidates = ofTemplate(recorded[place]);
  const found = candidates.filter((mail) => isMatch(mail, expected));
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const isQueued = () => ofTemplate(recorded.queued).some((mail) => isMatch(mail, expected));
  return {
    found,
    pass,
    message: () =>
      [
        `${inWords(template, expected, pass)} was ${place}${inNumbers(found.length, times)}.`,
        ...(!pass && place === "sent" && isQueued() ? ["It is queued; `await mailer.drain()` sends what is due."] : []),
        listed("Sent", recorded.sent),
        ...(recorded.queued.length === 0 ? [] : [listed("Queued", recorded.queued)]),
      ].join("\n"),
    difference: () => (found.length > 0 ? undefined : differenceOf(likeliest(candidates, expected), expected)),
  };
}

function isMatch(mail: AnyMail, expected: Expectation): boolean {
  return fieldsOf(expected).every(({ field, value }) => field.isMet(mail, value)) && isAccepted(mail, expected);
}

function isAccepted(mail: AnyMail, { where }: Expectation): boolean {
  const answer: unknown = where === undefined || where(mail);
  if (typeof answer === "boolean") return answer;
  const actual = types.isPromise(answer) ? "a promise" : inspect(answer, { depth: 0 });
  throw new ConfigurationError(`where returned ${actual}; it must return true or false.`);
}

/** The message that was most likely meant: the latest to the expected recipient, otherwise the latest. */
function likeliest(candidates: readonly AnyMail[], { to }: Expectation): AnyMail | undefined {
  return candidates.findLast((mail) => to !== undefined && FIELDS.to.isMet(mail, to)) ?? candidates.at(-1);
}

/** Matching parts are the same on both sides, so that a diff shows only the rest. */
function differenceOf(mail: AnyMail | undefined, expected: Expectation): ReturnType<SearchResult["difference"]> {
  if (mail === undefined) return undefined;
  const fields = fieldsOf(expected).map(({ key, field, value }) => {
    const isMet = field.isMet(mail, value);
    return { key, isMet, ...(isMet ? { actual: value, expected: value } : field.differenceOf(mail, value)) };
  });
  if (fields.every(({ isMet }) => isMet)) return undefined;
  return {
    actual: Object.fromEntries(fields.map((field) => [field.key, field.actual])),
    expected: Object.fromEntries(fields.map((field) => [field.key, field.expected])),
  };
}

function inWords(template: string | undefined, expected: Expectation, pass: boolean): string {
  const name = template === undefined ? "message" : `"${template}"`;
  const article = template === undefined ? "A " : "";
  const details = fieldsOf(expected).map(({ field, value }) => field.inWords(value));
  return [
    `${pass || expected.times !== undefined ? article : "No "}${name}`,
    ...details,
    ...(expected.where === undefined ? [] : ["that `where` accepts"]),
  ].join(" ");
}

function inNumbers(count: number, expected: number | undefined): string {
  if (expected === undefined) return "";
  return count === expected ? ` ${counted(count)}` : ` ${counted(count)}, not ${counted(expected)}`;
}

function counted(times: number): string {
  return times === 1 ? "once" : `${times} times`;
}

function listed(title: string, mails: readonly AnyMail[]): string {
  if (mails.length === 0) return `${title}: nothing.`;
  const lines = mails.map(
    ({ template, to, subject }) =>
      `- ${template === undefined ? "a message without a template" : `"${template}"`} to ${to.join(", ")}: ${subject}`,
  );
  return `${title}:\n${lines.join("\n")}`;
}

const KEYS: Readonly<Record<keyof Expectation, unknown>> = { ...FIELDS, where: true, times: true };

/** What other tools call a key. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  email: "did you mean to?",
  recipient: "did you mean to?",
  recipients: "did you mean to?",
  sender: "did you mean from?",
  body: "did you mean html or text?",
  data: "did you mean variables?",
  vars: "did you mean variables?",
  count: "did you mean times?",
  predicate: "did you mean where?",
  template: "it is the argument before this one",
};

/**
 * Refuses an expectation that would be ignored, or that nothing can match. With `.not`, either would make a test pass.
 *
 * @param caller The function or matcher that was called.
 * @throws {ConfigurationError} It has a misspelt key, or a value of the wrong type.
 */
function checkExpectation(caller: string, expected: unknown): asserts expected is Expectation {
  checkNames(caller, expected, KEYS, { elsewhere: ELSEWHERE });
  for (const { field, value } of fieldsOf(expected)) field.check(caller, value);
  if ("where" in expected) {
    const { where } = expected;
    const isPredicate = typeof where === "function" && !types.isAsyncFunction(where);
    checkValue(caller, "where", where, isPredicate, "a function that returns true or false, not a promise");
  }
  if ("times" in expected) {
    const { times } = expected;
    checkValue(caller, "times", times, Number.isSafeInteger(times) && Number(times) >= 0, "a whole number, 0 or more");
  }
}

/** A mailer that records: a test mailer, a result of `recordMailer`, or the mailer that was passed to it. */
export type RecordingMailer<Types extends object> = Pick<Mailer<Types>, "types">;

const recordings = new WeakMap<object, Recorded>();

/** Remembers what records for a mailer, so that tests may pass the mailer itself. */
export function noteRecording(mailer: object, recorded: Recorded): void {
  recordings.set(mailer, recorded);
}

export function forgetRecording(mailer: object): void {
  recordings.delete(mailer);
}

/** @throws {TypeError} It does not record. */
export function recordedBy(mailer: unknown): Recorded {
  if (typeof mailer === "object" && mailer !== null) {
    if (isRecorded(mailer)) return mailer;
    const recorded = recordings.get(mailer);
    if (recorded !== undefined) return recorded;
  }
  throw new TypeError("This mailer does not record. Use createTestMailer(), or recordMailer(mailer).");
}

function isRecorded(mailer: object): mailer is Recorded {
  return "sent" in mailer && "queued" in mailer;
}
