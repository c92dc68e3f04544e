import type { OutboundEmail } from "../api/resources/emails.js";
import { Latest } from "../cache/memoize.js";

/** What to do with a message when it is unknown whether it was sent. */
export type OnUnknown = "park" | "resend";

/** A checked message on its way: the request to make, and its delivery options. */
export interface Parcel {
  /** Our unique id, used by the ledger and the outbox. */
  readonly id: string;
  readonly email: OutboundEmail;
  /** The template's name in the project, for events and messages. */
  readonly template?: string | undefined;
  readonly priority: Priority;
  /** The filled subject, if known. */
  readonly subject?: string | undefined;
  /** By `clock.time()`: from then on it is not worth sending. */
  readonly expiresAt?: number | undefined;
  readonly onUnknown: OnUnknown;
}

/** The service has accepted the message; the delivery log has what happens to it next. */
export interface Sent {
  readonly outcome: "accepted";
  /** The id of a log entry. There is one for each recipient; they share the message id, which is the id by SMTP. */
  readonly id: string;
  /** The Message-ID (RFC 5322). */
  readonly messageId: string;
  /**
   * Only by SMTP, and only if the server refused some of the recipients: the others get the message. The outbox and the
   * ledger don't keep them.
   */
  readonly refused?: readonly RefusedRecipient[];
  /** For a `send` with a `key`: whether the message had been sent already, so that this call sent nothing. */
  readonly duplicate?: boolean;
}

/** A recipient that an SMTP server refused while it accepted others. */
export interface RefusedRecipient {
  readonly email: string;
  /** The SMTP code: 5xx is final; after 4xx, the same address may be accepted later. */
  readonly code: number;
}

/**
 * `high` is for messages that someone is waiting for, such as a sign-in code: they go first, and slots are reserved for
 * them.
 */
export type Priority = "high" | "normal";

/**
 * What messages and workers must have in common: the URL of the service or the SMTP server, and the domain. The key is
 * not part of it, so that another key of the account sends what was queued before.
 *
 * @param url Of the service, or `smtp://HOST:PORT`.
 */
export function targetOf(url: string, domain: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")} ${domain.toLowerCase()}`;
}

/** The bare address, from one in the service's format. */
export function emailOf(address: string): string {
  return address.endsWith(">") ? (/<([^<>]+)>$/.exec(address)?.[1] ?? address) : address;
}

type Recipients = Pick<OutboundEmail, "to" | "cc" | "bcc">;

/** The bare addresses of all recipients, in lower case, each once. */
export function recipientsOf({ to, cc = [], bcc = [] }: Recipients): string[] {
  return [...new Set([to, cc, bcc].flat().map((address) => emailOf(address.trim()).toLowerCase()))];
}

/** A message that this process has sent, with the fields that looking it up needs. */
interface RecentSend {
  /** The id of a log entry. */
  readonly id: string;
  readonly messageId: string;
  /** Number of distinct addresses. */
  readonly recipients: number;
  /** By `clock.time()`: when it was accepted. */
  readonly at: number;
}

/** About two hours' worth, at the service's pace. */
const REMEMBERED = 1200;

/** Remembers the latest sends, so that a message is known even before the log shows it. */
export class RecentSends {
  readonly #byId = new Latest<RecentSend>(REMEMBERED);
  readonly #idByMessage = new Latest<string>(REMEMBERED);

  note({ id, messageId }: Sent, email: Recipients, at: number): void {
    this.#byId.set(id, { id, messageId, recipients: recipientsOf(email).length, at });
    this.#idByMessage.set(bare(messageId), id);
  }

  /** By log id or Message-ID. */
  find(id: string): RecentSend | undefined {
    return this.#byId.get(this.#idByMessage.get(bare(id)) ?? id);
  }
}

/** A Message-ID without its angle brackets, which are optional in input. */
export function bare(messageId: string): string {
  return messageId.startsWith("<") && messageId.endsWith(">") ? messageId.slice(1, -1) : messageId;
}
