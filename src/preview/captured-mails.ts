import {
  LISTED_MAILS,
  type MailDetail,
  type MailFolder,
  type MailSummary,
  type OtherService,
  type OwnService,
} from "./contract.js";
import { timeLimit } from "../time-limit.js";
import type { Variables } from "../mustache/variables.js";
import type { LocalMail, LocalMailbox, LocalMails, LocalRecipient, OpenedLocalMail } from "./local-mails.js";

/** The template and variables of a message that this preview has sent. The service does not know them. */
export interface SentFromPreview {
  readonly name: string;
  readonly variables: Variables;
}

/** Query of `GET /local/mails` for the newest messages of a folder, or for those before one, by its `seq`. */
export function newestQuery(folder: MailFolder, before: number | undefined): string {
  return `folder=${folder}&newest=${LISTED_MAILS}${before === undefined ? "" : `&before=${before}`}`;
}

/** From worst to best. */
const statuses = ["REFUSED", "BOUNCED", "HARD-BOUNCE", "SOFT-BOUNCE", "QUEUED", "DELIVERED"] as const;

/** Converts a captured message for the list on the page. */
export function toMailSummary(mail: LocalMail): MailSummary {
  const { id, seq, sentAt, from, subject, recipients, attachmentCount, receivedBy } = mail;
  return {
    id,
    folder: receivedBy === undefined ? "sent" : "forwarded",
    seq,
    sentAt: new Date(sentAt).toISOString(),
    from: written(from),
    to: recipients.map(written),
    subject,
    status: statuses.find((status) => recipients.some((recipient) => recipient.status === status)) ?? "QUEUED",
    attachmentCount,
    ...(receivedBy !== undefined && { receivedBy }),
  };
}

/** How much of a message's source to show. */
const SOURCE_MAX_BYTES = 500_000;

/**
 * Converts a captured message with all details that the page shows.
 *
 * @param origin.url The URL of the local service, which hosts the project's images.
 * @param origin.sourceUrl The URL of the message as a file, relative to the page.
 * @param origin.attachmentUrl The URL of the attachment with this index, relative to the page.
 */
export function detailOf(
  mail: OpenedLocalMail,
  source: ArrayBuffer,
  origin: {
    readonly sentHere?: SentFromPreview | undefined;
    readonly url: string;
    readonly sourceUrl: string;
    readonly attachmentUrl: (index: number) => string;
  },
): MailDetail {
  const { html, text, madeFrom } = mail;
  const template =
    madeFrom === undefined ? origin.sentHere : { name: madeFrom.template, variables: madeFrom.variables };
  return {
    ...toMailSummary(mail),
    to: mail.to.map(written),
    cc: mail.cc.map(written),
    bcc: mail.bcc.map(written),
    replyTo: mail.replyTo.map(written),
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    headers: mail.headers,
    source: readable(source),
    sourceUrl: origin.sourceUrl,
    attachments: mail.attachments.map((file, index) => ({ ...file, url: origin.attachmentUrl(index) })),
    recipients: mail.recipients.map((recipient) => courseOf(recipient, mail.receivedAs)),
    ...(template && { template }),
    assetsBase: `${origin.url}/assets`,
  };
}

function courseOf(
  { email, logId, status, events }: LocalRecipient,
  receivedAs = logId,
): MailDetail["recipients"][number] {
  return {
    email,
    logId: receivedAs,
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

function readable(source: ArrayBuffer): string {
  const text = new TextDecoder().decode(source.slice(0, SOURCE_MAX_BYTES));
  if (source.byteLength <= SOURCE_MAX_BYTES) return text;
  return `${text.slice(0, text.lastIndexOf("\n") + 1)}\n… and ${source.byteLength - SOURCE_MAX_BYTES} more bytes.\n`;
}

/** How long the service may hold a request until the next message arrives, in ms. */
const WAIT_MS = 20_000;
/** The same while a message's delivery is pending. */
const SHORT_WAIT_MS = 1_000;
/** Pause between attempts to reach the service, in ms. */
const PAUSE_MS = 400;
/** Timeout in ms of requests that don't wait: after thousands of emails at once, the service takes two seconds. */
const TIMEOUT_MS = 5_000;
/** How many of the newest messages to follow for status changes. */
const FOLLOWED = 50;

export interface MailListener {
  mail(mail: MailSummary): void;
  /** Emails were deleted, by anyone. */
  deleted(): void;
  /** The service responds, or it does not. */
  reachable(service: OwnService | undefined, other?: OtherService): void;
}

interface FollowOptions {
  /** Requests `GET /local/mails` from the local service at its current URL. */
  readonly read: (query: string, signal: AbortSignal) => Promise<LocalMails>;
  /** Describes the service at its current URL. */
  readonly identify: (signal: AbortSignal) => Promise<OwnService>;
  /** The other project's service that an error of `read` is about. */
  readonly otherService?: (error: unknown) => OtherService | undefined;
  readonly listener: MailListener;
  /** Stops following. */
  readonly signal: AbortSignal;
}

/** Reports new messages, status changes, deletions, and whether the service is reachable. */
export async function followMails({ read, identify, otherService, listener, signal }: FollowOptions): Promise<void> {
  let isReachable: boolean | undefined;
  let otherProject: string | undefined;
  let seen: number | undefined;
  let deletions = 0;
  /** The events so far of messages whose delivery is pending, by ID. */
  let pending = new Map<string, string>();

  const report = (service: OwnService | undefined, other?: OtherService) => {
    const isReachableNow = service !== undefined;
    if (isReachableNow !== isReachable || other?.project !== otherProject) listener.reachable(service, other);
    isReachable = isReachableNow;
    otherProject = other?.project;
  };
  const within = (ms: number) => timeLimit(ms, signal);
  /** Only what is sent can be pending: forwarded emails are captured when they are delivered. */
  const readNewest = () => read(`folder=sent&newest=${FOLLOWED}`, within(TIMEOUT_MS));
  const refreshPending = async () => {
    const { mails } = await readNewest();
    for (const mail of mails) {
      const before = pending.get(mail.id);
      if (before !== undefined && before !== eventCounts(mail)) listener.mail(toMailSummary(mail));
    }
    pending = pendingIn(mails);
  };

  while (!signal.aborted) {
    try {
      if (isReachable !== true) {
        const service = await identify(within(TIMEOUT_MS));
        const { mails, last, ...now } = await readNewest();
        // A lower number than before means that the service has new data.
        if (seen === undefined || last < seen) seen = last;
        deletions = now.deletions;
        pending = pendingIn(mails);
        report(service);
      }
      const wait = pending.size > 0 ? SHORT_WAIT_MS : WAIT_MS;
      const query = `folder=all&after=${seen}&deletions=${deletions}&wait=${wait}`;
      const { mails, ...now } = await read(query, within(wait + TIMEOUT_MS));
      for (const mail of mails) listener.mail(toMailSummary(mail));
      if (now.deletions !== deletions) listener.deleted();
      deletions = now.deletions;
      seen = mails.at(-1)?.seq ?? seen;
      if (pending.size > 0) await refreshPending();
      for (const [id, course] of pendingIn(mails)) pending.set(id, course);
    } catch (error) {
      if (signal.aborted) return;
      report(undefined, otherService?.(error));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

function pendingIn(mails: readonly LocalMail[]): Map<string, string> {
  const waiting = mails.filter(({ recipients }) =>
    recipients.some(({ status }) => status === "QUEUED" || status === "SOFT-BOUNCE"),
  );
  return new Map(waiting.map((mail) => [mail.id, eventCounts(mail)]));
}

/** The message's events so far, as a string to compare. */
function eventCounts({ recipients }: LocalMail): string {
  return recipients.map(({ events }) => events.length).join();
}
