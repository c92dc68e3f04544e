import type { OutboundAttachment } from "../../../src/api/index.js";
import type { Attachment } from "../../../src/send/attachments/attachment.js";
import { readAttachments } from "../../../src/send/attachments/attachments.js";
import { type Clock, systemClock } from "../../../src/send/clock.js";
import type { SendEvent } from "../../../src/send/events.js";
import { collectProblems } from "../../../src/send/report.js";
import { lines } from "../collect.js";

export interface Read {
  readonly sent: readonly OutboundAttachment[];
  /** `path: message` for each. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** A mailer's result for attachments. */
export async function read(...attachments: readonly Attachment[]): Promise<Read> {
  return readAll(attachments);
}

export async function readAll(
  attachments: unknown,
  signal?: AbortSignal,
  { timeoutMs = 30_000, clock = systemClock }: { timeoutMs?: number; clock?: Pick<Clock, "after"> } = {},
): Promise<Read> {
  const { problems, report } = collectProblems();
  const events: SendEvent[] = [];
  const publish = (event: SendEvent) => void events.push(event);
  const sent = await readAttachments(attachments, { report, publish, signal, timeoutMs, clock });
  return {
    sent,
    problems: lines(problems),
    warnings: events.map((event) =>
      event.type === "attachment-warning" ? `${event.path}: ${event.message}` : `another event: ${event.type}`,
    ),
  };
}

/** The only message about a file, without its position: why it is refused, or a warning; otherwise "passes". */
export async function verdictOn(filename: string, content: Uint8Array): Promise<string> {
  const { problems, warnings } = await read({ filename, content });
  if (problems.length > 1) throw new Error(`Said twice: ${problems.join("; ")}`);
  const [result = "passes"] = [...problems, ...warnings];
  return result.replace(/^.*?: /, problems.length > 0 ? "refused: " : "odd: ");
}
