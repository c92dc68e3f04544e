import type { Expectation } from "./expectation.js";
import { find, type Search } from "./find.js";
import type { AnyMail, RecordedTemplateMail } from "./recorded-mail.js";
import { recordedBy } from "./recordings.js";

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

function judge({ utils }: Context, mailer: unknown, search: Search): Result {
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
