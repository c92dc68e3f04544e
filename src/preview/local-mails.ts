import { z } from "zod";

// The local service's responses to `GET /local/mails` and `GET /local/mails/ID`.

const mailboxSchema = z.object({ email: z.string(), name: z.string().nullable() });

const eventSchema = z.object({
  status: z.string(),
  createdAt: z.number(),
  code: z.number(),
  message: z.string(),
});

const recipientSchema = mailboxSchema.extend({ logId: z.string(), status: z.string(), events: z.array(eventSchema) });

const mailSchema = z.object({
  id: z.string(),
  seq: z.int(),
  sentAt: z.number(),
  from: mailboxSchema,
  subject: z.string(),
  recipients: z.array(recipientSchema),
  attachmentCount: z.int(),
  receivedBy: z.string().optional(),
  receivedAs: z.string().optional(),
});

export const mailsSchema = z.object({
  mails: z.array(mailSchema),
  last: z.int(),
  total: z.int(),
  /** The number of deletions since the service started. */
  deletions: z.int(),
});

export const openedSchema = mailSchema.extend({
  to: z.array(mailboxSchema),
  cc: z.array(mailboxSchema),
  bcc: z.array(mailboxSchema),
  replyTo: z.array(mailboxSchema),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  html: z.string().optional(),
  text: z.string().optional(),
  attachments: z.array(
    z.object({
      filename: z.string(),
      contentType: z.string(),
      contentId: z.string().optional(),
      bytes: z.int(),
    }),
  ),
  madeFrom: z.object({ template: z.string(), variables: z.record(z.string(), z.unknown()) }).optional(),
});

export type LocalMails = z.infer<typeof mailsSchema>;
export type LocalMail = z.infer<typeof mailSchema>;
export type LocalMailbox = z.infer<typeof mailboxSchema>;
export type LocalRecipient = z.infer<typeof recipientSchema>;
export type OpenedLocalMail = z.infer<typeof openedSchema>;
