import { AssertionError } from "node:assert";
import { type Expectation, find, type Place } from "./expectation.js";
import type { TemplateMails } from "./recorded-mail.js";
import { recordedBy, type Recording } from "./recordings.js";

/**
 * Asserts that a template was sent, and gives the first message that is as expected.
 *
 * @example
 * const mail = assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 * assert.equal(mail.subject, "Receipt 7");
 *
 * @param mailer What `createTestMailer` or `recordMailer` gave, or the application's own that is being recorded.
 * @throws {AssertionError} Nothing of the kind was sent; its message tells what was.
 */
export function assertSent<Types extends object, Name extends keyof Types & string>(
  mailer: Recording<Types>,
  template: Name,
  expected: Expectation<Types[Name]> = {},
): TemplateMails<Types>[Name] {
  return assertIn("sent", mailer, template, expected, assertSent);
}

/**
 * Asserts that a template waits in the outbox, and gives the first message that is as expected.
 *
 * @example
 * assertQueued(mailer, "receipt", { to: "ada@example.com" });
 *
 * @throws {AssertionError} Nothing of the kind is queued; its message tells what is, and what was sent.
 */
export function assertQueued<Types extends object, Name extends keyof Types & string>(
  mailer: Recording<Types>,
  template: Name,
  expected: Expectation<Types[Name]> = {},
): TemplateMails<Types>[Name] {
  return assertIn("queued", mailer, template, expected, assertQueued);
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
  mailer: Recording<Types>,
  template?: Name,
  unexpected: Omit<Expectation<Types[Name]>, "times"> = {},
): void {
  const { found, message } = find(recordedBy(mailer), "sent", template, unexpected);
  if (found.length > 0) throw new AssertionError({ message, operator: "assertNotSent", stackStartFn: assertNotSent });
}

function assertIn<Types extends object, Name extends keyof Types & string>(
  place: Place,
  mailer: Recording<Types>,
  template: Name,
  expected: Expectation<Types[Name]>,
  stackStartFn: typeof assertSent,
): TemplateMails<Types>[Name] {
  const { found, pass, message, compared } = find(recordedBy(mailer), place, template, expected);
  const [mail] = found;
  if (pass && mail !== undefined)
    // Found by its template.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return mail as TemplateMails<Types>[Name];
  throw new AssertionError({
    message: expected.times === undefined ? `No ${message}` : message,
    // A test framework shows the difference.
    ...compared,
    operator: stackStartFn.name,
    stackStartFn,
  });
}
