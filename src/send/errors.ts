import { LettershopError } from "../errors.js";

/** The base class of send errors at run time; the type is the union `SendError`. */
abstract class BaseError extends LettershopError {}

/** One problem with a message. Neither field quotes the caller's values. */
export interface Problem {
  /** Where: `to[1]`, `attachments[0].filename`, `variables.order.total`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Any error of a send; `code` discriminates the union. Messages name templates and fields, but never a recipient, a
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
export const SendError = BaseError as unknown as abstract new (...args: never) => SendError;

export type SendErrorCode = SendError["code"];

/**
 * The message is invalid. Nothing has been sent. `problems` lists everything that is wrong, including with the
 * variables.
 */
export class InvalidMessageError extends BaseError {
  override readonly name = "InvalidMessageError";
  readonly code = "invalid_message";

  constructor(readonly problems: readonly Problem[]) {
    super(`The message can't be sent:\n${list(problems)}`);
  }
}

/** The variables don't fit the template. Nothing has been sent. */
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
 * The service refused the message. It has not been sent, and sending the same message again will not help. If the
 * template is missing on the service, `hint` has the command that uploads it.
 */
export class RejectedError extends BaseError {
  override readonly name = "RejectedError";
  readonly code = "rejected";
  /** Whether it refuses the key, the login or the account, whatever the message is. */
  readonly refusesAccount: boolean;

  constructor(
    /** The HTTP status: 400 and above, below 500. By SMTP, the code: 500 and above. */
    readonly status: number,
    /** The service's own message. */
    readonly serviceMessage: string,
    /** For a failed validation, the service's messages by field; otherwise empty. */
    readonly fieldErrors: Readonly<Record<string, readonly string[]>>,
    options: { cause: unknown; hint?: string; refusesAccount?: boolean },
  ) {
    super(`The service refused the message (${status}): ${withoutAddresses(serviceMessage)}`, options);
    const { refusesAccount = status === 401 || status === 403 } = options;
    this.refusesAccount = refusesAccount;
  }
}

/**
 * A limit is reached: either the service's 10 messages a minute, and waiting would take longer than `maxWait`; or the
 * plan's limit for the day or the month, regardless of `maxWait`. Nothing has been sent.
 */
export class RateLimitedError extends BaseError {
  override readonly name = "RateLimitedError";
  readonly code = "rate_limited";
  /** `message`: an SMTP server does not accept this message now; others are not affected. */
  readonly limit: "minute" | "day" | "month" | "message";
  /** When the next send may go through, as far as is known. */
  readonly until: Date;

  constructor(
    /** Milliseconds until the next send may go through, as far as is known. */
    readonly expectedWaitMs: number,
    options: { cause?: unknown; limit?: RateLimitedError["limit"]; until?: Date; reason?: string | undefined } = {},
  ) {
    const { limit = "minute", until = new Date(Date.now() + Math.min(expectedWaitMs, FOREVER_MS)) } = options;
    const isOfPlan = limit === "day" || limit === "month";
    super(
      isOfPlan
        ? `The plan's limit for this ${limit} is reached. It resets at ${until.toISOString()}.`
        : `${options.reason ?? "The sending limit is reached."} The next message can be sent in about ${Math.ceil(expectedWaitMs / 1000)} s.`,
      { ...options, hint: `Send later, or ${isOfPlan ? "upgrade the plan" : "increase `maxWait`"}.` },
    );
    this.limit = limit;
    this.until = until;
  }
}

/** The latest date that a Date can hold is sooner than the longest possible wait. */
const FOREVER_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/**
 * The request may have reached the service, but no readable answer came back, so the message may have been sent. It is
 * not retried automatically, since that could send it twice. The delivery log was searched as far as time allowed and
 * does not have it.
 */
export class UnknownOutcomeError extends BaseError {
  override readonly name = "UnknownOutcomeError";
  readonly code = "unknown_outcome";

  /** The message's id in events and in the outbox. */
  readonly id: string | undefined;
  /** When its first request was made. */
  readonly since: Date | undefined;
  /** Where it was searched for, as a phrase; undefined if the search ended before it began. */
  readonly lookedIn: string | undefined;

  constructor(reason: string, options: { cause: unknown; id?: string; since?: Date; lookedIn?: string }) {
    const { cause, id, since, lookedIn } = options;
    super(
      `The message may or may not have been sent: ${reason}${lookedIn === undefined ? "" : `; it is not in ${lookedIn}`}.`,
      { cause, hint: "Find out whether it arrived before sending it again." },
    );
    this.id = id;
    this.since = since;
    this.lookedIn = lookedIn;
  }
}

/**
 * The same message (identical for the recipient, or with the same `key`) is already being sent, and its outcome did not
 * become known within `maxWait`. This one has not been sent.
 */
export class InDoubtError extends BaseError {
  override readonly name = "InDoubtError";
  readonly code = "in_doubt";

  constructor(
    /** The id of the other message. */
    readonly id: string,
    options: { cause?: unknown; hint?: string } = {},
  ) {
    super("The same message is already being sent, and its outcome is not known yet. This one has not been sent.", {
      hint: "If the recipient should get it twice, send it again later.",
      ...options,
    });
  }
}

/** `expiresAt` passed before it could be sent. Nothing has been sent. */
export class ExpiredError extends BaseError {
  override readonly name = "ExpiredError";
  readonly code = "expired";

  constructor() {
    super("The message expired before it could be sent.");
  }
}

/** The service could not be reached, after several tries. Nothing has been sent. */
export class SendUnreachableError extends BaseError {
  override readonly name = "SendUnreachableError";
  readonly code = "unreachable";

  constructor(
    readonly url: string,
    { cause, reason, hint }: { cause: unknown; reason?: string | undefined; hint?: string | undefined },
  ) {
    const why = reason === undefined ? "" : ` (${reason})`;
    const options = { cause, ...(hint !== undefined && { hint }) };
    super(`Can't reach the service at ${url}${why}. The message has not been sent.`, options);
  }
}

/**
 * The caller's signal, or closing the mailer, ended the send before a request was made. `cause` is the signal's reason.
 */
export class SendAbortedError extends BaseError {
  override readonly name = "SendAbortedError";
  readonly code = "aborted";

  constructor(options?: { cause?: unknown }) {
    super("The send was aborted; the message has not been sent.", options);
  }
}

/**
 * The mailer's store cannot be read or written: the disk is full, another program has locked the file, it is damaged,
 * or it was moved or replaced. A `send` that throws this has sent nothing, and a `queue` has queued nothing. If the
 * store fails after a request was made, `send` resolves if the service accepted the message, and throws
 * `unknown_outcome` if nobody knows.
 */
export class StoreError extends BaseError {
  override readonly name = "StoreError";
  readonly code = "store";
}

/** The service may quote the address that it rejects. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, "<address>");
}
