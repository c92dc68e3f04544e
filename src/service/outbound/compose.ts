import MailComposer from "nodemailer/lib/mail-composer";
import type { Mailbox } from "../mailbox.js";
import type { Draft } from "./draft.js";

/**
 * The message as RFC 5322 has it, with CRLF; of one draft always the same. Bcc is left out: its recipients get the same
 * source, and nobody sees them.
 */
export async function composeSource({ id, messageId, sentAt, message }: Draft): Promise<Buffer> {
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
    // Of the draft itself, so that it is the same each time; nobody who writes a mail knows its id.
    baseBoundary: id,
    // Contents are given as they are: nothing that a request says is read from a disk or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

function header(mailbox: Mailbox): { name: string; address: string } {
  return { name: mailbox.name ?? "", address: mailbox.email };
}
