import MailComposer from "nodemailer/lib/mail-composer";
import type MimeNode from "nodemailer/lib/mime-node";
import { emailOf } from "../send/parcel.js";
import type { OutgoingMessage } from "../send/delivery/transport.js";

/** A message in RFC 5322 format, with its envelope. Hidden recipients are only in the envelope. */
export function composeMessage({ messageId, email }: OutgoingMessage, domain: string, date: Date): MimeNode {
  const { from, to, cc = [], bcc = [], reply_to: replyTo, subject = "", text, html, attachments = [] } = email;
  const sender = `${from}@${domain}`;
  const composer = new MailComposer({
    messageId,
    date,
    from: { name: "", address: sender },
    to: [to].flat().map(mailbox),
    cc: [cc].flat().map(mailbox),
    ...(replyTo !== undefined && { replyTo: mailbox(replyTo) }),
    envelope: { from: sender, to: [to, cc, bcc].flat().map(bare), size: leastSize(email) },
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    attachments: attachments.map(({ filename, content, content_type: contentType, content_id: cid }) => ({
      filename,
      ...(typeof content === "string" ? { content, encoding: "base64" } : { content: bufferOf(content.bytes) }),
      ...(contentType !== undefined && { contentType }),
      ...(cid !== undefined && { cid }),
    })),
    // Content is used as it is: a message must not make the composer read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile();
}

/** In bytes, for `MAIL FROM` (RFC 1870): somewhat less than what is sent, so that no server refuses a message that fits. */
function leastSize({ text = "", html = "", attachments = [] }: OutgoingMessage["email"]): number {
  const files = attachments.map(({ content }) =>
    typeof content === "string" ? content.length : Math.ceil((content.bytes.length * 4) / 3),
  );
  return files.reduce((sum, size) => sum + size, Buffer.byteLength(text) + Buffer.byteLength(html));
}

/** An address in the service's format. */
function mailbox(address: string): { name: string; address: string } {
  return { name: displayNameOf(address), address: emailOf(address) };
}

/** The display name, from an address in the service's format; empty if it has none. */
function displayNameOf(address: string): string {
  const email = emailOf(address);
  if (email === address) return "";
  const name = address.slice(0, -`<${email}>`.length).trim();
  return name.startsWith('"') ? name.slice(1, -1).replaceAll(/\\(.)/g, "$1") : name;
}

function bare(address: string): { name: string; address: string } {
  return { name: "", address: emailOf(address) };
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
