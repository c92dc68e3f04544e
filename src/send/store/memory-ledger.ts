import type { Clock } from "../clock.js";
import { Latest } from "../../cache/latest.js";
import type { Ledger, LedgerEntry } from "./ledger.js";
import type { Sent } from "../parcel.js";

interface Request extends LedgerEntry {
  readonly undecided: boolean;
  /** How many requests may have arrived, not counting the one that was answered. */
  readonly requests: number;
}

/** How many messages and undecided requests are remembered: those of several hours, at any pace that a service allows. */
const REMEMBERED = 10_000;

const ledgers = new WeakMap<Clock, Ledger>();

/** The ledger shared by all mailers of this process that have no store and use the same clock. */
export function processLedger(clock: Clock): Ledger {
  const ledger = ledgers.get(clock) ?? memoryLedger();
  ledgers.set(clock, ledger);
  return ledger;
}

/** A ledger that lives as long as the process. */
export function memoryLedger(): Ledger {
  const requests = new Map<string, Request>();
  /** The parcels that messages belong to, by message id. */
  const mails = new Latest<string>(REMEMBERED);
  const mailsByParcel = new Latest<Sent>(REMEMBERED);

  const open = (id: string) => {
    const request = requests.get(id);
    return request === undefined || request.undecided ? undefined : request;
  };

  function keepMail(id: string, sent: Sent): void {
    if (mails.get(sent.messageId) === undefined) mails.set(sent.messageId, id);
    mailsByParcel.set(id, sent);
  }

  return {
    async begin(entry) {
      for (const other of requests.values())
        if (other.fingerprint === entry.fingerprint && other.id !== entry.id && !other.undecided) return entryOf(other);
      const { startedAt, requests: before } = requests.get(entry.id) ?? { startedAt: entry.startedAt, requests: 0 };
      requests.set(entry.id, { undecided: false, requests: before + 1, ...entry, startedAt });
      return undefined;
    },
    async keepAlive(id, aliveUntil) {
      const request = open(id);
      if (request !== undefined) requests.set(id, { ...request, aliveUntil });
    },
    async adopt(id, now, aliveUntil) {
      const request = open(id);
      if (request === undefined || request.aliveUntil > now) return false;
      requests.set(id, { ...request, aliveUntil });
      return true;
    },
    async end(id, how, now) {
      const request = requests.get(id);
      requests.delete(id);
      if (typeof how === "object") keepMail(id, how);
      const left = (request?.requests ?? 0) - (typeof how === "object" ? 1 : 0);
      if (request === undefined || left <= 0 || how === "not sent") return;
      requests.set(id, { ...request, undecided: true, aliveUntil: now, requests: left });
      const [oldest] = requests.size > REMEMBERED ? requests.values() : [];
      if (oldest !== undefined && oldest.aliveUntil <= now) requests.delete(oldest.id);
    },
    async find(id) {
      const sent = mailsByParcel.get(id);
      if (sent !== undefined) return { state: "accepted", sent };
      const request = requests.get(id);
      return request && { state: request.undecided ? "undecided" : "open", entry: entryOf(request) };
    },
    async claim({ id, likeness, candidates, rivalsSince }) {
      const own = candidates.find(({ messageId }) => mails.get(messageId) === id);
      if (own !== undefined) return own;
      const free = candidates.filter(({ messageId }) => mails.get(messageId) === undefined);
      const [first] = free;
      if (first === undefined) return "none";
      const rivals = [...requests.values()].filter(
        (other) => other.id !== id && other.likeness === likeness && other.aliveUntil >= rivalsSince,
      );
      const unanswered = rivals.reduce(
        (sum, other) => sum + other.requests - (!other.undecided && mailsByParcel.get(other.id) !== undefined ? 1 : 0),
        0,
      );
      if (free.length <= unanswered) return "ambiguous";
      keepMail(id, first);
      return first;
    },
  };
}

function entryOf({ id, fingerprint, likeness, startedAt, aliveUntil }: Request): LedgerEntry {
  return { id, fingerprint, likeness, startedAt, aliveUntil };
}
