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

/** Maximum time for an email, in ms of CPU time, and for each further MB. Normal emails take a tenth of this. */
const PARSE_MS = 1_000;
const PARSE_MS_PER_MB = 500;
const MEMORY_MB = 512;
const SMALL_MAX = 64 * 1024;
const MEGABYTE = 1024 * 1024;
/** Maximum size of an arriving email's headers in bytes. The parser reads twice as many. */
const HEADERS_MAX = MEGABYTE;

/** An email can't be parsed, or not within reasonable time and memory. */
export class UnreadableEmailError extends Error {}

/** Parses emails in threads, because some are written to take for ever. */
export class MailReader {
  readonly #small = parsingThread();
  /** Only large emails can be written to take a second or more, and small ones should not wait for them. */
  readonly #large = parsingThread();

  /**
   * Parses an email that arrives. It stays readable with the headers that the service adds to it.
   *
   * @throws UnreadableEmailError
   */
  async readArriving(source: Uint8Array): Promise<ParsedEmail> {
    if (headersOf(source).length > HEADERS_MAX) throw new UnreadableEmailError("its headers are larger than 1 MB");
    return await this.read(source);
  }

  /** @throws UnreadableEmailError */
  async read(source: Uint8Array): Promise<ParsedEmail> {
    const thread = source.length > SMALL_MAX ? this.#large : this.#small;
    const limitMs = PARSE_MS + Math.floor(source.length / MEGABYTE) * PARSE_MS_PER_MB;
    const answer = await thread.run("parse", source, limitMs);
    const email = "value" in answer ? answer.value : answer.failure;
    if (typeof email === "string") throw new UnreadableEmailError(email);
    return email;
  }

  /** Terminates the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}

function parsingThread(): BoundedThread<EmailParser> {
  const module = new URL("../mail/reading-worker.js", import.meta.url);
  return new BoundedThread(module, "The thread that parses emails", MEMORY_MB);
}

/** The headers of an email, which end before its first empty line. Of larger ones than an email may have, the start. */
export function headersOf(source: Uint8Array): Uint8Array {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength).subarray(0, HEADERS_MAX + 1);
  const emptyLine = /^\r?\n|\n\r?\n/.exec(bytes.toString("latin1"));
  return bytes.subarray(0, emptyLine ? emptyLine.index + 1 : bytes.length);
}

/** Number of attachments, without images that the HTML embeds. */
export function countAttachments({ attachments }: ParsedEmail): number {
  return attachments.filter(({ contentId }) => contentId === undefined).length;
}
