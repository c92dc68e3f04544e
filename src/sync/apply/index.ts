export { applyLeased, type LeasedResult, PlanStaleError } from "./apply-leased.js";
export { applyPlan, type ApplyOptions, type ApplyResult, type Seen } from "./apply-plan.js";
export type { Outcome } from "./outcome.js";
export { openRun, type Run } from "./run.js";
export { RunHeldError, RunLostError } from "./run-lock.js";
export { readWritten } from "./written.js";
