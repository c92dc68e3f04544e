import { AssertionError } from "node:assert";
import { ConfigurationError } from "../errors.js";
import type { Expectation } from "./expectation.js";
import { find, type Place } from "./find.js";
import type { TemplateMails } from "./recorded-mail.js";
import { recordedBy, type Recording } from "./recordings.js";

/**
 * Asserts that a template was sent, and returns the first matching message.
 *
 * @example
 * const mail = assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 * assert.equal(mail.subject, "Receipt 7");
 *
 * @param mailer The result of `createTestMailer` or `recordMailer`, or the application's own mailer while it is
 * recorded.
 * @throws {AssertionError} No such message was sent; the error lists what was sent.
 * @throws {ConfigurationError} The template does not exist, or the expectation has a misspelt key.
 */
export function assertSent<Types extends object, Name extends keyof Types & string>(
  mailer: Recording<Types>,
  template: Name,
  expected?: Expectation<TemplateMails<Types>[Name]>,
): TemplateMails<Types>[Name] {
  return assertIn("sent", mailer, template, expected, assertSent);
}

/**
 * Asserts that a template waits in the outbox, and returns the first matching message.
 *
 * @example
 * assertQueued(mailer, "receipt", { to: "ada@example.com" });
 *
 * @throws {AssertionError} No such message is queued; the error lists what is queued and what was sent.
 * @throws {ConfigurationError} The template does not exist, or the expectation has a misspelt key.
 */
export function assertQueued<Types extends object, Name extends keyof Types & string>(
  mailer: Recording<Types>,
  template: Name,
  expected?: Expectation<TemplateMails<Types>[Name]>,
): TemplateMails<Types>[Name] {
  return assertIn("queued", mailer, template, expected, assertQueued);
}

/**
 * Asserts that a template was not sent, or not as described; without a template, that nothing was sent.
 *
 * @example
 * assertNotSent(mailer, "receipt", { to: "ada@example.com" });
 * assertNotSent(mailer);
 *
 * @throws {AssertionError} The error lists what was sent.
 * @throws {ConfigurationError} The template does not exist, or the expectation has a misspelt key.
 */
export function assertNotSent<Types extends object, Name extends keyof Types & string>(
  mailer: Recording<Types>,
  template?: Name,
  unexpected?: Expectation<TemplateMails<Types>[Name]>,
): void {
  const search = { caller: assertNotSent.name, place: "sent", template, expected: unexpected } as const;
  const { pass, message } = find(recordedBy(mailer), search);
  if (pass) throw new AssertionError({ message: message(), operator: assertNotSent.name, stackStartFn: assertNotSent });
}

function assertIn<Types extends object, Name extends keyof Types & string>(
  place: Place,
  mailer: Recording<Types>,
  template: Name,
  expected: Expectation<TemplateMails<Types>[Name]> | undefined,
  stackStartFn: typeof assertSent,
): TemplateMails<Types>[Name] {
  const caller = stackStartFn.name;
  const { found, pass, message, difference } = find(recordedBy(mailer), { caller, place, template, expected });
  if (!pass)
    // The test framework shows the difference.
    throw new AssertionError({ message: message(), ...difference(), operator: caller, stackStartFn });
  const [mail] = found;
  if (mail === undefined)
    throw new ConfigurationError(`${caller} returns the message, so times can't be 0. Use assertNotSent.`);
  // It was found by its template.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return mail as TemplateMails<Types>[Name];
}
