import { type Mailer, divertMailer } from "../send/mailer.js";
import { forgetRecording, noteRecording } from "./find.js";
import { createTestClock, endUnawaited } from "./test-clock.js";
import { composeTestMailer, type TestMailer } from "./test-mailer.js";

/** The recording mailer that replaces a mailer; `using` restores the original at the end of its block. */
export interface MailerRecording<Types extends object, WithoutSubject extends keyof Types = never> extends TestMailer<
  Types,
  WithoutSubject
> {
  /**
   * Restores the real mailer.
   *
   * @throws {Error} A `clock.advance` was never awaited; the real mailer is restored anyway.
   */
  restore(): void;
  [Symbol.dispose](): void;
}

/**
 * Makes a mailer that an application module created record instead of sending, until it is restored. The application's
 * code doesn't change, and neither a key nor a network is needed: without a key, `createMailer` does not throw while
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
 * @throws {TypeError} It was not created by `createMailer`.
 */
export function recordMailer<Types extends object, WithoutSubject extends keyof Types = never>(
  mailer: Mailer<Types, WithoutSubject>,
): MailerRecording<Types, WithoutSubject> {
  const { replacement, restore } = divertMailer(mailer, ({ options, environment }) =>
    composeTestMailer(options, { environment, clock: createTestClock() }),
  );
  noteRecording(mailer, replacement);
  const end = () => {
    forgetRecording(mailer);
    restore();
    endUnawaited(replacement.clock);
  };
  return Object.assign(replacement, { restore: end, [Symbol.dispose]: end });
}
