import type { OutboundEmail } from "../../api/resources/v4/emails.js";
import type { Priority } from "../pace/priority.js";

/** What becomes of a message when nobody can say whether it was sent. */
export type OnUnknown = "park" | "resend";

/** A checked message on its way: what the service is asked, and how it may get there. */
export interface Parcel {
  /** Ours, and unique: what the ledger and the outbox know it by. */
  readonly id: string;
  readonly email: OutboundEmail;
  /** Its name in the project, for what is told about it. */
  readonly template?: string;
  readonly priority: Priority;
  /** The email's, filled, where that is known. */
  readonly subject?: string | undefined;
  /** By `clock.time()`: from then on it is not worth sending. */
  readonly expiresAt?: number;
  readonly onUnknown: OnUnknown;
}

/** The service has the message; what became of it is in the delivery log. */
export interface Sent {
  readonly outcome: "accepted";
  /** The id of a log entry. There is one for each recipient; they share the message id. */
  readonly id: string;
  /** The Message-ID (RFC 5322). */
  readonly messageId: string;
  /** Of a `send` with a `key`: whether the message had been sent already, so that this call sent nothing. */
  readonly duplicate?: boolean;
}
