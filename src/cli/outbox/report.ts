import type { OutboxFilter, OutboxMessage, StoredMessage } from "../../send/store/outbox.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import type { DescribedMessage } from "../../preview/contract.js";
import { table } from "../report/table.js";
import type { Box } from "./boxes.js";
import { ageInWords, UsageError } from "../arguments.js";
import type { OutboxStats } from "../../send/outbox/outbox.js";

/** Number of messages listed without `--limit`. */
const NEWEST = 50;

/** Prints the matching messages, newest first, without their contents. */
export async function listMessages(
  boxes: readonly Box[],
  filter: OutboxFilter,
  output: Output,
  showing: AddressDisplay,
): Promise<ExitCode> {
  const limit = filter.limit ?? NEWEST;
  // One more than the limit, to know whether there are more.
  const perBox = await Promise.all(boxes.map(async (box) => listed(box, { ...filter, limit: limit + 1 })));
  const all = perBox.flat().toSorted((a, b) => b.message.queuedAt - a.message.queuedAt);
  const messages = all.slice(0, limit);
  const isOne = boxes.length <= 1;
  const head = ["QUEUED", "STATE", "TEMPLATE", "TO", "ID", ...(isOne ? [] : ["FOR"])];
  const rows = messages.map(({ message, target }) => [
    new Date(message.queuedAt).toISOString().slice(0, 19).concat("Z"),
    message.state,
    message.template ?? "-",
    recipientsOf(message, showing),
    message.id,
    ...(isOne ? [] : [target]),
  ]);
  output.print(messages.length === 0 ? "No matching messages." : table([head, ...rows]));
  if (all.length > limit)
    output.note("There are more messages. Use --limit to show more, or filter with --state, --template or --since.");
  output.json({ messages: messages.map(({ message, target }) => describeMessage(message, target, showing)) });
  return exitCode.done;
}

async function listed(box: Box, filter: OutboxFilter) {
  const messages = await box.list(filter);
  return Promise.all(
    messages.map(async (message) => ({ message: await withContents(box, message), target: box.target })),
  );
}

async function withContents(box: Box, message: OutboxMessage): Promise<StoredMessage> {
  return message.hasContents ? ((await box.get(message.id)) ?? message) : message;
}

/** Prints everything about messages except for their contents. */
export async function showMessages(
  boxes: readonly Box[],
  ids: readonly string[],
  output: Output,
  showing: AddressDisplay,
): Promise<ExitCode> {
  const messages = await Promise.all(ids.map((id) => findMessage(boxes, id)));
  const documents = messages.map(({ message, target }) => describeMessage(message, target, showing));
  for (const [index, document] of documents.entries()) {
    if (index > 0) output.print();
    for (const [name, value] of Object.entries(document)) output.print(`${name.padEnd(12)} ${written(value)}`);
  }
  output.json({ messages: documents });
  return exitCode.done;
}

/** @throws {UsageError} None of them has a message with this ID or key. */
export async function findMessage(boxes: readonly Box[], id: string) {
  for (const box of boxes) {
    const message = (await box.get(id)) ?? (await box.byKey(id));
    if (message !== undefined) return { message, target: box.target };
  }
  throw new UsageError("The outbox has no message with this ID or key.", {
    hint: "To list the IDs, run: templates outbox list",
  });
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.join(", ");
  if (typeof value === "object" && value !== null) return Object.values(value).map(String).join(", ");
  return String(value);
}

/** Prints the number of messages per state, how long the oldest has waited, and why messages fail. */
export async function showStats(boxes: readonly Box[], output: Output): Promise<ExitCode> {
  const all = await Promise.all(boxes.map(async (box) => ({ target: box.target, stats: await box.stats() })));
  if (all.length === 0) output.print("The outbox is empty.");
  for (const [index, { target, stats }] of all.entries()) {
    if (index > 0) output.print();
    output.print(`For ${target.replace(" ", ", ")}`);
    for (const line of lines(stats)) output.print(`  ${line}`);
  }
  output.json({ outboxes: all.map(({ target, stats }) => ({ for: target, ...stats })) });
  return exitCode.done;
}

function lines({ counts, due, oldestDueMs, expectedWaitMs, problems }: OutboxStats): string[] {
  const states = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    ...(states.length === 0 ? ["no messages"] : states.map(([state, count]) => `${state.padEnd(10)} ${count}`)),
    ...(oldestDueMs === undefined ? [] : [`due        ${due}, the oldest for ${ageInWords(oldestDueMs)}`]),
    ...(due === 0
      ? []
      : [
          `sending the queue takes about ${ageInWords(Math.max(60_000, expectedWaitMs.normal))} at the service's rate limit`,
        ]),
    ...problems.map(({ state, reason, messages }) => `${messages} ${state}: ${maskAddresses(reason)}`),
  ];
}

/** Whether to show full addresses or mask them. */
export interface AddressDisplay {
  readonly addresses: boolean;
}

/** `a…@example.com +2`; `-` if the message's contents are no longer stored. */
export function recipientsOf({ email }: StoredMessage, showing: AddressDisplay): string {
  if (email === undefined) return "-";
  const [first, ...others] = addressesOf(email, showing);
  return others.length === 0 ? `${first}` : `${first} +${others.length}`;
}

/** Describes a message without its contents. */
export function describeMessage(message: StoredMessage, target: string, showing: AddressDisplay): DescribedMessage {
  const { email, key, queuedAt, sendAt, expiresAt, changedAt, target: _, reason, ...rest } = message;
  return {
    ...rest,
    for: target,
    ...(key === undefined ? {} : { key: showText(key, showing) }),
    ...(reason === undefined ? {} : { reason: maskAddresses(reason) }),
    queuedAt: new Date(queuedAt).toISOString(),
    sendAt: new Date(sendAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    changedAt: new Date(changedAt).toISOString(),
    ...(email === undefined
      ? {}
      : {
          from: email.from,
          recipients: addressesOf(email, showing),
          variables: Object.keys(email.variables ?? {}),
          attachments: email.attachments?.length ?? 0,
        }),
  };
}

function addressesOf(
  { to, cc = [], bcc = [] }: NonNullable<StoredMessage["email"]>,
  showing: AddressDisplay,
): string[] {
  return [to, cc, bcc].flat().map((address) => showAddress(address, showing));
}

/**
 * Masks an email address except for its domain and first letter; removes the display name.
 *
 * @example
 * maskAddress("Ada Lovelace <ada@example.com>"); // "a…@example.com"
 */
export function maskAddress(address: string): string {
  const email = /<([^<>]+)>$/.exec(address)?.[1] ?? address;
  const at = email.lastIndexOf("@");
  return at === -1 ? email : `${String.fromCodePoint(email.codePointAt(0) ?? 0)}…${email.slice(at)}`;
}

/** An address, masked unless addresses are shown. */
export function showAddress(address: string, { addresses }: AddressDisplay): string {
  return addresses ? address : maskAddress(address);
}

/** A text, with its addresses masked unless they are shown. */
export function showText(text: string, { addresses }: AddressDisplay): string {
  return addresses ? text : maskAddresses(text);
}

/** Masks every email address in a string. */
export function maskAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, maskAddress);
}
