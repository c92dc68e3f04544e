import type { Ledger } from "../delivery/ledger.js";
import type { OutboxStore } from "../outbox/store.js";
import type { PaceStore } from "../pace/store.js";
import type { SuppressionStore } from "../tracking/suppression-store.js";

/**
 * What a mailer keeps, behind interfaces that a store of one's own can have. `testMailStore` of `lettershop/testing` says
 * whether it keeps to them.
 */
export interface MailStore {
  readonly pace: PaceStore;
  readonly ledger: Ledger;
  readonly suppressions: SuppressionStore;
  /** Absent where nothing outlives the process. */
  readonly outbox?: OutboxStore;
  close(): Promise<void>;
}
