import type { Sent } from "../parcel.js";

/**
 * A request that is about to be made, as other processes need to know it. Contains nothing personal: such parts are
 * hashed.
 */
export interface NewLedgerEntry {
  /** The parcel's id. */
  readonly id: string;
  /** Hash of everything that makes two messages the same. Two with the same one are never in progress at once. */
  readonly fingerprint: string;
  /**
   * Hash of what the delivery log shows of a message, or its Message-ID if that is known in advance: two with the same
   * one cannot be distinguished there.
   */
  readonly likeness: string;
}

/** A request of the ledger, as it is now by the store's clock. */
export interface LedgerEntry extends NewLedgerEntry {
  /** Milliseconds since its first request was made. */
  readonly ageMs: number;
  /** Milliseconds for which its process still counts as alive; below 0, since when it does not. */
  readonly aliveForMs: number;
}

/** What the ledger knows about a parcel. */
export type LedgerFinding =
  /** A request for it is in progress, or its outcome is not known yet. */
  | { readonly state: "open"; readonly entry: LedgerEntry }
  /** The outcome is unknown, and nothing searches for it any longer. */
  | { readonly state: "undecided"; readonly entry: LedgerEntry }
  | { readonly state: "accepted"; readonly sent: Sent };

/** How an entry ends: with its message; with no request that can have arrived; or with an unknown outcome. */
export type LedgerEnd = Sent | "not sent" | "undecided";

export interface LedgerClaim {
  /** The parcel's id. */
  readonly id: string;
  readonly likeness: string;
  /** Messages of the delivery log that may be the parcel's, the likeliest first. */
  readonly candidates: readonly Sent[];
  /**
   * Other parcels with the same likeness that had a request in progress within so many milliseconds may have a claim to
   * the same messages.
   */
  readonly rivalsWithinMs: number;
}

/**
 * Records requests, visible to everything that sends with the same key: in memory for one process, in the store's file
 * for the processes of a machine, or in a database for all machines. Every change is atomic, and durable when its promise
 * resolves. The store's own clock measures all times.
 */
export interface Ledger {
  /**
   * Notes that a request is about to be made, unless another parcel with the same fingerprint has an open entry: then
   * that entry is returned, and nothing is noted. If the parcel has an entry already, it is reopened and keeps its
   * age; the request counts as one more that may have arrived.
   *
   * @param aliveForMs Milliseconds for which its process counts as alive, unless that is extended.
   */
  begin(entry: NewLedgerEntry, aliveForMs: number): Promise<LedgerEntry | undefined>;
  /** Sets `aliveForMs` of an open entry; it may be negative. */
  keepAlive(id: string, aliveForMs: number): Promise<void>;
  /** Takes over an open entry whose process is gone. Returns false if the process is alive, or another was first. */
  adopt(id: string, aliveForMs: number): Promise<boolean>;
  /**
   * Ends the entry and frees its fingerprint. A message that it ends with belongs to the parcel from now on, unless it
   * belonged to another; the parcel's other requests may still have arrived, and stay rivals. If other requests for the
   * parcel have begun, `"not sent"` takes back only one, and the entry stays open for them.
   */
  end(id: string, how: LedgerEnd): Promise<void>;
  /** Undefined if no request for the parcel can have arrived. */
  find(id: string): Promise<LedgerFinding | undefined>;
  /**
   * Assigns the first unclaimed candidate to the parcel; a message belongs to one parcel only. While other parcels have
   * at least as many requests without a message as there are unclaimed candidates, the owner is unknown: `"ambiguous"`.
   * The entry itself stays open.
   */
  claim(claim: LedgerClaim): Promise<Sent | "none" | "ambiguous">;
}
