import { LettershopError } from "../errors.js";
import { withoutAddresses } from "../send/errors.js";

/**
 * The `cause` of errors by SMTP: a response that refuses a message, or the connection. Its message contains no address.
 *
 * @example
 * if (error instanceof RejectedError && error.cause instanceof SmtpResponseError) error.cause.command; // "RCPT TO"
 */
export class SmtpResponseError extends LettershopError {
  override readonly name = "SmtpResponseError";
  readonly code = "smtp_response";

  constructor(
    /** Such as 450 or 550. */
    readonly responseCode: number,
    /** The text after the code. */
    text: string,
    /** The command that was answered, such as `AUTH PLAIN`, `MAIL FROM`, `RCPT TO` or `DATA`; `CONN` for the greeting. */
    readonly command: string,
  ) {
    super(`The server answered ${responseCode} to ${command}: ${withoutAddresses(text)}.`);
  }
}
