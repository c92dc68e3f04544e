import type { OutboundEmail } from "../../api/resources/emails.js";
import type { Priority } from "../pace/priority.js";

/** What to do with a message when it is unknown whether it was sent. */
export type OnUnknown = "park" | "resend";

/** A checked message on its way: the request to make, and its delivery options. */
export interface Parcel {
  /** Our unique id, used by the ledger and the outbox. */
  readonly id: string;
  readonly email: OutboundEmail;
  /** The template's name in the project, for events and messages. */
  readonly template?: string;
  readonly priority: Priority;
  /** The filled subject, if known. */
  readonly subject?: string | undefined;
  /** By `clock.time()`: from then on it is not worth sending. */
  readonly expiresAt?: number;
  readonly onUnknown: OnUnknown;
}

/** The service has accepted the message; the delivery log has what happens to it next. */
export interface Sent {
  readonly outcome: "accepted";
  /** The id of a log entry. There is one for each recipient; they share the message id. */
  readonly id: string;
  /** The Message-ID (RFC 5322). */
  readonly messageId: string;
  /** For a `send` with a `key`: whether the message had been sent already, so that this call sent nothing. */
  readonly duplicate?: boolean;
}
