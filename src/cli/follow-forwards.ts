import { ServiceError } from "../api/errors.js";
import { deliveryLogOf } from "../send/delivery/delivery-log.js";
import { bare } from "../send/parcel.js";
import { isPassing } from "../send/tracking/context.js";
import { type MessageStatus, type RecipientStatus, statusOf } from "../send/tracking/message-status.js";
import type { Target } from "./target.js";

/** Maximum number of entries of one email. */
const ENTRIES_MAX = 100;
/** Longer than all retries take: an address of the account receives what is forwarded to it within this time. */
const FORWARDED_WITHIN_MS = 3 * 24 * 60 * 60_000;

/**
 * Returns a function that adds a received email's entries at further addresses of the account, to which it was
 * forwarded: the log of one domain only has its own.
 */
export function forwardsFollower(
  target: Target,
  signal: AbortSignal,
): (status: MessageStatus) => Promise<MessageStatus> {
  /** Their log can't be read, usually because they belong to another account. */
  const unreadableDomains = new Set<string>();

  async function entriesOf(address: string, messageId: string, from: number): Promise<RecipientStatus[]> {
    const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
    if (unreadableDomains.has(domain)) return [];
    const log = deliveryLogOf({ ...target, domain, transport: "mx" });
    const entries: RecipientStatus[] = [];
    try {
      for await (const mail of log.within({ recipient: address, from, until: from + FORWARDED_WITHIN_MS }, signal))
        if (bare(mail.messageId) === bare(messageId))
          entries.push(...statusOf([mail], { id: mail.id, expected: 1 }).recipients);
    } catch (error) {
      if (!(error instanceof ServiceError) || isPassing(error)) throw error;
      unreadableDomains.add(domain);
    }
    return entries;
  }

  return async (status) => {
    const { messageId = "" } = status;
    if (messageId === "") return status;
    const recipients = [...status.recipients];
    const visited = new Set(recipients.map(({ email }) => email.toLowerCase()));
    // The list grows during the loop.
    for (const { transport, forward, events } of recipients) {
      const address = forward?.toLowerCase();
      if (transport !== "mx" || address === undefined || visited.has(address)) continue;
      visited.add(address);
      recipients.push(...(await entriesOf(address, messageId, events[0]?.at.getTime() ?? 0)));
      if (recipients.length > ENTRIES_MAX) break;
    }
    return { ...status, recipients };
  };
}
