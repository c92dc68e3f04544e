import { z } from "zod";
import { isSuccess, postJson, TIMEOUT_MS } from "../delivery/webhooks.js";
import type { ParsedEmail } from "../mail/mail-reader.js";
import type { ForwardRecord, ReceivedRecord } from "../store/received.js";
import type { SmtpResponse } from "./envelope.js";
import { signatureHeaders } from "./webhook-signature.js";

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

const SECOND_MS = 1_000;

/**
 * Posts an email to a webhook, signed as in Standard Webhooks (standardwebhooks.com), whose libraries verify it. Only a
 * 4xx is final; after other failures the email is posted again, with the same `webhook-id`.
 */
export async function postEmail(
  { id, recipient, destination }: ForwardRecord,
  { sender, source }: ReceivedRecord,
  { headers, messageId, subject, text, html, attachments }: ParsedEmail,
  secret: string,
  signal: AbortSignal,
): Promise<SmtpResponse> {
  const content: ReceivedEmailBody = {
    id,
    envelope: { sender, recipient },
    headers: [...headers],
    message_id: messageId ?? null,
    subject,
    text: text ?? null,
    html: html ?? null,
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      content_type: attachment.contentType,
      content_id: attachment.contentId ?? null,
      content: Buffer.from(attachment.content).toString("base64"),
    })),
    ...(new URL(destination).hash === "#raw" && { raw: Buffer.from(source).toString("base64") }),
  };
  const body = JSON.stringify(content);
  // By the machine's clock, to which receivers compare it, even if a test moved the service's.
  const signature = signatureHeaders(secret, { id, timestamp: Math.floor(Date.now() / SECOND_MS), body });
  try {
    const status = await postJson(destination, body, signature, signal);
    const message = `The webhook responded with ${status}`;
    if (isSuccess(status)) return { code: 250, message: `2.0.0 ${message}` };
    const isFinal = status >= 400 && status < 500;
    return isFinal ? { code: 554, message: `5.0.0 ${message}` } : { code: 451, message: `4.0.0 ${message}` };
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate ? `did not respond within ${TIMEOUT_MS / SECOND_MS} s` : "can't be reached";
    return { code: 451, message: `4.4.1 The webhook ${reason}` };
  }
}
