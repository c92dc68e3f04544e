import type { LogStatus } from "../../api/contract/v4/logs.js";

/** The bits by which an entry's row says which statuses its events have. Kept in databases: none ever changes. */
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
