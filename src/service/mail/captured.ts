import { readDestination } from "../../api/local.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { ServiceContext } from "../context.js";
import { HOSTNAME } from "../delivery/deliveries.js";
import { timeOfLogId } from "../ids.js";
import type { LogEntryRecord, Mailbox } from "../store/log-rows.js";
import type { DkimSigner } from "../dns/dkim.js";
import { composeSource, readDraft } from "../outbound/draft.js";
import type { TemplateUse } from "../outbound/message.js";
import type { ParsedEmail } from "./mail-reader.js";
import type { ForwardedRecord, MailRecord, MailScope } from "../store/mails.js";

/** An email that was sent to the service or forwarded by it, as its log knows it. `from` is the envelope's sender. */
export interface CapturedMail {
  /** The log id of its first recipient. */
  readonly id: string;
  /** The value for `before` to list older emails. */
  readonly seq: number;
  readonly messageId: string;
  /** Milliseconds since 1970, by the service's clock. */
  readonly sentAt: number;
  readonly from: Mailbox;
  readonly subject: string;
  /** All recipients, including bcc. */
  readonly recipients: readonly Recipient[];
  /** Number of attachments, without images that the HTML embeds by content id. */
  readonly attachmentCount: number;
  /** Of a forwarded email: the address at the domain that received it. */
  readonly receivedBy?: string;
  /** Of a forwarded email: the id of the log entry that it was received with. */
  readonly receivedAs?: string;
}

export interface Recipient extends Mailbox {
  /** Id of the recipient's log entry; of a forwarded email, the email's own. */
  readonly logId: string;
  /** The latest status. */
  readonly status: LogStatus;
  readonly events: LogEntryRecord["events"];
}

/** A captured email with its content, parsed from its source. `from` is the sender that its recipients see. */
export interface OpenedMail extends CapturedMail {
  /** In RFC 5322 format. */
  readonly source: Uint8Array;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /** Recipients that are not named in the source; of a sent email only. */
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** In order, with names as written. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Without trailing white space, which may have been added by the source. The same applies to `text`. */
  readonly html?: string;
  readonly text?: string;
  readonly attachments: readonly CapturedAttachment[];
  /** Undefined if the request contained the content itself. */
  readonly madeFrom?: TemplateUse;
}

export interface CapturedAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** The id in `cid:` URLs, without angle brackets. */
  readonly contentId?: string;
  readonly content: Uint8Array;
}

/**
 * The emails that were sent to the service (folder `sent`, the default) or forwarded by it (`forwarded`).
 *
 * @example
 * const [newest] = service.mail.list();
 * const mail = newest && (await service.mail.open(newest.id));
 * mail?.html;
 */
export interface CapturedMails {
  /** The newest emails of a folder or of both, or those older than one; newest first. */
  list(options?: { readonly folder?: MailScope; readonly limit?: number; readonly before?: number }): CapturedMail[];
  /**
   * The emails after one (0 for all) of a folder or of both, for all recipients or for one address, case-insensitive;
   * oldest first, at most 100.
   */
  after(seq: number, to?: string, folder?: MailScope): CapturedMail[];
  /** Waits until an email arrives or is deleted. False if the signal aborted or the service is closing. */
  next(signal: AbortSignal): Promise<boolean>;
  /** The number of the newest email, for `after`; 0 if there is none. */
  lastSeq(): number;
  /** Number of emails in a folder, default `sent`, or in both. */
  total(folder?: MailScope): number;
  /** An email with its content, by the log id of any of its recipients. */
  open(logId: string): Promise<OpenedMail | undefined>;
  /**
   * Deletes an email with its files, by the log id of any of its recipients. False if there is none. Its log entries
   * stay, because applications query the log.
   */
  delete(logId: string): Promise<boolean>;
  /** Deletes all emails, or those of a folder, and returns their number. */
  deleteAll(folder?: MailScope): Promise<number>;
  /** Number of deletions since the service started. */
  deletions(): number;
}

/** Who tells senders that a delivery failed, and the subject of these emails. */
export const NOTICE_SENDER = { email: `mailer-daemon@${HOSTNAME}`, name: "Mail Delivery System" };
export const NOTICE_SUBJECT = "Undelivered mail returned to sender";

/** @param id The notice's log id. */
export function noticeMessageId(id: string): string {
  return `<${id}@${HOSTNAME}>`;
}

const PAGE = 50;
const PAGE_AFTER = 100;

export function capturedMails({
  store: { mails, logs, write },
  filing,
  reader,
  signer,
}: Pick<ServiceContext, "store" | "filing" | "reader" | "signer">): CapturedMails {
  function summary(seq: number): CapturedMail | undefined {
    const forward = mails.forwardOf(seq);
    if (forward) return forwardSummary(seq, forward);
    const entries = logs.ofMail(seq);
    const [first] = entries;
    if (!first) return undefined;
    const { id, messageId, createdAt, sender, subject } = first;
    const recipients = entries.map(recipient);
    const attachmentCount = mails.attachmentsOf(seq);
    return { id, seq, messageId, sentAt: createdAt, from: sender, subject, recipients, attachmentCount };
  }

  function forwardSummary(seq: number, forward: ForwardedRecord): CapturedMail | undefined {
    const { id, entryId, destination, isNotice } = forward;
    const entry = logs.findUnshown(entryId);
    if (!entry) return undefined;
    const { messageId, createdAt, sender, subject, recipient: receiver } = entry;
    // Events of an entry with several destinations name theirs.
    const events = entry.events.filter(({ message }) => [undefined, destination].includes(readDestination(message)));
    return {
      id,
      seq,
      ...(isNotice
        ? { messageId: noticeMessageId(id), sentAt: timeOfLogId(id), from: NOTICE_SENDER, subject: NOTICE_SUBJECT }
        : { messageId, sentAt: createdAt, from: sender, subject }),
      recipients: [{ email: destination, name: null, logId: id, status: "DELIVERED", events: isNotice ? [] : events }],
      attachmentCount: mails.attachmentsOf(seq),
      receivedBy: receiver.email,
      receivedAs: entryId,
    };
  }

  return {
    list: ({ folder = "sent", limit = PAGE, before } = {}) =>
      mails.newest(folder, limit, before).flatMap((seq) => summary(seq) ?? []),
    after: (seq, to, folder = "sent") =>
      mails.after(folder, seq, to, PAGE_AFTER).flatMap((next) => summary(next) ?? []),
    next: (signal) => filing.nextChange(signal),
    lastSeq: () => mails.lastSeq(),
    total: (folder = "sent") => mails.total(folder),
    async open(logId) {
      await filing.settled();
      const mail = mails.findByLogId(logId);
      const known = mail && summary(mail.seq);
      if (!known) return undefined;
      const source = await sourceOf(mail, signer);
      const email = await reader.readAccepted(source);
      // The log has the envelope's sender.
      const from = email.from ?? known.from;
      // As stored when the email arrived.
      const madeFrom: TemplateUse | undefined = mail.template === null ? undefined : JSON.parse(mail.template);
      return { ...known, from, ...contentOf(source, email, known), ...(madeFrom && { madeFrom }) };
    },
    async delete(logId) {
      const files = await write(() => {
        const mail = mails.findByLogId(logId);
        return mail && mails.delete(mail.seq, mail.seq, "all");
      });
      if (files === undefined) return false;
      await filing.forget(files);
      return true;
    },
    async deleteAll(folder = "all") {
      const { total, files } = await write(() => ({
        total: mails.total(folder),
        files: mails.delete(0, mails.lastSeq(), folder),
      }));
      await filing.forget(files);
      return total;
    },
    deletions: () => filing.deletions,
  };
}

/** Composes the email now if that has not happened yet. */
async function sourceOf({ source, draft }: MailRecord, signer: DkimSigner): Promise<Uint8Array> {
  return draft === null ? source : await composeSource(readDraft(draft), signer);
}

function recipient({ id, recipient: mailbox, events }: LogEntryRecord): Recipient {
  return { ...mailbox, logId: id, status: events.at(-1)?.status ?? "QUEUED", events };
}

function contentOf(
  source: Uint8Array,
  { to, cc, replyTo, headers, html, text, attachments }: ParsedEmail,
  { recipients, receivedBy }: CapturedMail,
): Omit<OpenedMail, keyof CapturedMail | "madeFrom"> {
  const named = new Set([...to, ...cc].map(({ email }) => email.toLowerCase()));
  return {
    source,
    to,
    cc,
    bcc: receivedBy === undefined ? recipients.filter(({ email }) => !named.has(email.toLowerCase())) : [],
    replyTo,
    headers,
    ...(html !== undefined && { html: html.trimEnd() }),
    ...(text !== undefined && { text: text.trimEnd() }),
    attachments,
  };
}
