import type { OutboxFilter, OutboxMessage, StoredMessage } from "../../send/store/outbox.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { table } from "../report/table.js";
import type { Box } from "./boxes.js";
import { describeMessage, recipientsOf, type Showing } from "./describe.js";

/** Number of messages listed without `--limit`. */
const NEWEST = 50;

/** Prints the matching messages, newest first, without their contents. */
export async function listMessages(
  boxes: readonly Box[],
  filter: OutboxFilter,
  output: Output,
  showing: Showing,
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
