import { z } from "zod";

/**
 * The shape of an attachment. Its name and bytes (blocked extensions, base64, count and size) are checked elsewhere: a
 * regular expression over ten megabytes of base64 would be too slow.
 */
export const attachmentSchema = z.object({
  filename: z.string(),
  /** Base64. */
  content: z.string(),
  content_type: z.string().optional(),
  /** For `cid:` images in the HTML. */
  content_id: z.string().optional(),
});

const addresses = z.union([z.string(), z.array(z.string())]);

/**
 * The shape of the body of `POST /domains/:domain/emails/outbound`. Which fields are required depends on the stored
 * template (its subject makes the request's optional), so that is not in the schema.
 */
export const outboundEmailSchema = z.object({
  /** The local part of the sender's address. */
  from: z.string(),
  to: addresses,
  subject: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  /** The name of a stored template; `text` and `html` are then ignored. */
  template: z.string().optional(),
  /** Fills the template's tags. */
  variables: z.record(z.string(), z.unknown()).optional(),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  reply_to: z.string().optional(),
  attachments: z.array(attachmentSchema).optional(),
});

/** The answer for sending: the id of a log entry, and the Message-ID that all the email's entries share. */
export const outboundEmailResponse = z.object({ id: z.string(), message_id: z.string() });

export type OutboundEmailBody = z.infer<typeof outboundEmailSchema>;
export type OutboundAttachmentBody = z.infer<typeof attachmentSchema>;
export type AcceptedEmail = z.infer<typeof outboundEmailResponse>;
