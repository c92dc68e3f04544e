import { onTestFinished } from "vitest";
import { createMailer, type Mailer, type MailerOptions, onSendEvent, type SendEvent } from "../../src/send/index.js";
import { smtp, type SmtpOptions } from "../../src/smtp/index.js";
import { type Clock, systemClock } from "../../src/send/clock.js";

const FASTER = 20;

/** Twenty of its seconds pass in one. Its time of day is the machine's, because servers have that too. */
const fastClock: Clock = {
  now: () => systemClock.now() * FASTER,
  after: (milliseconds, callback) => systemClock.after(milliseconds / FASTER, callback),
  time: () => systemClock.time(),
};

/** A mailer without limits to a server on this machine, with time that passes fast. */
export function mailerTo(
  port: number | undefined,
  options: Partial<MailerOptions<object>> = {},
  server: SmtpOptions = {},
): Mailer<object> {
  const mailer = createMailer<object>({
    transport: smtp({ host: "127.0.0.1", port: Number(port), ...server }),
    domain: "example.test",
    from: "shop",
    sendsPerMinute: Number.POSITIVE_INFINITY,
    clock: fastClock,
    maxWait: 60_000,
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => mailer.close());
  return mailer;
}

export const MESSAGE = { to: "ada@example.com", subject: "Receipt", text: "Thanks!" };

/** The events of all mailers from now on. */
export function eventsOfTest(): SendEvent[] {
  const events: SendEvent[] = [];
  onTestFinished(onSendEvent((event) => void events.push(event)));
  return events;
}

/** The error of a promise that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error: unknown) => error,
  );
}
