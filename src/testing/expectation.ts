import { likeness, matches, type Partially } from "./partial-match.js";
import type { AnyMail } from "./recorded-mail.js";
import { emailOf } from "./recording-log.js";

/** What is expected of a message; what is left out may be anything. */
export interface Expectation<TemplateVariables> {
  /** Somebody whom it is addressed to, by the address alone. */
  readonly to?: string;
  /** A part of the filled subject, or a pattern for it. */
  readonly subject?: string | RegExp;
  /** Variables as the application passes them: those that matter, at any depth. A matcher such as `expect.any(String)` may stand for a value. */
  readonly variables?: Partially<TemplateVariables>;
  /** How many such messages, exactly. Default: at least one. */
  readonly times?: number;
}

/** Where a message is looked for. */
export type Place = "sent" | "queued";

/** What recorded messages are read from. */
export interface Recorded {
  readonly sent: readonly AnyMail[];
  readonly queued: readonly AnyMail[];
}

/** Whether something was sent or queued as expected, and what to tell where it was not. */
export interface Finding {
  readonly found: readonly AnyMail[];
  readonly pass: boolean;
  /** What is expected, and what there is. */
  readonly message: string;
  /** The message that was most likely meant, as far as something is expected of it. */
  readonly compared?: { readonly actual: unknown; readonly expected: unknown };
}

/** @param template Without one, whatever was sent. */
export function find(
  recorded: Recorded,
  place: Place,
  template: string | undefined,
  expected: Expectation<unknown> = {},
): Finding {
  const ofTemplate = (mails: readonly AnyMail[]) =>
    template === undefined ? mails : mails.filter((mail) => mail.template === template);
  const candidates = ofTemplate(recorded[place]);
  const found = candidates.filter((mail) => isAsExpected(mail, expected));
  const { times } = expected;
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const isWaiting = place === "sent" && ofTemplate(recorded.queued).some((mail) => isAsExpected(mail, expected));
  const meant = candidates.findLast((mail) => isTo(mail, expected.to)) ?? candidates.at(-1);
  return {
    found,
    pass,
    message: [
      `${inWords(template, expected)} was ${place}${times === undefined ? "" : ` ${counted(found.length)}, not ${counted(times)}`}.`,
      ...(isWaiting ? ["It is queued; `await mailer.drain()` sends what is due."] : []),
      listed("Sent", recorded.sent),
      ...(recorded.queued.length === 0 ? [] : [listed("Queued", recorded.queued)]),
    ].join("\n"),
    ...(found.length === 0 && meant !== undefined ? { compared: compare(meant, expected) } : {}),
  };
}

function isAsExpected(mail: AnyMail, { to, subject, variables }: Expectation<unknown>): boolean {
  return (
    isTo(mail, to) &&
    (subject === undefined ||
      (typeof subject === "string" ? mail.subject.includes(subject) : mail.subject.search(subject) >= 0)) &&
    (variables === undefined || matches(mail.variables, variables))
  );
}

function isTo({ to }: Pick<AnyMail, "to">, expected: string | undefined): boolean {
  return expected === undefined || to.some((address) => comparable(address) === comparable(expected));
}

/** The address alone, its domain in lower case. */
function comparable(address: string): string {
  const email = emailOf(address);
  const at = email.lastIndexOf("@");
  return email.slice(0, at) + email.slice(at).toLowerCase();
}

function compare(mail: AnyMail, { to, subject, variables }: Expectation<unknown>): Finding["compared"] {
  const one = mail.to.length === 1 ? mail.to[0] : mail.to;
  return {
    actual: {
      ...(to === undefined ? {} : { to: isTo(mail, to) ? to : one }),
      ...(subject === undefined ? {} : { subject: mail.subject }),
      ...(variables === undefined ? {} : { variables: likeness(mail.variables, variables) }),
    },
    expected: {
      ...(to === undefined ? {} : { to }),
      ...(subject === undefined ? {} : { subject }),
      ...(variables === undefined ? {} : { variables }),
    },
  };
}

function inWords(template: string | undefined, { to, subject, variables }: Expectation<unknown>): string {
  const parts = [
    template === undefined ? "A message" : `"${template}"`,
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(subject === undefined ? [] : [`with the subject ${String(subject)}`]),
    ...(variables === undefined ? [] : ["with these variables"]),
  ];
  return parts.join(" ");
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
