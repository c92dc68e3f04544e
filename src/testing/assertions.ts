import { AssertionError } from "node:assert";
import { ConfigurationError } from "../errors.js";
import type { Expectation } from "./expectation.js";
import { find, type MailList, recordedBy, type RecordingMailer, type MailSearch } from "./find.js";
import type { AnyMail, RecordedTemplateMail, TemplateMails } from "./recorded-mail.js";

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
  mailer: RecordingMailer<Types>,
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
  mailer: RecordingMailer<Types>,
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
  mailer: RecordingMailer<Types>,
  template?: Name,
  unexpected?: Expectation<TemplateMails<Types>[Name]>,
): void {
  const search = { caller: assertNotSent.name, place: "sent", template, expected: unexpected } as const;
  const { pass, message } = find(recordedBy(mailer), search);
  if (pass) throw new AssertionError({ message: message(), operator: assertNotSent.name, stackStartFn: assertNotSent });
}

function assertIn<Types extends object, Name extends keyof Types & string>(
  place: MailList,
  mailer: RecordingMailer<Types>,
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

/** The parts of vitest's and Jest's matcher context that are used here. */
interface Context {
  readonly utils: { diff(one: unknown, other: unknown): string | null | undefined };
}

interface Result {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for vitest and Jest. Importing `"lettershop/testing/vitest"` or `"lettershop/testing/jest"` in a setup file
 * adds them, with their types.
 *
 * @example
 * expect.extend(matchers);
 * expect(mailer).toHaveSent("receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 * expect(mailer).not.toHaveSent("receipt", { to: "bob@example.com" });
 * expect(mailer).toHaveQueued("receipt", { times: 2 });
 */
export const matchers = {
  toHaveSent(this: Context, mailer: unknown, template?: string, expected?: Expectation): Result {
    return judge(this, mailer, { caller: "toHaveSent", place: "sent", template, expected });
  },
  toHaveQueued(this: Context, mailer: unknown, template?: string, expected?: Expectation): Result {
    return judge(this, mailer, { caller: "toHaveQueued", place: "queued", template, expected });
  },
};

function judge({ utils }: Context, mailer: unknown, search: MailSearch): Result {
  const { pass, message, difference } = find(recordedBy(mailer), search);
  return {
    pass,
    message() {
      const compared = pass ? undefined : difference();
      const diff = compared && utils.diff(compared.expected, compared.actual);
      return diff ? `${message()}\n\n${diff}` : message();
    },
  };
}

/** The matchers that `matchers` adds to `expect(mailer)`; `Received` is the mailer's type. */
export interface MailMatchers<Received, Returned = void> {
  /**
   * A message was sent: of a template and matching the expectation, if these are passed; otherwise any.
   *
   * @example
   * expect(mailer).toHaveSent("receipt", { to: "ada@example.com", subject: /order 7/, times: 1 });
   * expect(mailer).not.toHaveSent();
   */
  toHaveSent<Name extends TemplateOf<Received> | undefined = undefined>(
    template?: Name,
    expected?: Expectation<MailOf<Received, Name>>,
  ): Returned;
  /**
   * The same for messages that wait in the outbox.
   *
   * @example
   * expect(mailer).toHaveQueued("receipt", { to: "ada@example.com" });
   */
  toHaveQueued<Name extends TemplateOf<Received> | undefined = undefined>(
    template?: Name,
    expected?: Expectation<MailOf<Received, Name>>,
  ): Returned;
}

type TypesOf<Received> = Received extends { readonly types?: infer Types } ? NonNullable<Types> : unknown;

/** The names of a mailer's templates; any string if its type doesn't tell. */
type TemplateOf<Received> = [keyof TypesOf<Received>] extends [never] ? string : keyof TypesOf<Received> & string;

/** What is recorded for a template; any kind of message if there is no template, or the type doesn't tell. */
type MailOf<Received, Name> = Name extends keyof TypesOf<Received>
  ? RecordedTemplateMail<Name, TypesOf<Received>[Name]>
  : AnyMail;
