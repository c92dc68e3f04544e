import MailComposer from "nodemailer/lib/mail-composer";
import type { Mailbox } from "../mailbox.js";
import type { OutboundMessage } from "./message.js";

/** The message as RFC 5322 has it, with CRLF. Bcc is left out: its recipients get the same source, and nobody sees them. */
export async function composeSource(
  message: OutboundMessage,
  envelope: { readonly messageId: string; readonly date: Date },
): Promise<Buffer> {
  const composer = new MailComposer({
    messageId: envelope.messageId,
    date: envelope.date,
    from: header(message.from),
    to: message.to.map(header),
    cc: message.cc.map(header),
    ...(message.replyTo && { replyTo: header(message.replyTo) }),
    subject: message.subject,
    ...(message.text !== undefined && { text: message.text }),
    ...(message.html !== undefined && { html: message.html }),
    attachments: message.attachments.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content,
      ...(contentType !== undefined && { contentType }),
      ...(contentId !== undefined && { cid: contentId }),
    })),
    newline: "win",
    // Contents are given as they are: nothing that a request says is read from a disk or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

function header(mailbox: Mailbox): { name: string; address: string } {
  return { name: mailbox.name ?? "", address: mailbox.email };
}
