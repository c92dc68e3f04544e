import { UnreadableEmailError } from "../mail/mail-reader.js";

/** An email's envelope, and who sent it. */
export interface Envelope {
  /** Empty for bounces. */
  readonly sender: string;
  readonly recipients: readonly string[];
  /** For the header `Received`, as in `client.example (192.0.2.1)`. */
  readonly client: string;
  /**
   * The number of the email that led to this one, if an address of the service forwards it to another. It reaches each
   * address once, because addresses that forward to each other would multiply it.
   */
  readonly originSeq?: number;
}

/** A response to a client or of a destination, in SMTP's terms. */
export interface SmtpResponse {
  readonly code: number;
  /** Begins with an enhanced status code (RFC 3463), if it is ours or the other server uses them. */
  readonly message: string;
}

/** Why an email is not accepted. With a code of 4xx, it may be accepted later. */
export type Refusal = SmtpResponse;

/** The log ids of an accepted email's entries, in the order of its recipients. */
export interface Received {
  readonly ids: readonly string[];
}

/** The refusal of an email that can't be read. */
export function asUnreadable(error: unknown): Refusal {
  if (!(error instanceof UnreadableEmailError)) throw error;
  return { code: 554, message: `5.6.0 The message can't be read: ${error.message}` };
}

/** Maximum size of a message, in bytes: 10 MB of attachments, in base64, and the bodies. */
export const MESSAGE_BYTES = 25 * 1024 * 1024;

export const TOO_LARGE: Refusal = { code: 552, message: `5.3.4 The message is larger than ${MESSAGE_BYTES} bytes` };
