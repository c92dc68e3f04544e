import { UnknownOutcomeError } from "../errors.js";
import type { CourierOptions } from "./courier.js";
import { lookUp, type NotFound } from "./lookup.js";
import { correlationOf, type CourierContext, tracesOf } from "./context.js";
import type { Parcel, Sent } from "../parcel.js";
import type { Clock } from "../clock.js";
import type { Ledger } from "../store/ledger.js";

/** Implements `Courier.reconcile`. */
export async function reconcile(
  parcel: Parcel,
  { closing, decided }: Pick<CourierOptions, "closing" | "decided">,
  context: CourierContext,
): Promise<Sent | "never sent" | "unknown"> {
  const { ledger, clock, lookup } = context;
  const { id } = parcel;
  closing.throwIfAborted();
  const finding = await ledger.find(id);
  if (finding === undefined) return "never sent";
  if (finding.state === "accepted") {
    await decided?.(finding.sent);
    return finding.sent;
  }
  const { entry } = finding;
  await ledger.keepAlive(id, clock.time() + LEASE_MS);
  const stop = keepAlive(ledger, id, clock);
  const { wanted } = tracesOf(parcel, context);
  const endedAt = Math.min(entry.aliveUntil, clock.time());
  try {
    const doubt = { wanted, correlation: correlationOf(id, context), entry, endedAt };
    const found = await lookUp(doubt, { signal: closing }, lookup);
    const isFound = typeof found === "object";
    await decided?.(isFound ? found : unknownOutcome(id, entry.startedAt, { found, forMs: lookup.logDelayMs }));
    await ledger.end(id, isFound ? found : "undecided", clock.time());
    return isFound ? found : "unknown";
  } catch (error) {
    // Restore it: otherwise each interrupted lookup would postpone the moment at which the log must show it.
    await ledger.keepAlive(id, endedAt);
    throw error;
  } finally {
    stop();
  }
}

function unknownOutcome(id: string, startedAt: number, search: Search): UnknownOutcomeError {
  const { reason, ...where } = unfound("its process ended while it was being sent", search);
  return new UnknownOutcomeError(reason, { cause: undefined, id, since: new Date(startedAt), ...where });
}

/** How a message was searched for without success. */
export interface Search {
  readonly found: NotFound;
  readonly forMs: number;
}

/** Why the outcome of a message is unknown, and where it was searched for. */
export function unfound(reason: string, { found, forMs }: Search): { reason: string; lookedIn?: string } {
  if (found === "not read") return { reason: `${reason}; the delivery log could not be read` };
  return { reason, lookedIn: `the delivery log, which was searched for ${Math.ceil(forMs / 1000)} s` };
}

/** A process that has sent no heartbeat for this long counts as dead. */
export const LEASE_MS = 30_000;

/** Keeps an open entry of the ledger alive until the returned function is called. */
export function keepAlive(ledger: Ledger, id: string, clock: Clock): () => void {
  let stopped = false;
  let cancel = clock.after(LEASE_MS / 3, extend);
  function extend(): void {
    const go = () => void (cancel = stopped ? cancel : clock.after(LEASE_MS / 3, extend));
    // A failed write is tried again; at worst, another process looks the parcel up.
    ledger.keepAlive(id, clock.time() + LEASE_MS).then(go, go);
  }
  return () => {
    stopped = true;
    cancel();
  };
}
