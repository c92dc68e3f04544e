import type { LogStatus } from "../../api/contract/v4/logs.js";

/** Bits for the statuses of an entry's events. They are stored in databases, so they must never change. */
const bits: Readonly<Record<LogStatus, number>> = {
  QUEUED: 1,
  DELIVERED: 2,
  "SOFT-BOUNCE": 4,
  "HARD-BOUNCE": 8,
  BOUNCED: 16,
  REFUSED: 32,
};

export function statusBits(statuses: readonly LogStatus[]): number {
  return statuses.reduce((sum, status) => sum | bits[status], 0);
}
