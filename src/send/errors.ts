import { SendError as BaseError } from "./send-error.js";
import type { StoreError } from "./store/store-error.js";

/** One thing that is wrong with what was to be sent. Neither part quotes what was passed. */
export interface Problem {
  /** Where: `to[1]`, `attachments[0].filename`, `variables.order.total`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Any error of a send; its `code` says which, to the compiler, too. Messages name templates and fields, never a recipient, a
 * value or the key.
 *
 * @example
 * try {
 *   await mailer.send("receipt", { order }, { to });
 * } catch (error) {
 *   if (!(error instanceof SendError)) throw error;
 *   if (error.code === "unknown_outcome") await askSomebody(order, error.since);
 * }
 */
export type SendError =
  | InvalidMessageError
  | InvalidVariablesError
  | RejectedError
  | RateLimitedError
  | ExpiredError
  | UnknownOutcomeError
  | InDoubtError
  | SendUnreachableError
  | SendAbortedError
  | StoreError;

/** For `instanceof`: what `mailer.send` and `mailer.queue` throw is one of these. */
// Nothing else extends it.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const SendError = BaseError as unknown as abstract new (...given: never) => SendError;

export type SendErrorCode = SendError["code"];

/** The message cannot be sent as it is. Nothing has left. `problems` holds all of them, those of the variables too. */
export class InvalidMessageError extends BaseError {
  override readonly name = "InvalidMessageError";
  readonly code = "invalid_message";

  constructor(readonly problems: readonly Problem[]) {
    super(`The message cannot be sent:\n${list(problems)}`);
  }
}

/** The variables don't fit the template. Nothing has left. */
export class InvalidVariablesError extends BaseError {
  override readonly name = "InvalidVariablesError";
  readonly code = "invalid_variables";

  constructor(
    readonly template: string,
    readonly problems: readonly Problem[],
    options?: { cause?: unknown },
  ) {
    super(`The variables don't fit the template "${template}":\n${list(problems)}`, options);
  }
}

function list(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `- ${path}: ${message}`).join("\n");
}

/**
 * The service refused the message. It has not been sent, and sending the same again will not help. For a template that is not
 * on the service, `hint` has the command that puts it there.
 */
export class RejectedError extends BaseError {
  override readonly name = "RejectedError";
  readonly code = "rejected";

  constructor(
    /** The HTTP status: 400 and above, below 500. */
    readonly status: number,
    /** The service's own words. */
    readonly serviceMessage: string,
    /** For a failed validation, the service's messages by field; else empty. */
    readonly fieldErrors: Readonly<Record<string, readonly string[]>>,
    options: { cause: unknown; hint?: string },
  ) {
    super(`The service refused the message (${status}): ${withoutAddresses(serviceMessage)}`, options);
  }
}

/**
 * A limit of the service is reached: 10 messages a minute, and this one's turn would come later than `maxWait` allows; or
 * what the plan allows for the day or the month, however long one would wait. Nothing has left.
 */
export class RateLimitedError extends BaseError {
  override readonly name = "RateLimitedError";
  readonly code = "rate_limited";
  readonly limit: "minute" | "day" | "month";
  /** When a send may go through, as far as it can be known. */
  readonly until: Date;

  constructor(
    /** Milliseconds until a send may go through, as far as it can be known. */
    readonly expectedWaitMs: number,
    options: { cause?: unknown; limit?: "minute" | "day" | "month"; until?: Date } = {},
  ) {
    const { limit = "minute", until = new Date(Date.now() + Math.min(expectedWaitMs, FOREVER_MS)) } = options;
    super(
      limit === "minute"
        ? `The sending limit is reached: the next turn is in about ${Math.ceil(expectedWaitMs / 1000)} s.`
        : `The plan's limit for this ${limit} is reached; it ends at ${until.toISOString()}.`,
      {
        ...options,
        hint: limit === "minute" ? "Send later, or let `maxWait` allow for it." : "Send later, or take a larger plan.",
      },
    );
    this.limit = limit;
    this.until = until;
  }
}

/** A date cannot be as late as a wait can be long. */
const FOREVER_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/**
 * The request may have reached the service, and no readable answer came back: the message may have been sent. Sending it
 * again may send it twice, so nothing does that by itself; the delivery log was asked, as far as there was time, and does not
 * have it.
 */
export class UnknownOutcomeError extends BaseError {
  override readonly name = "UnknownOutcomeError";
  readonly code = "unknown_outcome";

  /** The message's, in the events and in the outbox. */
  readonly id: string | undefined;
  /** When the first request of it left. */
  readonly since: Date | undefined;
  /** Where it was looked for, in words; undefined where that ended before it had begun. */
  readonly lookedIn: string | undefined;

  constructor(reason: string, options: { cause: unknown; id?: string; since?: Date; lookedIn?: string }) {
    const { cause, id, since, lookedIn } = options;
    super(
      `The message may or may not have been sent: ${reason}${lookedIn === undefined ? "" : `; it is not in ${lookedIn}`}.`,
      { cause, hint: "Look into the delivery log before sending it again." },
    );
    this.id = id;
    this.since = since;
    this.lookedIn = lookedIn;
  }
}

/**
 * The same message, in all that the recipient sees or by its `key`, is being sent already, and whether that arrived was not known
 * within `maxWait`. Nothing of this one has left.
 */
export class InDoubtError extends BaseError {
  override readonly name = "InDoubtError";
  readonly code = "in_doubt";

  constructor(
    /** The other message's. */
    readonly id: string,
    options: { cause?: unknown; hint?: string } = {},
  ) {
    super(
      "The same message is being sent already, and it is not known yet whether it arrived; this one has not been sent.",
      { hint: "Send it again later if it is meant to arrive twice.", ...options },
    );
  }
}

/** Its `expiresAt` came before it could be sent. Nothing has left. */
export class ExpiredError extends BaseError {
  override readonly name = "ExpiredError";
  readonly code = "expired";

  constructor() {
    super("The message is not worth sending any more: its time was over before its turn came.");
  }
}

/** The service could not be reached, in several tries. Nothing has left. */
export class SendUnreachableError extends BaseError {
  override readonly name = "SendUnreachableError";
  readonly code = "unreachable";

  constructor(
    readonly url: string,
    { cause, reason }: { cause: unknown; reason?: string },
  ) {
    const why = reason === undefined ? "" : ` (${reason})`;
    super(`The service at ${url} could not be reached${why}; the message has not been sent.`, { cause });
  }
}

/** The caller's signal, or closing the mailer, ended the send before anything left. `cause` is the signal's reason. */
export class SendAbortedError extends BaseError {
  override readonly name = "SendAbortedError";
  readonly code = "aborted";

  constructor(options?: { cause?: unknown }) {
    super("The send was aborted; the message has not been sent.", options);
  }
}

/** The service may quote the address that it complains about. */
function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, "<address>");
}
