import type { DeliveryLog, LoggedMail } from "../tracking/delivery-log.js";
import type { Sent } from "./parcel.js";
import type { Span } from "./service-time.js";
import { asShown } from "./subject.js";

/** A mail that was sent, perhaps, as the delivery log would show it. */
export interface Wanted {
  /** The sender's whole address. */
  readonly sender: string;
  /** Everybody who got it, in lower case, in order. */
  readonly recipients: readonly string[];
  /** Any of these; none where that is not known. */
  readonly subjects: () => readonly string[];
}

const SECOND_MS = 1000;

/**
 * The mails of the log that may be the wanted one, oldest first: of this sender, in this time, to these recipients and to
 * nobody else, with this subject. A mail has one entry a recipient; the log may not show all of them yet.
 *
 * @param spanOf The time, as far as it is known when it is asked: the first answer tells what the service's clock says.
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
  const found = first.filter(
    ({ at, subject }) =>
      at >= wholeSecond(from) && at <= until && (wanted.length === 0 || wanted.includes(asShown(subject))),
  );
  if (found.length === 0) return [];
  const times = found.map(({ at }) => at);
  const around = { from: Math.min(...times) - SECOND_MS, until: Math.max(...times) + SECOND_MS };
  const entries = await all(log.within({ ...around, sender }, signal));
  return found
    .toSorted((a, b) => a.at - b.at)
    .filter(({ messageId }) => sameList(recipientsOf(entries, messageId), recipients))
    .map(({ id, messageId }) => ({ outcome: "accepted", id, messageId }));
}

/** The mail that went to an address which no other mail goes to. */
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
