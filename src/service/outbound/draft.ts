import MailComposer from "nodemailer/lib/mail-composer";
import { domainOf } from "../address.js";
import type { Mailbox } from "../store/log-rows.js";
import type { DkimSigner } from "../dns/dkim.js";
import type { OutboundMessage } from "./message.js";

/**
 * An accepted email: everything its source consists of, so that it can be composed at any time with the same result.
 */
export interface EmailDraft {
  /** The log id of its first recipient. */
  readonly id: string;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly message: OutboundMessage;
}

/** Serialises a draft for the database. */
export function writeDraft(draft: EmailDraft): string {
  return JSON.stringify(draft);
}

/** Parses what `writeDraft` wrote. */
export function readDraft(text: string): EmailDraft {
  return JSON.parse(text);
}

/**
 * The message in RFC 5322 format, with CRLF, signed with DKIM. The same draft always gives the same message. Bcc is left out: its
 * recipients get the same source, and nobody sees their addresses.
 */
export async function composeSource(
  { id, messageId, sentAt, message }: EmailDraft,
  signer: DkimSigner,
): Promise<Buffer> {
  const composer = new MailComposer({
    messageId,
    date: new Date(sentAt),
    from: header(message.from),
    to: message.to.map(header),
    cc: message.cc.map(header),
    ...(message.replyTo && { replyTo: header(message.replyTo) }),
    subject: message.subject,
    ...(message.text !== undefined && { text: message.text }),
    ...(message.html !== undefined && { html: message.html }),
    attachments: message.attachments.map(({ filename, base64, contentType, contentId }) => ({
      filename,
      content: base64,
      encoding: "base64",
      ...(contentType !== undefined && { contentType }),
      ...(contentId !== undefined && { cid: contentId }),
    })),
    newline: "win",
    // From the draft itself, so that it is always the same. Nobody who writes an email can know its id.
    baseBoundary: id,
    // Content is used as is: a request must not make the composer read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await signer.sign(await composer.compile().build(), domainOf(message.from.email));
}

function header(mailbox: Mailbox): { name: string; address: string } {
  return { name: mailbox.name ?? "", address: mailbox.email };
}
