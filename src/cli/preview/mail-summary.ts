import type { MailDetail, MailSummary } from "../../preview/contract.js";
import type { Variables } from "../../mustache/variables.js";
import type { LocalMail, LocalMailbox, LocalRecipient, OpenedLocalMail } from "./local-mails.js";

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
