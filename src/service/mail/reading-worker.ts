// The thread that parses emails of strangers. It may be terminated at any moment.
import PostalMime, { type Address } from "postal-mime";
import { serveThread } from "../../process/rpc.js";
import type { Mailbox } from "../store/log-rows.js";
import type { ParsedEmail } from "./mail-reader.js";

/** The thread's functions. */
export interface EmailParser {
  /** The thread has loaded its modules. */
  ready(input: undefined): void;
  parse(source: Uint8Array): Promise<ParsedEmail | string>;
}

/**
 * postal-mime joins the lines of a body with a `Blob`. Node's takes 20 ms for the lines of 100 kB, because it is made for
 * a few large parts.
 */
class JoinedParts {
  readonly #bytes;

  constructor(parts: readonly (string | ArrayBuffer | Uint8Array)[]) {
    this.#bytes = Buffer.concat(parts.map(bytesOf));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.#bytes;
    return buffer.slice(byteOffset, byteOffset + byteLength);
  }
}

function bytesOf(part: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof part === "string") return Buffer.from(part);
  return part instanceof Uint8Array ? part : new Uint8Array(part);
}

Object.assign(globalThis, { Blob: JoinedParts });

async function parse(source: Uint8Array): Promise<ParsedEmail | string> {
  try {
    const email = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" });
    return {
      from: email.from ? mailboxes([email.from])[0] : undefined,
      to: mailboxes(email.to),
      cc: mailboxes(email.cc),
      replyTo: mailboxes(email.replyTo),
      messageId: email.messageId,
      subject: oneLine(email.subject ?? ""),
      text: email.text,
      html: email.html,
      headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
      attachments: email.attachments.map(({ filename, mimeType, contentId, content }, index) => ({
        filename: oneLine(filename ?? `attachment-${index + 1}`),
        contentType: mimeType,
        ...(contentId !== undefined && { contentId: contentId.replace(/^<|>$/g, "") }),
        content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
      })),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
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

const functions = { ready() {}, parse } satisfies EmailParser;
serveThread({ functions });
