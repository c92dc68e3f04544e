import PostalMime from "postal-mime";
import { findCode } from "./codes.js";
import { wordsOf } from "./html-words.js";
import { findLink, linksInHtml, linksInText } from "./links.js";

/** A mail as its recipient reads it. */
export interface ReceivedMail {
  /** The id of the recipient's log entry. */
  readonly id: string;
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  }[];
  /**
   * The address of a link to click.
   *
   * @example
   * mail.link("Choose a new password"); // by its words
   * mail.link(/\/reset\?/); // by its address
   * mail.link(); // the only one, or the only one with a token in it
   *
   * @throws {Error} None fits, or links to several addresses do.
   */
  link(which?: string | RegExp): string;
  /**
   * A code to type: the only number of 4 to 8 digits that is no year and no amount, else the only such mix of digits and
   * capital letters; or what the pattern finds (its first group, where it has one).
   *
   * @throws {Error} There is none, or there are several.
   */
  code(pattern?: RegExp): string;
}

/** Reads a mail's source (RFC 5322). */
export async function readMail(
  source: string | Uint8Array,
  entry: { readonly id: string; readonly to: string },
): Promise<ReceivedMail> {
  const {
    messageId = "",
    from,
    subject = "",
    text,
    html,
    attachments,
  } = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" });
  return {
    ...entry,
    messageId,
    from: from?.address ?? "",
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ filename, mimeType, content }) => ({
      filename: filename ?? "",
      contentType: mimeType,
      content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
    })),
    link: (which) => findLink(html === undefined ? linksInText(text ?? "") : linksInHtml(html), which),
    code: (pattern) => findCode(`${subject}\n${text ?? wordsOf(html ?? "")}`, pattern),
  };
}
