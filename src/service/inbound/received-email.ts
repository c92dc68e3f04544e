import type { ArrivingEmail } from "../mail/mail-reader.js";
import type { RoutedContent } from "./routing.js";

/** What the service reads from an email. */
export interface ReceivedEmail extends RoutedContent {
  readonly messageId: string;
  readonly attachments: number;
  /** Whether this address has forwarded it already, or too many servers have. */
  wasAt(address: string): boolean;
  /** The name that the email gives its sender. */
  nameOf(sender: string): string | null;
}

/** More `Received` headers than this are a loop through other servers. */
const HOPS_MAX = 50;

export function summarize(arriving: ArrivingEmail): ReceivedEmail {
  const { subject, body = "", messageId = "", from, headers: all, attachments } = arriving;
  const valuesOf = (key: string) => all.filter(({ name }) => name.toLowerCase() === key).map(({ value }) => value);
  const visited = new Set(valuesOf("delivered-to").map((value) => value.trim().toLowerCase()));
  return {
    subject,
    body,
    // The first of repeated headers counts.
    headers: Object.fromEntries(all.toReversed().map(({ name, value }) => [name.toLowerCase(), value])),
    messageId,
    attachments,
    wasAt: (address) => visited.has(address.toLowerCase()) || valuesOf("received").length > HOPS_MAX,
    nameOf: (sender) => (from?.email === sender ? from.name : null),
  };
}
