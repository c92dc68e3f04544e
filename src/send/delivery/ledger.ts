/** A request that is about to leave, as another process needs to know it. Nothing in it is personal: addresses are hashed. */
export interface LedgerEntry {
  /** The parcel's. */
  readonly id: string;
  /** Hash of all that makes two messages the same. Two with the same one are never under way at once. */
  readonly fingerprint: string;
  /** By `clock.time()`. */
  readonly startedAt: number;
  /** Until when its process may be believed to be alive; it moves on while the request is under way. */
  readonly aliveUntil: number;
}

/**
 * What is known of requests that left, kept where all who send with the same key see it: in memory for one process, in
 * the store's file for those of a machine.
 */
export interface Ledger {
  /**
   * Notes, in one atomic step and durably, that a request is about to leave, unless another with the same fingerprint is
   * undecided: then that one is given, and nothing is noted.
   */
  begin(entry: LedgerEntry): Promise<LedgerEntry | undefined>;
  /** Moves `aliveUntil` on. */
  keepAlive(id: string, aliveUntil: number): Promise<void>;
  /** What it became is known, or given up: the fingerprint is free again. */
  end(id: string): Promise<void>;
  /** The entry of a parcel that has not ended; undefined where no request of it can have left. */
  find(id: string): Promise<LedgerEntry | undefined>;
  /**
   * Claims a mail in the delivery log for a parcel, by its Message-ID. False where another parcel has it: a mail is the
   * answer to one request only.
   */
  claim(messageId: string, id: string, at: number): Promise<boolean>;
}
