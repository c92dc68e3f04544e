import { type Answer, BoundedThread } from "../bounded-thread.js";
import type { Mailbox } from "../store/log-rows.js";
import type { CapturedAttachment } from "./captured.js";
import type { EmailParser } from "./reading-worker.js";

/** What is read of an email when it arrives. */
export interface ArrivingEmail extends Pick<ParsedEmail, "from" | "to" | "cc" | "messageId" | "subject" | "headers"> {
  /** Its text, or its HTML if it has no text. Undefined if only the headers were read. */
  readonly body: string | undefined;
  /** Number of attachments, without images that the HTML embeds. */
  readonly attachments: number;
}

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
   * Reads an email that arrives. It stays readable with the headers that the service adds to it.
   *
   * @param options `body`: whether its body is needed. If not, that of an email of a single text is not parsed.
   * @throws UnreadableEmailError
   */
  async readArriving(source: Uint8Array, { body }: { readonly body: boolean }): Promise<ArrivingEmail> {
    const headers = headersOf(source);
    if (headers.length > HEADERS_MAX) throw new UnreadableEmailError("its headers are larger than 1 MB");
    const enough = body
      ? undefined
      : await this.#run(headers, (thread, ...input) => thread.run("readHeaders", ...input));
    return enough ?? (await this.#run(source, (thread, ...input) => thread.run("readArriving", ...input)));
  }

  /** @throws UnreadableEmailError */
  async read(source: Uint8Array): Promise<ParsedEmail> {
    return await this.#run(source, (thread, ...input) => thread.run("read", ...input));
  }

  /** Reads an email that was accepted: only its headers, if its body takes too much time or memory. */
  async readAccepted(source: Uint8Array): Promise<ParsedEmail> {
    return await this.read(source).catch(async (error: unknown) => {
      if (error instanceof UnreadableEmailError) return await this.read(headersOf(source));
      throw error;
    });
  }

  async #run<Email>(
    source: Uint8Array,
    run: (thread: BoundedThread<EmailParser>, source: Uint8Array, limitMs: number) => Promise<Answer<Email | string>>,
  ): Promise<Email> {
    const thread = source.length > SMALL_MAX ? this.#large : this.#small;
    const limitMs = PARSE_MS + Math.floor(source.length / MEGABYTE) * PARSE_MS_PER_MB;
    const answer = await run(thread, source, limitMs);
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

const LF = 10;
const CR = 13;

/**
 * The headers of an email, which end before its first empty line; the start of larger ones than an email may have. They
 * are a copy, because threads get the whole buffer of a view.
 */
export function headersOf(source: Uint8Array): Uint8Array {
  const end = Math.min(source.length, HEADERS_MAX + 1);
  for (let at = 0, line = 0; at < end; at += 1) {
    if (source[at] !== LF) continue;
    if (at === line || (at === line + 1 && source[line] === CR)) return new Uint8Array(source.subarray(0, line));
    line = at + 1;
  }
  return new Uint8Array(source.subarray(0, end));
}
