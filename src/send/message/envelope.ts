import { type Address, readAddress, readAddresses, readFrom } from "./addresses.js";
import { type Attachment, readAttachments } from "../attachments/attachments.js";
import type { OutboundEmail } from "../../api/contract/v4/emails.js";
import { SUBJECT_MAX } from "../../api/limits.js";
import type { Recipients, RecipientsPolicy } from "./recipients.js";
import { hasControlCharacters, type Report } from "./report.js";

/** Who a message goes to and what it carries. */
export interface Envelope {
  readonly to: Address | readonly Address[];
  readonly cc?: Address | readonly Address[] | undefined;
  readonly bcc?: Address | readonly Address[] | undefined;
  readonly replyTo?: Address | undefined;
  /** The local part of the sender's address; an address of the environment's domain is cut. Default: the mailer's. */
  readonly from?: string | undefined;
  /** At most 25, and 10 MB together. */
  readonly attachments?: readonly Attachment[] | undefined;
}

/** How long a send may take. */
export interface Delivery {
  /** Ends the send. Once the request is on its way the outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the service to answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to wait at most for a turn, and between tries. Default: the mailer's. */
  readonly maxWait?: number | undefined;
}

export interface SendOptions extends Envelope, Delivery {
  /** Takes the place of the template's subject. May hold Mustache; at most 250 characters, filled and not. */
  readonly subject?: string | undefined;
}

/** A message without a template: a subject, and a text, an html or both. The service fills nothing in it. */
export type MessageOptions = Envelope &
  Delivery & { readonly subject: string } & (
    | { readonly text: string; readonly html?: string | undefined }
    | { readonly html: string; readonly text?: string | undefined }
  );

/** Whom messages come from. */
export interface Sender {
  /** The environment's domain. */
  readonly domain: string;
  readonly from?: string | undefined;
  /** Where the environment says who may get mail. */
  readonly recipients?: RecipientsPolicy | undefined;
}

/** The fields that a message has with a template or without. */
export async function readEnvelope(envelope: Envelope, sender: Sender, report: Report): Promise<OutboundEmail> {
  const { to, cc, bcc, replyTo, attachments } = envelope;
  const { recipients } = sender;
  if (to === undefined || to === null || (Array.isArray(to) && to.length === 0))
    report("to", "is missing: a message has at least one recipient");
  const from = readFrom(envelope.from ?? sender.from, sender.domain, report);
  const replyAddress = replyTo === undefined ? undefined : readAddress(replyTo, "replyTo", report);
  const meant: Recipients = {
    to: to === undefined || to === null ? [] : readAddresses(to, "to", report, recipients?.check),
    ...(cc === undefined ? {} : { cc: readAddresses(cc, "cc", report, recipients?.check) }),
    ...(bcc === undefined ? {} : { bcc: readAddresses(bcc, "bcc", report, recipients?.check) }),
  };
  return {
    from: from ?? "",
    ...(recipients === undefined ? meant : recipients.redirect(meant)),
    ...(replyAddress === undefined ? {} : { reply_to: replyAddress }),
    ...(attachments === undefined ? {} : { attachments: await readAttachments(attachments, report) }),
  };
}

/** Reports a subject that is no header line, or a longer one than the service stores for a template. */
export function checkSubject(subject: string, report: Report): void {
  if (typeof subject !== "string") return report("subject", "is not a text");
  if (subject.trim() === "") return report("subject", "is empty");
  if (hasControlCharacters(subject, "subject", report)) return;
  if (subject.length > SUBJECT_MAX)
    report("subject", `has ${subject.length} characters; the service takes ${SUBJECT_MAX}`);
}
