import type { MailDetail, MailSummary } from "../../preview/contract.js";
import type { Variables } from "../../mustache/variables.js";
import { z } from "zod";
import { logStatusSchema } from "../../api/contract/v4/logs.js";
import { LettershopError } from "../../errors.js";

/** The template and variables of a message that this preview has sent. The service does not know them. */
export interface SentHere {
  readonly name: string;
  readonly variables: Variables;
}

/** From worst to best. */
const statuses = ["REFUSED", "BOUNCED", "HARD-BOUNCE", "SOFT-BOUNCE", "QUEUED", "DELIVERED"] as const;

/** Converts a captured message for the list on the page. */
export function summaryOf({ id, seq, sentAt, from, subject, recipients, attachmentCount }: LocalMail): MailSummary {
  return {
    id,
    seq,
    sentAt: new Date(sentAt).toISOString(),
    from: written(from),
    to: recipients.map(written),
    subject,
    status: statuses.find((status) => recipients.some((recipient) => recipient.status === status)) ?? "QUEUED",
    attachmentCount,
  };
}

/**
 * Converts a captured message with all details that the page shows.
 *
 * @param origin.url The URL of the local service, which hosts the project's images.
 */
export function detailOf(
  mail: OpenedLocalMail,
  source: string,
  origin: { readonly sentHere: SentHere | undefined; readonly url: string },
): MailDetail {
  const { id, html, text, madeFrom } = mail;
  const template =
    madeFrom === undefined ? origin.sentHere : { name: madeFrom.template, variables: madeFrom.variables };
  return {
    ...summaryOf(mail),
    to: mail.to.map(written),
    cc: mail.cc.map(written),
    bcc: mail.bcc.map(written),
    replyTo: mail.replyTo.map(written),
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    headers: mail.headers,
    source,
    attachments: mail.attachments.map(({ filename, contentType, contentId, bytes }, index) => ({
      filename,
      contentType,
      ...(contentId !== undefined && { contentId }),
      bytes,
      url: `api/inbox/${encodeURIComponent(id)}/attachments/${index}`,
    })),
    recipients: mail.recipients.map(courseOf),
    ...(template && { template }),
    assetsBase: `${origin.url}/assets`,
  };
}

function courseOf({ email, status, events }: LocalRecipient): MailDetail["recipients"][number] {
  return {
    email,
    status,
    events: events.map(({ status: each, createdAt, code, message }) => ({
      status: each,
      at: new Date(createdAt).toISOString(),
      detail: `${code} ${message}`.trim(),
    })),
  };
}

function written({ name, email }: LocalMailbox): string {
  return name === null ? email : `${name} <${email}>`;
}

/** The local service's responses to `GET /local/mails` and `GET /local/mails/ID`. */

const mailboxSchema = z.object({ email: z.string(), name: z.string().nullable() });

const eventSchema = z.object({
  status: logStatusSchema,
  createdAt: z.number(),
  code: z.number(),
  message: z.string(),
});

const recipientSchema = mailboxSchema.extend({ status: logStatusSchema, events: z.array(eventSchema) });

const mailSchema = z.object({
  id: z.string(),
  seq: z.int(),
  sentAt: z.number(),
  from: mailboxSchema,
  subject: z.string(),
  recipients: z.array(recipientSchema),
  attachmentCount: z.int(),
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

export type LocalMail = z.infer<typeof mailSchema>;
type LocalMailbox = z.infer<typeof mailboxSchema>;
type LocalRecipient = z.infer<typeof recipientSchema>;
type OpenedLocalMail = z.infer<typeof openedSchema>;

/** The local service is not running, or is restarting. */
export class AwayError extends LettershopError {
  override readonly name = "AwayError";
  readonly code = "unreachable";

  constructor(cause: unknown) {
    super("The local service isn't running.", { cause, hint: "Start it with `templates dev`." });
  }
}

/** The local service at this project's URL belongs to another project, whose messages must not be shown here. */
export class OtherProjectError extends LettershopError {
  override readonly name = "OtherProjectError";
  readonly code = "other_project";

  /** @param project The other project's folder. */
  constructor(
    readonly url: string,
    readonly project: string,
  ) {
    super(`The local service at ${url} belongs to another project, ${project}.`, {
      hint: "Start this project's local service with `templates dev`.",
    });
  }
}
