import MailComposer from "nodemailer/lib/mail-composer";
import { z } from "zod";
import { LettershopError } from "../../errors.js";
import { parseAddress } from "../address.js";
import type { MailReader } from "../mail/mail-reader.js";
import type { Envelope } from "./receive.js";

const address = z.string().refine((text) => parseAddress(text) !== undefined, "is not an email address");
const addresses = z.union([address, z.array(address).min(1)]).transform((to) => [to].flat());

const attachmentSchema = z.strictObject({
  filename: z.string(),
  /** Base64, or bytes. */
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
  contentType: z.string().optional(),
});

const writtenSchema = z.strictObject({
  from: address,
  to: addresses,
  subject: z.string().default(""),
  text: z.string().optional(),
  html: z.string().optional(),
  /** Further headers, by name. */
  headers: z.record(z.string(), z.string()).optional(),
  attachments: z.array(attachmentSchema).default([]),
});

const rawSchema = z.strictObject({
  /** In RFC 5322 format. */
  raw: z.union([z.string(), z.instanceof(Uint8Array)]),
  /** The envelope's addresses; default: those of the headers. */
  from: address.optional(),
  to: addresses.optional(),
});

/** An email that a test lets the service receive: what it consists of, or its source. */
export const incomingSchema = z.union([rawSchema, writtenSchema]);

/**
 * An email that a test lets the service receive: what it consists of, or `raw`, its source in RFC 5322 format.
 *
 * @example
 * const email: IncomingEmail = { from: "bob@shop.example", to: "sales@example.test", subject: "Invoice 17", text: "…" };
 */
export type IncomingEmail = z.input<typeof incomingSchema>;

/** The service refused an email, as it would by SMTP. */
export class RefusedError extends LettershopError {
  override readonly name = "RefusedError";
  readonly code = "refused";

  constructor(
    /** As in 550. */
    readonly smtpCode: number,
    message: string,
  ) {
    super(message);
  }
}

const NOBODY = { from: undefined, to: [], cc: [] };
const CLIENT = "localhost ([127.0.0.1])";

/** The envelope and the source of a test's email. */
export async function composeIncoming(
  email: z.output<typeof incomingSchema>,
  reader: MailReader,
): Promise<{ readonly envelope: Envelope; readonly source: Uint8Array }> {
  if ("raw" in email) {
    const source = typeof email.raw === "string" ? Buffer.from(email.raw) : email.raw;
    const { from, to, cc } = email.from === undefined || email.to === undefined ? await reader.read(source) : NOBODY;
    const sender = email.from ?? from?.email ?? "";
    const recipients = email.to ?? [...to, ...cc].map((mailbox) => mailbox.email);
    return { envelope: { sender: plain(sender), recipients: recipients.map(plain), client: CLIENT }, source };
  }
  const { from, to, subject, text, html, headers, attachments } = email;
  const composer = new MailComposer({
    from,
    to,
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(headers && { headers }),
    attachments: attachments.map(({ filename, content, contentType }) => ({
      filename,
      ...(typeof content === "string" ? { content, encoding: "base64" } : { content: Buffer.from(content) }),
      ...(contentType !== undefined && { contentType }),
    })),
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const source = await composer.compile().build();
  return { envelope: { sender: plain(from), recipients: to.map(plain), client: CLIENT }, source };
}

/** Without a display name. */
function plain(text: string): string {
  return parseAddress(text)?.email ?? text;
}
