import { type Backoff, backoff } from "../../api/calls/timing.js";
import { InDoubtError, UnknownOutcomeError } from "../errors.js";
import type { CourierOptions } from "./courier.js";
import { factsOf } from "../events.js";
import { type LookOptions, findInLog, knownRequest, type NotFound, type ExpectedEntry } from "./lookup.js";
import type { Waits } from "./dispatch.js";
import { correlationOf, type CourierContext, keepAlive, LEASE_MS, type Traces, tracesOf } from "./context.js";
import type { Parcel, Sent } from "../parcel.js";
import { sleep } from "../clock.js";
import type { LedgerEntry } from "../store/ledger.js";

/** Implements `Courier.reconcile`. */
export async function reconcile(
  parcel: Parcel,
  { closing, decided }: Pick<CourierOptions, "closing" | "decided">,
  context: CourierContext,
): Promise<Sent | "never sent" | "unknown"> {
  const { ledger, logDelayMs } = context;
  const { id } = parcel;
  closing.throwIfAborted();
  const finding = await ledger.find(id);
  if (finding === undefined) return "never sent";
  if (finding.state === "accepted") {
    await decided?.(finding.sent);
    return finding.sent;
  }
  const entry = knownRequest(finding.entry, context);
  await ledger.keepAlive(id, LEASE_MS);
  const { wanted } = tracesOf(parcel, context);
  const found = await conclude(entry, { wanted, signal: closing }, context, async (result) =>
    decided?.(
      typeof result === "object" ? result : unknownOutcome(id, entry.startedAt, { found: result, forMs: logDelayMs }),
    ),
  );
  if (typeof found === "object") {
    context.publish({ type: "reconciled", ...factsOf(parcel), messageId: found.messageId });
    return found;
  }
  if (parcel.onUnknown === "park") context.publish({ type: "parked", ...factsOf(parcel) });
  return "unknown";
}

interface Conclusion extends LookOptions {
  readonly wanted: ExpectedEntry;
}

/**
 * Looks up an entry on behalf of its process, and ends it.
 *
 * @param decide Called with the result before the entry ends.
 */
async function conclude(
  entry: ReturnType<typeof knownRequest>,
  { wanted, ...options }: Conclusion,
  context: CourierContext,
  decide: (found: Sent | NotFound) => Promise<void> | undefined,
): Promise<Sent | NotFound> {
  const { ledger, clock } = context;
  const { id } = entry;
  const endedAt = Math.min(entry.aliveUntil, clock.time());
  const stop = keepAlive(ledger, id, clock);
  try {
    const found = await findInLog(
      { wanted, correlation: correlationOf(id, context), entry, endedAt },
      options,
      context,
    );
    await decide(found);
    await ledger.end(id, typeof found === "object" ? found : "undecided");
    return found;
  } catch (error) {
    // Restore it: otherwise each interrupted lookup would postpone the moment at which the log must show it.
    await ledger.keepAlive(id, endedAt - clock.time());
    throw error;
  } finally {
    stop();
  }
}

function unknownOutcome(id: string, startedAt: number, search: LogSearch): UnknownOutcomeError {
  const { reason, ...where } = unfound("an earlier attempt ended without an answer", search);
  return new UnknownOutcomeError(reason, { cause: undefined, id, since: new Date(startedAt), ...where });
}

/** Between looks at what another call or process is sending. */
export const LOOK_PAUSE: Backoff = { firstMs: 50, longestMs: 1000 };

/**
 * Waits until an identical parcel is decided. If its process is gone, it is looked up, so that it does not block others
 * forever.
 *
 * @throws {InDoubtError} It is not decided in time.
 * @throws {SendError} The waiting has to end.
 */
export async function waitForIdentical(
  { id }: LedgerEntry,
  { wanted }: Traces,
  waits: Waits,
  context: CourierContext,
): Promise<void> {
  const { ledger, clock, logDelayMs, twins } = context;
  const { signal } = waits;
  for (let looks = 1; ; looks += 1) {
    const finding = await ledger.find(id);
    if (finding?.state !== "open") return;
    const entry = knownRequest(finding.entry, context);
    if (entry.aliveUntil <= clock.time() && (await ledger.adopt(id, LEASE_MS)))
      return void (await conclude(
        entry,
        { wanted, until: clock.time() + waits.leftMs, signal },
        context,
        async (found) => {
          const isEarly = typeof found === "string" && clock.time() < entry.aliveUntil + logDelayMs;
          if (isEarly) throw new InDoubtError(id);
        },
      ));
    const left = waits.leftMs;
    if (left === 0) throw new InDoubtError(id);
    const waited = sleep(clock, Math.min(backoff(looks, LOOK_PAUSE), left), signal).catch(() => undefined);
    await (twins.decided(id) === undefined ? waited : Promise.race([waited, twins.decided(id)]));
    waits.check();
  }
}

export interface LogSearch {
  readonly found: NotFound;
  readonly forMs: number;
}

/** Why the outcome of a message is unknown, and where it was searched for. */
export function unfound(reason: string, { found, forMs }: LogSearch): { reason: string; lookedIn?: string } {
  if (found === "no log") return { reason: `${reason}; there is no delivery log to look it up in` };
  if (found === "not read") return { reason: `${reason}; the delivery log could not be read` };
  return { reason, lookedIn: `the delivery log, which was searched for ${Math.ceil(forMs / 1000)} s` };
}
