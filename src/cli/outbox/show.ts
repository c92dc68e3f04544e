import type { StoredMessage } from "../../send/store/outbox.js";
import { UsageError } from "../arguments.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import type { Box } from "./boxes.js";
import { describeMessage, type Showing } from "./describe.js";

/** Prints everything about messages except for their contents. */
export async function showMessages(
  boxes: readonly Box[],
  ids: readonly string[],
  output: Output,
  showing: Showing,
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

async function findMessage(
  boxes: readonly Box[],
  id: string,
): Promise<{ readonly message: StoredMessage; readonly target: string }> {
  for (const box of boxes) {
    const message = (await box.get(id)) ?? (await box.byKey(id));
    if (message !== undefined) return { message, target: box.target };
  }
  throw new UsageError("The outbox has no message with this ID or key.", {
    hint: "To list the IDs, run: templates outbox list",
  });
}

function written(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.join(", ");
  if (typeof value === "object" && value !== null) return Object.values(value).map(String).join(", ");
  return String(value);
}
