/** Why an address gets no more mail. */
export interface Suppression {
  /** In lower case. */
  readonly email: string;
  /** What the receiving server said, without addresses. */
  readonly reason: string;
  /** By `clock.time()`. */
  readonly since: number;
}

export interface SuppressionStore {
  /** Those of the addresses that are suppressed; case does not matter. */
  find(emails: readonly string[]): Promise<readonly Suppression[]>;
  /** Adds, or changes nothing where the address is there. */
  add(suppression: Suppression): Promise<void>;
  /** False where it was not there. */
  remove(email: string): Promise<boolean>;
  list(): Promise<readonly Suppression[]>;
}
