import type { OutboxFilter, OutboxMessage, StoredMessage } from "../../send/outbox/store.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { table } from "../report/table.js";
import type { Box } from "./boxes.js";
import { describeMessage, recipientsOf, type Showing } from "./describe.js";

/** Messages that are listed without `--limit`. */
const NEWEST = 50;

/** Prints the messages that fit, the newest first, without what they say. */
export async function listMessages(
  boxes: readonly Box[],
  filter: OutboxFilter,
  output: Output,
  showing: Showing,
): Promise<ExitCode> {
  const limit = filter.limit ?? NEWEST;
  // One more shows that there are more.
  const found = await Promise.all(boxes.map(async (box) => listed(box, { ...filter, limit: limit + 1 })));
  const all = found.flat().toSorted((a, b) => b.message.queuedAt - a.message.queuedAt);
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
  output.print(messages.length === 0 ? "The outbox has no such message." : table([head, ...rows]));
  if (all.length > limit)
    output.note(`There are more: give --limit, or narrow it down with --state, --template or --since.`);
  output.json({ messages: messages.map(({ message, target }) => describeMessage(message, target, showing)) });
  return exitCode.done;
}

async function listed(
  box: Box,
  filter: OutboxFilter,
): Promise<{ readonly message: StoredMessage; readonly target: string }[]> {
  const messages = await box.list(filter);
  return Promise.all(
    messages.map(async (message) => ({ message: await withContents(box, message), target: box.target })),
  );
}

async function withContents(box: Box, message: OutboxMessage): Promise<StoredMessage> {
  return message.hasContents ? ((await box.get(message.id)) ?? message) : message;
}
