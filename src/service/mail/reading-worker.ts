// The thread that parses emails of strangers. It may be terminated at any moment.
import PostalMime, { type Address, type Email } from "postal-mime";
import { serveThread } from "../../process/rpc.js";
import type { Mailbox } from "../store/log-rows.js";
import type { ArrivingEmail, ParsedEmail } from "./mail-reader.js";

/** The thread's functions. They return an email, or why it can't be parsed. */
export interface EmailParser {
  /** The thread has loaded its modules. */
  ready(input: undefined): void;
  read(source: Uint8Array): Promise<ParsedEmail | string>;
  readArriving(source: Uint8Array): Promise<ArrivingEmail | string>;
  /** Reads an email's headers. Undefined if its body may have attachments. */
  readHeaders(headers: Uint8Array): Promise<ArrivingEmail | undefined | string>;
}

/**
 * postal-mime joins the lines of a body with a `Blob`. Node's takes 20 ms for the lines of 100 kB, because it is made for
 * a few large parts.
 */
class JoinedParts {
  readonly #bytes;

  constructor(parts: readonly (string | ArrayBuffer | Uint8Array)[]) {
    const all = parts.map(bytesOf);
    this.#bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of all) {
      this.#bytes.set(part, at);
      at += part.length;
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.buffer;
  }
}

const LINE_BREAK = Buffer.from("\n");

function bytesOf(part: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (part === "\n") return LINE_BREAK;
  if (typeof part === "string") return Buffer.from(part);
  return part instanceof Uint8Array ? part : new Uint8Array(part);
}

Object.assign(globalThis, { Blob: JoinedParts });

async function parse<Result>(source: Uint8Array, use: (email: Email) => Result): Promise<Result | string> {
  try {
    return use(await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toParsed(email: Email): ParsedEmail {
  return {
    ...commonOf(email),
    replyTo: mailboxes(email.replyTo),
    text: email.text,
    html: email.html,
    attachments: email.attachments.map(({ filename, mimeType, contentId, content }, index) => ({
      filename: oneLine(filename ?? `attachment-${index + 1}`),
      contentType: mimeType,
      ...(contentId !== undefined && { contentId: contentId.replace(/^<|>$/g, "") }),
      content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
    })),
  };
}

function toArriving(email: Email): ArrivingEmail {
  const attachments = email.attachments.filter(({ contentId }) => contentId === undefined).length;
  return { ...commonOf(email), body: email.text ?? email.html ?? "", attachments };
}

function commonOf({ from, to, cc, messageId, subject = "", headers }: Email) {
  return {
    from: from ? mailboxes([from])[0] : undefined,
    to: mailboxes(to),
    cc: mailboxes(cc),
    messageId,
    subject: oneLine(subject),
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  };
}

/** Whether an email's headers say that its body is one text. */
function isSingleText({ headers, attachments }: Email): boolean {
  const types = headers.filter(({ key }) => key === "content-type");
  return attachments.length === 0 && types.every(({ value }) => /^\s*text\/(plain|html)\s*(;|$)/i.test(value));
}

function mailboxes(addresses: readonly Address[] = []): Mailbox[] {
  return addresses.flatMap((address) =>
    address.address === undefined
      ? mailboxes(address.group)
      : { email: address.address, name: oneLine(address.name) || null },
  );
}

/** Encoded words may contain line breaks, which would end a header that repeats what they say. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ").trim();
}

const functions = {
  ready() {},
  read: (source) => parse(source, toParsed),
  readArriving: (source) => parse(source, toArriving),
  readHeaders: (headers) =>
    parse(headers, (email) => (isSingleText(email) ? { ...toArriving(email), body: undefined } : undefined)),
} satisfies EmailParser;
serveThread({ functions });
