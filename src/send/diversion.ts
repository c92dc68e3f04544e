import type { Environment } from "../project/environment.js";
import type { Mailer } from "./mailer.js";
import type { MailerOptions } from "./options.js";

/** What a mailer was created from; its replacement is created from the same. */
export interface MadeOf<Types extends object, WithoutSubject extends keyof Types> {
  readonly options: MailerOptions<Types, WithoutSubject>;
  readonly environment: Environment;
}

type MakeStandIn<Types extends object, WithoutSubject extends keyof Types, StandIn> = (
  madeOf: MadeOf<Types, WithoutSubject>,
) => StandIn;

interface Divertible<Types extends object, WithoutSubject extends keyof Types> {
  /** Replaces the mailer. */
  [DIVERT]<StandIn extends object>(
    make: MakeStandIn<Types, WithoutSubject, StandIn>,
  ): { readonly standIn: StandIn; readonly restore: () => void };
}

/**
 * `lettershop/testing` may be loaded separately from the application's modules; a registered symbol is the same in
 * both.
 */
const DIVERT: unique symbol = Symbol.for("lettershop.divert");

/**
 * A mailer that can be replaced while it is in use, as a test does with one that an application module created. Its
 * methods may be detached: each call goes to whatever is in place at that moment.
 */
export function divertible<Types extends object, WithoutSubject extends keyof Types>(
  mailer: Mailer<Types, WithoutSubject>,
  madeOf: MadeOf<Types, WithoutSubject>,
): Mailer<Types, WithoutSubject> {
  let inPlace: object = mailer;
  const front: Divertible<Types, WithoutSubject> = {
    [DIVERT](make) {
      const standIn = make(madeOf);
      inPlace = standIn;
      return {
        standIn,
        restore() {
          if (inPlace === standIn) inPlace = mailer;
        },
      };
    },
  };
  const members = Object.entries(mailer).map(([name, member]): [string, PropertyDescriptor] => [
    name,
    typeof member === "function"
      ? { value: (...args: unknown[]) => Reflect.get(inPlace, name)(...args), writable: true, enumerable: true }
      : { get: () => Reflect.get(inPlace, name), enumerable: true },
  ]);
  // It has every member of the mailer, each forwarding to the current one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.defineProperties(front, Object.fromEntries(members)) as unknown as Mailer<Types, WithoutSubject>;
}

/** @throws {TypeError} The mailer was not created by `createMailer`. */
export function divertMailer<Types extends object, WithoutSubject extends keyof Types, StandIn extends object>(
  mailer: Mailer<Types, WithoutSubject>,
  make: MakeStandIn<Types, WithoutSubject, StandIn>,
): { readonly standIn: StandIn; readonly restore: () => void } {
  if (!isDivertible(mailer)) throw new TypeError("Only a mailer created by createMailer can be recorded.");
  return mailer[DIVERT](make);
}

function isDivertible<Types extends object, WithoutSubject extends keyof Types>(
  mailer: Mailer<Types, WithoutSubject>,
): mailer is Mailer<Types, WithoutSubject> & Divertible<Types, WithoutSubject> {
  return DIVERT in mailer;
}
