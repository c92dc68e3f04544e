import type { DeliveryLog, LoggedMail } from "./delivery-log.js";
import { bare } from "./recent.js";

/** A message to look for, by either id. */
export interface Sought {
  readonly logId?: string | undefined;
  readonly messageId?: string | undefined;
  /** How many entries it has; undefined where nobody knows. */
  readonly entries?: number | undefined;
}

/** The entries of one message are written as one: further apart than this they are of two. */
const APART_MS = 30_000;
/** So much of the log is looked through for a Message-ID, by which the service finds nothing; later only what is new. */
const SCAN_MAX = { first: 10_000, again: 200 } as const;

/** Finds all entries of a message, again and again. */
export class MessageFinder {
  readonly #log;
  readonly #sought;
  /** One of its entries, once one was found. */
  #anchor: LoggedMail | undefined;
  #scanMax: number = SCAN_MAX.first;

  constructor(log: DeliveryLog, sought: Sought) {
    this.#log = log;
    this.#sought = sought;
  }

  /** Its entries as they are now: none where the log does not show any. */
  async find(signal?: AbortSignal): Promise<readonly LoggedMail[]> {
    const { logId, messageId = "", entries } = this.#sought;
    if (this.#anchor === undefined || entries === 1) {
      const id = this.#anchor?.id ?? logId;
      this.#anchor = id === undefined ? await this.#scan(messageId, signal) : await this.#log.get(id, signal);
    }
    const anchor = this.#anchor;
    if (anchor === undefined) return [];
    if (entries === 1) return [anchor];
    const found = new Map([[anchor.id, anchor]]);
    const window = { sender: anchor.sender, from: anchor.at - APART_MS, until: anchor.at + APART_MS };
    for await (const mail of this.#log.within(window, signal))
      if (isOf(mail, anchor.messageId)) found.set(mail.id, mail);
    return [...found.values()].toSorted((a, b) => a.at - b.at || (a.recipient < b.recipient ? -1 : 1));
  }

  async #scan(messageId: string, signal?: AbortSignal): Promise<LoggedMail | undefined> {
    let seen = 0;
    for await (const mail of this.#log.newest(signal)) {
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
