import { z } from "zod";
import type { ParsedEmail } from "../mail/mail-reader.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";

export const receivedAttachmentSchema = z.object({
  /** `attachment-1`, by its position, if the email does not name it. */
  filename: z.string(),
  content_type: z.string(),
  /** Without angle brackets, as in `cid:` URLs of `html`; null if it has none. */
  content_id: z.string().nullable(),
  /** Base64. */
  content: z.base64(),
});

/** The body of a post to a webhook that an email is forwarded to. Lists are in the order of the email. */
export const receivedEmailSchema = z.object({
  /** The same for each try of one delivery. */
  id: z.string(),
  envelope: z.object({
    /** Empty for bounces. */
    sender: z.string(),
    /** The address at the domain that the email was sent to. */
    recipient: z.string(),
  }),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  message_id: z.string().nullable(),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments: z.array(receivedAttachmentSchema),
  /** The whole message in RFC 5322 format, as base64. Only if the webhook's URL ends with `#raw`. */
  raw: z.base64().optional(),
});

/**
 * The body of a post to a webhook that an email is forwarded to. Its JSON Schema is `ReceivedEmail` in the service's
 * OpenAPI documents.
 *
 * @example
 * const { envelope, subject, text } = (await request.json()) as ReceivedEmailBody;
 */
export type ReceivedEmailBody = z.infer<typeof receivedEmailSchema>;

export function receivedEmailBody(
  { id, recipient }: Pick<ForwardRecord, "id" | "recipient">,
  { sender, source }: ReceivedRecord,
  { headers, messageId, subject, text, html, attachments }: ParsedEmail,
  isRaw: boolean,
): ReceivedEmailBody {
  return {
    id,
    envelope: { sender, recipient },
    headers: [...headers],
    message_id: messageId ?? null,
    subject,
    text: text ?? null,
    html: html ?? null,
    attachments: attachments.map(({ filename, contentType, contentId = null, content }) => ({
      filename,
      content_type: contentType,
      content_id: contentId,
      content: Buffer.from(content).toString("base64"),
    })),
    ...(isRaw && { raw: Buffer.from(source).toString("base64") }),
  };
}
