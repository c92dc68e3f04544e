import type { DeliveryLog, LoggedMail } from "./delivery-log.js";
import { bare } from "./recent.js";

/** A message to look for, by either id. */
export interface Sought {
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
export class MessageFinder {
  readonly #log;
  readonly #sought;
  /** One of its entries, once one has been found. */
  #anchor: LoggedMail | undefined;
  #scanMax: number = SCAN_MAX.first;

  constructor(log: DeliveryLog, sought: Sought) {
    this.#log = log;
    this.#sought = sought;
  }

  /** Its current entries; empty if the log does not show any. */
  async find(signal?: AbortSignal): Promise<readonly LoggedMail[]> {
    const { logId, messageId = "", entries } = this.#sought;
    if (this.#anchor === undefined || entries === 1) {
      const id = this.#anchor?.id ?? logId;
      this.#anchor = id === undefined ? await this.#scan(messageId, signal) : await this.#log.get(id, signal);
    }
    const anchor = this.#anchor;
    if (anchor === undefined) return [];
    if (entries === 1) return [anchor];
    const byId = new Map([[anchor.id, anchor]]);
    const window = { sender: anchor.sender, from: anchor.at - APART_MS, until: anchor.at + APART_MS };
    for await (const mail of this.#log.within(window, signal))
      if (isOf(mail, anchor.messageId)) byId.set(mail.id, mail);
    return [...byId.values()].toSorted((a, b) => a.at - b.at || (a.recipient < b.recipient ? -1 : 1));
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
