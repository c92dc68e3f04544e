import { BoundedThread } from "../bounded-thread.js";
import type { Mailbox } from "../store/log-rows.js";
import type { CapturedAttachment } from "./captured.js";
import type { EmailParser } from "./reading-worker.js";

/** The parts of an email. */
export interface ParsedEmail {
  readonly from: Mailbox | undefined;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly messageId: string | undefined;
  readonly subject: string;
  readonly text: string | undefined;
  readonly html: string | undefined;
  /** In order, with names as written. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly CapturedAttachment[];
}

/** In ms of CPU time. Emails of 25 MB take a tenth of this. */
const PARSE_MS = 5_000;
const MEMORY_MB = 512;

/** An email can't be parsed, or not within reasonable time and memory. */
export class UnreadableEmailError extends Error {}

/** Parses emails in a thread, because some are written to take for ever. */
export class MailReader {
  readonly #thread = new BoundedThread<EmailParser>(
    new URL("../mail/reading-worker.js", import.meta.url),
    "The thread that parses emails",
    MEMORY_MB,
  );

  /** @throws UnreadableEmailError */
  async read(source: Uint8Array): Promise<ParsedEmail> {
    const answer = await this.#thread.run("parse", source, PARSE_MS);
    const email = "value" in answer ? answer.value : answer.failure;
    if (typeof email === "string") throw new UnreadableEmailError(email);
    return email;
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}

/** Number of attachments, without images that the HTML embeds. */
export function countAttachments({ attachments }: ParsedEmail): number {
  return attachments.filter(({ contentId }) => contentId === undefined).length;
}
