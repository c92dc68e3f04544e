/** Why an address gets no more mail. */
export interface Suppression {
  /** In lower case. */
  readonly email: string;
  /** In words, without addresses: `hard-bounced (no such mailbox)`. */
  readonly reason: string;
  /** Milliseconds since 1970; for a bounce, when it happened by the service's clock. */
  readonly since: number;
  /** The id of the bounce's event; absent for what somebody added. */
  readonly event?: string;
}

/**
 * Addresses that get no more mail, in clear: somebody has to be able to look at them. Case does not matter.
 * `suppressionCases` of `lettershop/testing` says whether a store keeps to this.
 */
export interface SuppressionStore {
  /** Those of the addresses that are suppressed. */
  find(emails: readonly string[]): Promise<readonly Suppression[]>;
  /**
   * Adds; a newer bounce takes an older one's place. What somebody adds, without an event, always counts; a bounce only
   * where it is later than what the address was added for last, be it removed since or not, or another one of the same
   * moment. True where the address was not suppressed before and is now.
   */
  add(suppression: Suppression): Promise<boolean>;
  /** Takes an address out, for good: what it was added for does not bring it back. False where it was not there. */
  remove(email: string): Promise<boolean>;
  /** The latest first. */
  list(): Promise<readonly Suppression[]>;
}
