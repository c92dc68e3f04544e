import type { Clock } from "../clock.js";
import type { Ledger } from "./ledger.js";

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
