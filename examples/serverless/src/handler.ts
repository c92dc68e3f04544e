import { randomInt } from "node:crypto";
import { createMailer, InvalidMessageError, RateLimitedError, SendError } from "lettershop/send";
import { templates } from "./templates.gen.js";

/**
 * Made once for each instance, and kept between invocations. Without a store it needs no disk. `render: "local"` fills the
 * bodies that are deployed with this code, so that nothing has to be synced first.
 */
export const mailer = createMailer({ templates, from: "accounts", render: "local", maxWait: 3_000, timeoutMs: 5_000 });

interface Event {
  readonly body: string;
}

interface Answer {
  readonly statusCode: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** Sends a sign-in code, within the time that the platform gives a function. */
export async function handler(event: Event): Promise<Answer> {
  const { email }: { email: string } = JSON.parse(event.body);
  const code = `${randomInt(1_000_000)}`.padStart(6, "0");
  try {
    const { messageId } = await mailer.send("sign-in-code", { code }, { to: email });
    return answer(202, { messageId });
  } catch (error) {
    if (error instanceof InvalidMessageError) return answer(400, { problems: error.problems });
    if (error instanceof RateLimitedError)
      return { ...answer(503, {}), headers: { "retry-after": `${Math.ceil(error.expectedWaitMs / 1000)}` } };
    // Nobody knows, or nothing has left: the person may ask for another code.
    if (error instanceof SendError) return answer(503, { error: error.code });
    throw error;
  }
}

function answer(statusCode: number, body: object): Answer {
  return { statusCode, body: JSON.stringify(body) };
}
