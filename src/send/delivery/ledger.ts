import type { Sent } from "./parcel.js";

/** A request that is about to leave, as another process needs to know it. Nothing in it is personal: what is, is hashed. */
export interface LedgerEntry {
  /** The parcel's. */
  readonly id: string;
  /** Hash of all that makes two messages the same. Two with the same one are never under way at once. */
  readonly fingerprint: string;
  /** Hash of what the delivery log shows of a message: two with the same one cannot be told apart there. */
  readonly likeness: string;
  /** When its first request left, by `clock.time()`. */
  readonly startedAt: number;
  /** Until when its process may be believed to be alive; it moves on until the entry ends. */
  readonly aliveUntil: number;
}

/** What the ledger knows of a parcel. */
export type LedgerFinding =
  /** A request of it is under way, or nobody knows yet whether one arrived. */
  | { readonly state: "open"; readonly entry: LedgerEntry }
  /** Nobody knows whether one arrived, and nobody looks for it any more. */
  | { readonly state: "undecided"; readonly entry: LedgerEntry }
  | { readonly state: "accepted"; readonly sent: Sent };

/** How an entry ends: with its mail; with no request that can have arrived; or without anybody knowing. */
export type LedgerEnd = Sent | "not sent" | "undecided";

export interface LedgerClaim {
  /** The parcel's. */
  readonly id: string;
  readonly likeness: string;
  /** Mails of the delivery log that may be the parcel's, the likeliest first. */
  readonly candidates: readonly Sent[];
  /** Others with the same likeness that had a request under way then or later may have a claim to the same mails. */
  readonly rivalsSince: number;
}

/**
 * What is known of requests that left, kept where all who send with the same key see it: in memory for one process, in
 * the store's file for those of a machine. Every change is one atomic step, and durable when its promise resolves.
 */
export interface Ledger {
  /**
   * Notes that a request is about to leave, unless another parcel with the same fingerprint has an open entry: then that
   * one is given, and nothing is noted. An entry that the parcel has already is opened again, and keeps its `startedAt`; the
   * request is one more of it that may have arrived.
   */
  begin(entry: LedgerEntry): Promise<LedgerEntry | undefined>;
  /** Moves `aliveUntil` of an open entry, on or back. */
  keepAlive(id: string, aliveUntil: number): Promise<void>;
  /** Takes over an open entry whose process is gone; false where it is not, or somebody else was first. */
  adopt(id: string, now: number, aliveUntil: number): Promise<boolean>;
  /**
   * Its fingerprint is free again. A mail that it ends with is its own from now on, if it was nobody's; others of its requests
   * may have arrived all the same, and stay rivals.
   */
  end(id: string, how: LedgerEnd, now: number): Promise<void>;
  /** Undefined where no request of the parcel can have arrived. */
  find(id: string): Promise<LedgerFinding | undefined>;
  /**
   * Gives the parcel the first of the candidates that is nobody's; a mail is the answer to one parcel only. As long as
   * there are at least as many requests of others without a mail as free candidates, nobody can say whose they are:
   * `"ambiguous"`. The entry itself stays open.
   */
  claim(claim: LedgerClaim, now: number): Promise<Sent | "none" | "ambiguous">;
}
