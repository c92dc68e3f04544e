import { AssertionError } from "node:assert";
import { matches, type Partially } from "./partial-match.js";
import type { RecordedMail, TemplateMails, TestMailer } from "./test-mailer.js";

/** What is expected of a message; what is left out may be anything. */
export interface Expectation<TemplateVariables> {
  /** Somebody whom it is addressed to, by the address alone. */
  readonly to?: string;
  /** Variables as the application passes them: those that matter, at any depth. A matcher such as `expect.any(String)` may stand for a value. */
  readonly variables?: Partially<TemplateVariables>;
}

/**
 * Asserts that a template was sent, and gives the first message that is as expected.
 *
 * @example
 * const mail = assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 * assert.equal(mail.filled.total, "€12.50");
 *
 * @throws {AssertionError} Nothing of the kind was sent; its message tells what was.
 */
export function assertSent<Types extends object, Name extends keyof Types & string>(
  mailer: TestMailer<Types>,
  template: Name,
  expected: Expectation<Types[Name]> = {},
): TemplateMails<Types>[Name] {
  const ofTemplate = mailer.sent.filter((mail) => isOf(mail, template));
  const found = ofTemplate.find((mail) => isAsExpected(mail, expected));
  if (found !== undefined) return found;
  const [only, ...others] = ofTemplate;
  throw new AssertionError({
    message: `No "${template}" ${inWords(expected)}was sent. ${whatWasSent(mailer)}`,
    // A test framework shows the difference where there is one message to compare with.
    ...(only !== undefined && others.length === 0
      ? { actual: { to: only.to, variables: only.variables }, expected: { ...expected } }
      : {}),
    operator: "assertSent",
    stackStartFn: assertSent,
  });
}

/**
 * Asserts that a template was not sent, or not as described; without a template, that nothing was.
 *
 * @example
 * assertNotSent(mailer, "receipt", { to: "ada@example.com" });
 * assertNotSent(mailer);
 *
 * @throws {AssertionError} Its message tells what was sent.
 */
export function assertNotSent<Types extends object, Name extends keyof Types & string>(
  mailer: TestMailer<Types>,
  template?: Name,
  unexpected: Expectation<Types[Name]> = {},
): void {
  const found =
    template === undefined
      ? mailer.sent[0]
      : mailer.sent.filter((mail) => isOf(mail, template)).find((mail) => isAsExpected(mail, unexpected));
  if (found === undefined) return;
  const what = template === undefined ? "A message " : `A "${template}" ${inWords(unexpected)}`;
  throw new AssertionError({
    message: `${what}was sent. ${whatWasSent(mailer)}`,
    operator: "assertNotSent",
    stackStartFn: assertNotSent,
  });
}

function isOf<Types extends object, Name extends keyof Types & string>(
  mail: RecordedMail<Types>,
  template: Name,
): mail is TemplateMails<Types>[Name] {
  return mail.template === template;
}

function isAsExpected(
  mail: { readonly to: readonly string[]; readonly variables: unknown },
  { to, variables }: Expectation<unknown>,
): boolean {
  return (
    (to === undefined || mail.to.some((address) => emailOf(address) === emailOf(to))) &&
    (variables === undefined || matches(mail.variables, variables))
  );
}

/** The address alone, its domain in lower case. */
function emailOf(address: string): string {
  const email = /<([^<>]*)>$/.exec(address)?.[1] ?? address;
  const at = email.lastIndexOf("@");
  return email.slice(0, at) + email.slice(at).toLowerCase();
}

function inWords({ to, variables }: Expectation<unknown>): string {
  return `${to === undefined ? "" : `to ${to} `}${variables === undefined ? "" : "with these variables "}`;
}

function whatWasSent<Types extends object>({ sent }: TestMailer<Types>): string {
  if (sent.length === 0) return "Nothing was sent.";
  return `Sent:\n${sent.map(({ template, to }) => `- ${template === undefined ? "a message without a template" : `"${template}"`} to ${to.join(", ")}`).join("\n")}`;
}
