import { randomInt } from "node:crypto";
import { createMailer, InvalidMessageError, RateLimitedError, SendError } from "lettershop/send";
import { templates } from "./templates.gen.js";

/**
 * Created once per instance and reused between invocations. Without a store it needs no disk. `render: "local"` renders the
 * bodies deployed with this code, so that templates need not be synced first.
 */
export const mailer = createMailer({ templates, from: "accounts", render: "local", maxWait: 3_000, timeoutMs: 5_000 });

interface Event {
  readonly body: string;
}

interface Response {
  readonly statusCode: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** Sends a sign-in code within the function's time limit. */
export async function handler(event: Event): Promise<Response> {
  const { email }: { email: string } = JSON.parse(event.body);
  const code = `${randomInt(1_000_000)}`.padStart(6, "0");
  try {
    const { messageId } = await mailer.send("sign-in-code", { code }, { to: email });
    return respond(202, { messageId });
  } catch (error) {
    if (error instanceof InvalidMessageError) return respond(400, { problems: error.problems });
    if (error instanceof RateLimitedError)
      return { ...respond(503, {}), headers: { "retry-after": `${Math.ceil(error.expectedWaitMs / 1000)}` } };
    // Not sent, or the outcome is unknown: the user may request another code.
    if (error instanceof SendError) return respond(503, { error: error.code });
    throw error;
  }
}

function respond(statusCode: number, body: object): Response {
  return { statusCode, body: JSON.stringify(body) };
}
