/** Why an address gets no more mail. */
export interface Suppression {
  /** In lower case. */
  readonly email: string;
  /** A phrase without addresses: `hard-bounced (no such mailbox)`. */
  readonly reason: string;
  /** Milliseconds since 1970; for a bounce, when it happened by the service's clock. */
  readonly since: number;
  /** The id of the bounce's event; absent for manual additions. */
  readonly event?: string;
}

/**
 * Addresses that get no more mail. They are stored in clear, because people need to look at them. Case does not matter.
 * `suppressionCases` from `lettershop/testing` verifies an implementation.
 */
export interface SuppressionStore {
  /** The suppressed ones among the addresses. */
  find(emails: readonly string[]): Promise<readonly Suppression[]>;
  /**
   * Adds a suppression; a newer bounce replaces an older one. A manual addition, without an event, always counts. A
   * bounce counts only if it is later than the last reason for this address, removed or not, or a different event of
   * the same time. Returns true if the address was not suppressed before and is now.
   */
  add(suppression: Suppression): Promise<boolean>;
  /** Removes an address permanently: the same bounce does not add it again. Returns false if it was not suppressed. */
  remove(email: string): Promise<boolean>;
  /** The latest first. */
  list(): Promise<readonly Suppression[]>;
}
