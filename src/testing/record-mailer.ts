import type { Mailer } from "../send/mailer.js";
import { divertMailer } from "../send/diversion.js";
import { forgetRecording, noteRecording } from "./recordings.js";
import { createTestClock } from "./test-clock.js";
import { composeTestMailer, type TestMailer } from "./test-mailer.js";
import { endUnawaited } from "./unawaited.js";

/** What `recordMailer` puts into a mailer's place; `using` restores the mailer at the end of its block. */
export interface MailerRecording<Types extends object, WithoutSubject extends keyof Types = never> extends TestMailer<
  Types,
  WithoutSubject
> {
  /**
   * Puts the real mailer back.
   *
   * @throws {Error} A `clock.advance` was never awaited; the real mailer is back all the same.
   */
  restore(): void;
  [Symbol.dispose](): void;
}

/**
 * Lets a mailer that an application's module has made record instead of sending, until it is restored. Nothing of the
 * application changes, and neither a key nor a network is needed: without a key, `createMailer` throws nothing while
 * `NODE_ENV` is `test`, as vitest and Jest set it.
 *
 * @example
 * import { mailer } from "../src/mailer.js";
 *
 * let mails: MailerRecording<TemplateVariables>;
 * beforeEach(() => { mails = recordMailer(mailer); });
 * afterEach(() => mails.restore());
 *
 * test("an order sends a receipt", async () => {
 *   await checkOut(cart);
 *   expect(mails).toHaveSent("receipt", { to: "ada@example.com" });
 * });
 *
 * @throws {TypeError} `createMailer` has not made it.
 */
export function recordMailer<Types extends object, WithoutSubject extends keyof Types = never>(
  mailer: Mailer<Types, WithoutSubject>,
): MailerRecording<Types, WithoutSubject> {
  const { standIn, restore } = divertMailer(mailer, ({ options, environment }) =>
    composeTestMailer(options, { environment, clock: createTestClock() }),
  );
  noteRecording(mailer, standIn);
  const end = () => {
    forgetRecording(mailer);
    restore();
    endUnawaited(standIn.clock);
  };
  return Object.assign(standIn, { restore: end, [Symbol.dispose]: end });
}
