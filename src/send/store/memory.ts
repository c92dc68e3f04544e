import type { Clock } from "../clock.js";
import { processLedger } from "../delivery/memory-ledger.js";
import { processPace } from "../pace/memory-pace.js";
import { memorySuppressions } from "../tracking/memory-suppressions.js";
import type { MailStore } from "./store.js";

/**
 * The store of mailers without a file. All mailers of the process share pace and ledger; nothing outlives the process.
 */
export function memoryStore(clock: Clock): MailStore {
  return {
    pace: processPace(clock),
    ledger: processLedger(clock),
    suppressions: memorySuppressions(),
    close: async () => undefined,
  };
}
