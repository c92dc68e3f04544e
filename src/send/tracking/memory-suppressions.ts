import type { Suppression, SuppressionStore } from "./suppression-store.js";

/** For the mailers of one process, which forget when it ends. */
export function memorySuppressions(): SuppressionStore {
  /** Also what was removed: the bounce that it was added for is not to bring it back. */
  const kept = new Map<string, { readonly suppression: Suppression; readonly removed: boolean }>();
  const active = () => [...kept.values()].filter(({ removed }) => !removed).map(({ suppression }) => suppression);
  return {
    find: async (emails) => {
      const wanted = new Set(emails.map((email) => email.toLowerCase()));
      return active().filter(({ email }) => wanted.has(email));
    },
    async add(given) {
      const suppression = { ...given, email: given.email.toLowerCase() };
      const before = kept.get(suppression.email);
      if (before !== undefined && !isNewer(suppression, before.suppression)) return false;
      kept.set(suppression.email, { suppression, removed: false });
      return before?.removed ?? true;
    },
    async remove(email) {
      const before = kept.get(email.toLowerCase());
      if (before === undefined || before.removed) return false;
      kept.set(email.toLowerCase(), { ...before, removed: true });
      return true;
    },
    list: async () => active().toSorted((a, b) => b.since - a.since || (a.email < b.email ? -1 : 1)),
  };
}

/** What somebody adds always is. Bounces of the same second are known by their events. */
function isNewer({ since, event }: Suppression, than: Suppression): boolean {
  return event === undefined || since > than.since || (since === than.since && event !== than.event);
}
