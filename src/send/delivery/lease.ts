import type { Clock } from "../clock.js";
import type { Ledger } from "./ledger.js";

/** A process that has not said for so long that it is alive is taken for dead. */
export const LEASE_MS = 30_000;

/** Keeps an open entry of the ledger alive until it is told to stop. */
export function keepAlive(ledger: Ledger, id: string, clock: Clock): () => void {
  let stopped = false;
  let cancel = clock.after(LEASE_MS / 3, extend);
  function extend(): void {
    const go = () => void (cancel = stopped ? cancel : clock.after(LEASE_MS / 3, extend));
    // One that cannot be written now is tried again; the worst is that somebody else looks the parcel up.
    ledger.keepAlive(id, clock.time() + LEASE_MS).then(go, go);
  }
  return () => {
    stopped = true;
    cancel();
  };
}
