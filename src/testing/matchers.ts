import { type Expectation, find, type Place } from "./expectation.js";
import { recordedBy } from "./recordings.js";

/** The parts of vitest's and Jest's matcher context that are used here. */
interface Context {
  readonly isNot?: boolean | undefined;
  readonly utils: { diff(one: unknown, other: unknown): string | null | undefined };
}

interface Result {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for vitest and Jest. `import "lettershop/testing/vitest"` or `"lettershop/testing/jest"` in a set-up file adds
 * them, with their types.
 *
 * @example
 * expect.extend(matchers);
 * expect(mailer).toHaveSent("receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 * expect(mailer).not.toHaveSent("receipt", { to: "bob@example.com" });
 * expect(mailer).toHaveQueued("receipt", { times: 2 });
 */
export const matchers = {
  toHaveSent(this: Context, mailer: unknown, template?: string, expected?: Expectation<unknown>): Result {
    return judge(this, "sent", mailer, template, expected);
  },
  toHaveQueued(this: Context, mailer: unknown, template?: string, expected?: Expectation<unknown>): Result {
    return judge(this, "queued", mailer, template, expected);
  },
};

function judge(
  { isNot = false, utils }: Context,
  place: Place,
  mailer: unknown,
  template: string | undefined,
  expected: Expectation<unknown> | undefined,
): Result {
  const { pass, message, compared } = find(recordedBy(mailer), place, template, expected);
  return {
    pass,
    message() {
      if (isNot || compared === undefined) return isNot || expected?.times !== undefined ? message : `No ${message}`;
      const difference = utils.diff(compared.expected, compared.actual);
      return `${expected?.times === undefined ? `No ${message}` : message}${difference ? `\n\n${difference}` : ""}`;
    },
  };
}

/** What `matchers` add to `expect(mailer)`: `Received` is the mailer's type. */
export interface MailMatchers<Received, Returned = void> {
  /** A template was sent, to somebody or with variables where these are given; without a template, anything was. */
  toHaveSent<Name extends TemplateOf<Received>>(
    template?: Name,
    expected?: Expectation<VariablesOf<Received, Name>>,
  ): Returned;
  /** The same of what waits in the outbox. */
  toHaveQueued<Name extends TemplateOf<Received>>(
    template?: Name,
    expected?: Expectation<VariablesOf<Received, Name>>,
  ): Returned;
}

type TypesOf<Received> = Received extends { readonly types?: infer Types } ? NonNullable<Types> : unknown;

/** The names of a mailer's templates; any text where the type does not tell. */
type TemplateOf<Received> = [keyof TypesOf<Received>] extends [never] ? string : keyof TypesOf<Received> & string;

type VariablesOf<Received, Name> = Name extends keyof TypesOf<Received> ? TypesOf<Received>[Name] : unknown;
