import type { Ledger } from "../delivery/ledger.js";
import type { OutboxStore } from "../outbox/store.js";
import type { PaceStore } from "../pace/store.js";
import type { SuppressionStore } from "../tracking/suppression-store.js";

/**
 * Everything that a mailer stores, as interfaces that a custom store can implement. `testMailStore` from
 * `lettershop/testing` verifies an implementation.
 */
export interface MailStore {
  readonly pace: PaceStore;
  readonly ledger: Ledger;
  readonly suppressions: SuppressionStore;
  /** Absent if nothing outlives the process. */
  readonly outbox?: OutboxStore;
  close(): Promise<void>;
}
