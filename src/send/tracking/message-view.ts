import type { StoredMessage } from "../store/outbox.js";
import type { TrackingContext } from "./context.js";
import type { DeliveryLog, LoggedMail } from "../delivery/delivery-log.js";
import { MessageNotFoundError } from "./errors.js";
import { type MessageStatus, statusOf } from "./message-status.js";
import { recipientsOf, bare } from "../parcel.js";

/** A message to look for, by either id. */
interface Sought {
  readonly logId?: string | undefined;
  readonly messageId?: string | undefined;
  /** The number of its entries; undefined if unknown. */
  readonly entries?: number | undefined;
}

/** The entries of one message are written together: if they are further apart than this, they belong to two. */
const APART_MS = 30_000;
/** Maximum entries to scan for a Message-ID, which the service cannot search for; repeated scans only read new ones. */
const SCAN_MAX = { first: 10_000, again: 200 } as const;

/** Finds all entries of a message, repeatedly. */
class MessageFinder {
  /** One of its entries, once one has been found. */
  #anchor: LoggedMail | undefined;
  #scanMax: number = SCAN_MAX.first;

  constructor(
    private readonly log: DeliveryLog,
    private readonly sought: Sought,
  ) {}

  /** Its current entries; empty if the log does not show any. */
  async find(signal?: AbortSignal): Promise<readonly LoggedMail[]> {
    const { logId, messageId = "", entries } = this.sought;
    if (this.#anchor === undefined || entries === 1) {
      const id = this.#anchor?.id ?? logId;
      this.#anchor = id === undefined ? await this.#scan(messageId, signal) : await this.log.get(id, signal);
    }
    const anchor = this.#anchor;
    if (anchor === undefined) return [];
    // Emails that were refused before their data have no Message-ID.
    if (entries === 1 || anchor.messageId === "") return [anchor];
    const byId = new Map([[anchor.id, anchor]]);
    const window = { sender: anchor.sender, from: anchor.at - APART_MS, until: anchor.at + APART_MS };
    for await (const mail of this.log.within(window, signal)) if (isOf(mail, anchor.messageId)) byId.set(mail.id, mail);
    return [...byId.values()].toSorted((a, b) => a.at - b.at || (a.recipient < b.recipient ? -1 : 1));
  }

  async #scan(messageId: string, signal?: AbortSignal): Promise<LoggedMail | undefined> {
    let seen = 0;
    for await (const mail of this.log.newest(signal)) {
      if (isOf(mail, messageId)) return mail;
      seen += 1;
      if (seen >= this.#scanMax) break;
    }
    this.#scanMax = SCAN_MAX.again;
    return undefined;
  }
}

function isOf(mail: LoggedMail, messageId: string): boolean {
  return bare(mail.messageId) === bare(messageId);
}

interface Accepted extends Sought {
  /** By `clock.time()`. */
  readonly acceptedAt?: number;
}

const LOG_ID = /^(\d+)\.[\da-f]+$/i;

/** A message as the outbox and the delivery log show it together. */
export class MessageView {
  #accepted: Accepted | undefined;
  #finder: MessageFinder | undefined;
  #outbox: StoredMessage | undefined;
  /** Recipients that the log did not show at the last look, but is expected to. */
  missing = 0;

  constructor(
    private readonly id: string,
    private readonly context: TrackingContext,
  ) {}

  /** Whether only the outbox had it at the last look. */
  get isUnsent(): boolean {
    return this.#outbox !== undefined && this.#accepted === undefined;
  }

  /**
   * @throws {MessageNotFoundError} Neither the outbox nor the log has it.
   * @throws {CallError} The log could not be read.
   */
  async look(signal?: AbortSignal): Promise<MessageStatus> {
    const { clock, logDelayMs, note, isCorrelation } = this.context;
    this.#accepted ??= await this.#resolve();
    const message = this.#outbox;
    if (this.#accepted === undefined) {
      if (message === undefined) throw new MessageNotFoundError(this.id);
      return unsent(message);
    }
    const { messageId, logId, entries = 0, acceptedAt } = this.#accepted;
    // A blind copy to us adds an entry, and the id may belong to it.
    const sought = isCorrelation === undefined ? this.#accepted : { messageId, logId };
    this.#finder ??= new MessageFinder(this.context.log, sought);
    const mails = (await this.#finder.find(signal)).filter(({ recipient }) => !isCorrelation?.(recipient));
    await note(mails);
    if (mails.length === 0 && acceptedAt === undefined) throw new MessageNotFoundError(this.id);
    const isLate = acceptedAt === undefined || clock.time() - acceptedAt > logDelayMs;
    const expected = isLate ? mails.length : Math.max(entries, mails.length);
    this.missing = expected - mails.length;
    return statusOf(mails, { id: this.id, messageId, outbox: message?.state, expected });
  }

  async #resolve(): Promise<Accepted | undefined> {
    const id = this.id;
    const { recent, clock, logDelayMs } = this.context;
    const recentSend = recent.find(id);
    if (recentSend !== undefined)
      return {
        logId: logIdOf(recentSend),
        messageId: recentSend.messageId,
        entries: recentSend.recipients,
        acceptedAt: recentSend.at,
      };
    const stored = await this.#inOutbox();
    if (stored?.sent !== undefined) {
      const { sent, changedAt, email } = stored;
      const entries = email === undefined ? {} : { entries: recipientsOf(email).length };
      return { logId: logIdOf(sent), messageId: sent.messageId, acceptedAt: changedAt, ...entries };
    }
    if (stored !== undefined) return undefined;
    if (id.includes("@")) return { messageId: id };
    if (!/^[\w.-]*\w$/.test(id)) return undefined;
    const time = timeOfLogId(id);
    const isFresh = time !== undefined && Math.abs(clock.time() - time) < 2 * logDelayMs;
    return { logId: id, ...(isFresh ? { acceptedAt: time } : {}) };
  }

  async #inOutbox(): Promise<StoredMessage | undefined> {
    const outbox = await this.context.outbox();
    if (outbox === undefined) return undefined;
    const { store, target } = outbox;
    const [listed] = await store.list(target, { sentId: this.id, limit: 1 });
    this.#outbox = await store.get(target, listed?.id ?? this.id);
    return this.#outbox;
  }
}

/** By SMTP, the server does not tell the log's ids. */
function logIdOf({ id, messageId }: { readonly id: string; readonly messageId: string }): string | undefined {
  return id === messageId ? undefined : id;
}

function unsent({ id, state, reason }: StoredMessage): MessageStatus {
  const meaning = `${state} in the outbox${reason === undefined ? "" : `: ${reason}`}`;
  return { id, state: "unsent", meaning, outbox: state, recipients: [] };
}

/** A log id begins with the digits of a timestamp (part 2): in seconds, milliseconds or microseconds. */
function timeOfLogId(id: string): number | undefined {
  const [, digits = ""] = LOG_ID.exec(id) ?? [];
  const toMs: Readonly<Record<number, number>> = { 10: 1000, 13: 1, 16: 0.001 };
  const factor = toMs[digits.length];
  return factor === undefined ? undefined : Number(digits) * factor;
}
