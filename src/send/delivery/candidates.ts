import type { DeliveryLog, LoggedMail } from "../tracking/delivery-log.js";
import type { Sent } from "./parcel.js";
import type { Span } from "./service-time.js";
import { asShown } from "./subject.js";

/** A message that may have been sent, as the delivery log would show it. */
export interface Wanted {
  /** The sender's full address. */
  readonly sender: string;
  /** All recipients, in lower case, sorted. */
  readonly recipients: readonly string[];
  /** The log's subject is one of these; empty if the subject is not known. */
  readonly subjects: () => readonly string[];
}

const SECOND_MS = 1000;

/**
 * The log's messages that may be the wanted one, oldest first: from this sender, in this time span, to exactly these
 * recipients, with this subject. The log has one entry per recipient, and may not show all of them yet.
 *
 * @param spanOf Returns the time span as known when it is called: the first answer reveals the service's clock.
 */
export async function candidatesFor(
  { sender, recipients, subjects }: Wanted,
  log: DeliveryLog,
  spanOf: () => Span,
  signal: AbortSignal | undefined,
): Promise<Sent[]> {
  const [recipient = ""] = recipients;
  const first = await all(log.within({ ...spanOf(), sender, recipient }, signal));
  const { from, until } = spanOf();
  const wanted = subjects();
  const matches = first.filter(
    ({ at, subject }) =>
      at >= wholeSecond(from) && at <= until && (wanted.length === 0 || wanted.includes(asShown(subject))),
  );
  if (matches.length === 0) return [];
  const times = matches.map(({ at }) => at);
  const around = { from: Math.min(...times) - SECOND_MS, until: Math.max(...times) + SECOND_MS };
  const entries = await all(log.within({ ...around, sender }, signal));
  return matches
    .toSorted((a, b) => a.at - b.at)
    .filter(({ messageId }) => sameList(recipientsOf(entries, messageId), recipients))
    .map(({ id, messageId }) => ({ outcome: "accepted", id, messageId }));
}

/** The message to an address that is unique to it. */
export async function correlated(
  address: string,
  log: DeliveryLog,
  { from }: Span,
  signal: AbortSignal | undefined,
): Promise<Sent[]> {
  const entries = await all(log.within({ from, recipient: address }, signal));
  return entries.map(({ id, messageId }) => ({ outcome: "accepted", id, messageId }));
}

function recipientsOf(entries: readonly LoggedMail[], messageId: string): string[] {
  const own = entries.filter((entry) => entry.messageId === messageId);
  return [...new Set(own.map(({ recipient }) => recipient.toLowerCase()))].toSorted();
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function wholeSecond(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
