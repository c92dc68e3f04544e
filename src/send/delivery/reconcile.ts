import { UnknownOutcomeError } from "../errors.js";
import type { CourierOptions } from "./courier.js";
import { keepAlive, LEASE_MS } from "./lease.js";
import { lookUp } from "./lookup.js";
import { type CourierContext, tracesOf } from "./context.js";
import { correlationOf } from "./correlation.js";
import type { Parcel, Sent } from "./parcel.js";

/** As `Courier.reconcile` says. */
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
    await decided?.(found ?? unknownOutcome(id, entry.startedAt, lookup.logDelayMs));
    await ledger.end(id, found ?? "undecided", clock.time());
    return found ?? "unknown";
  } catch (error) {
    // As before: else each look that has to end early would put off the moment at which the log has to show it.
    await ledger.keepAlive(id, endedAt);
    throw error;
  } finally {
    stop();
  }
}

function unknownOutcome(id: string, startedAt: number, logDelayMs: number): UnknownOutcomeError {
  return new UnknownOutcomeError("its process ended while it was being sent", {
    cause: undefined,
    id,
    since: new Date(startedAt),
    lookedIn: lookedIn(logDelayMs),
  });
}

export function lookedIn(milliseconds: number): string {
  return `the delivery log, which was asked for ${Math.ceil(milliseconds / 1000)} s`;
}
