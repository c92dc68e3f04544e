import PostalMime from "postal-mime";
import { linkAndCode } from "./links.js";

/** An email as its recipient sees it. */
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
   * The URL of a link to click.
   *
   * @example
   * mail.link("Choose a new password"); // by its text
   * mail.link(/\/reset\?/); // by its URL
   * mail.link(); // the only one, or the only one with a token in it
   *
   * @throws {Error} No link matches, or links to several URLs do.
   */
  link(which?: string | RegExp): string;
  /**
   * A code to enter: the only number of 4 to 8 digits that is not a year or an amount, otherwise the only such mix of
   * digits and capital letters; or the match of a pattern (its first group, if it has one).
   *
   * @throws {Error} There is no code, or there are several.
   */
  code(pattern?: RegExp): string;
}

/** Parses the source of an email (RFC 5322). */
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
    ...linkAndCode(subject, (part) => (part === "html" ? html : text)),
  };
}
