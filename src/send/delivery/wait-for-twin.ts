import { sleep } from "../clock.js";
import { InDoubtError } from "../errors.js";
import { keepAlive, LEASE_MS } from "./lease.js";
import type { LedgerEntry } from "./ledger.js";
import { lookUp } from "./lookup.js";
import type { CourierContext, Traces } from "./context.js";
import { correlationOf } from "./correlation.js";
import type { Waits } from "./waits.js";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * Waits until an identical parcel is decided. If its process is gone, it is looked up, so that it does not block others
 * forever.
 *
 * @throws {InDoubtError} It is not decided in time.
 * @throws {SendError} The waiting has to end.
 */
export async function waitForTwin(
  { id }: LedgerEntry,
  traces: Traces,
  waits: Waits,
  context: CourierContext,
): Promise<void> {
  const { ledger, clock, twins } = context;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const finding = await ledger.find(id);
    if (finding?.state !== "open") return;
    const { entry } = finding;
    if (entry.aliveUntil <= clock.time() && (await ledger.adopt(id, clock.time(), clock.time() + LEASE_MS)))
      return decide(entry, traces, waits, context);
    const left = waits.deadline - clock.now();
    if (left <= 0) throw new InDoubtError(id);
    const waited = sleepUntil(Math.min(pause, left));
    await (twins.decided(id) === undefined ? waited : Promise.race([waited, twins.decided(id)]));
    waits.check();
  }

  async function sleepUntil(milliseconds: number): Promise<void> {
    await sleep(clock, milliseconds, waits.signal).catch(() => undefined);
  }
}

/** Looks up the identical parcel on behalf of its process. */
async function decide(entry: LedgerEntry, { wanted }: Traces, waits: Waits, context: CourierContext): Promise<void> {
  const { ledger, clock, lookup } = context;
  const { id, aliveUntil: endedAt } = entry;
  const stop = keepAlive(ledger, id, clock);
  try {
    const doubt = { wanted, correlation: correlationOf(id, context), entry, endedAt };
    const until = clock.time() + (waits.deadline - clock.now());
    const found = await lookUp(doubt, { until, signal: waits.signal }, lookup);
    const isFound = typeof found === "object";
    const tooEarly = !isFound && clock.time() < endedAt + lookup.logDelayMs;
    if (tooEarly) throw new InDoubtError(id);
    await ledger.end(id, isFound ? found : "undecided", clock.time());
  } catch (error) {
    // Restore it: otherwise each interrupted lookup would postpone the moment at which the log must show it.
    await ledger.keepAlive(id, endedAt);
    throw error;
  } finally {
    stop();
  }
}
