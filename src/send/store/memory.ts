import type { Clock } from "../clock.js";
import { processLedger } from "./memory-ledger.js";
import { processPace } from "./memory-pace.js";
import type { MailStore, Suppression, SuppressionStore } from "./store.js";

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

/** Suppressions for the mailers of one process, forgotten when it ends. */
export function memorySuppressions(): SuppressionStore {
  /** Includes removed ones, so that the same bounce does not add them again. */
  const entries = new Map<string, { readonly suppression: Suppression; readonly removed: boolean }>();
  const active = () => [...entries.values()].filter(({ removed }) => !removed).map(({ suppression }) => suppression);
  return {
    find: async (emails) => {
      const wanted = new Set(emails.map((email) => email.toLowerCase()));
      return active().filter(({ email }) => wanted.has(email));
    },
    async add(input) {
      const suppression = { ...input, email: input.email.toLowerCase() };
      const before = entries.get(suppression.email);
      if (before !== undefined && !isNewer(suppression, before.suppression)) return false;
      entries.set(suppression.email, { suppression, removed: false });
      return before?.removed ?? true;
    },
    async remove(email) {
      const before = entries.get(email.toLowerCase());
      if (before === undefined || before.removed) return false;
      entries.set(email.toLowerCase(), { ...before, removed: true });
      return true;
    },
    list: async () => active().toSorted((a, b) => b.since - a.since || (a.email < b.email ? -1 : 1)),
  };
}

/** Manual additions always count. Bounces of the same second are distinguished by their events. */
function isNewer({ since, event }: Suppression, than: Suppression): boolean {
  return event === undefined || since > than.since || (since === than.since && event !== than.event);
}
