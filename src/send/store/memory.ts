import type { Clock } from "../clock.js";
import { processLedger } from "../delivery/memory-ledger.js";
import { processPace } from "../pace/memory-pace.js";
import { memorySuppressions } from "../tracking/memory-suppressions.js";
import type { MailStore } from "./store.js";

/** What mailers of a process keep where they have no store. Pace and ledger are one for all of them; nothing outlives the process. */
export function memoryStore(clock: Clock): MailStore {
  return {
    pace: processPace(clock),
    ledger: processLedger(clock),
    suppressions: memorySuppressions(),
    close: async () => undefined,
  };
}
