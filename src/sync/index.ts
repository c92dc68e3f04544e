export { applyLeased, type LeasedResult, PlanStaleError } from "./apply/apply-plan.js";
export { applyPlan, type ApplyOptions, type ApplyResult, type Seen } from "./apply/apply-plan.js";
export type { Outcome } from "./apply/outcome.js";
export { openRun, type Run } from "./apply/run.js";
export { readWritten } from "./apply/journal.js";
export { type Content, contentHash, type LocalTemplate, pickContent } from "./content.js";
export { observeService, type OnSyncEvent, type ServiceObserver, type SyncEvent } from "./events.js";
export { environmentKey, type Lock, type LockEntry, parseLock, printLock } from "./lock.js";
export { updateEntries } from "./lock-update.js";
export { type Marker, readMarker, writeMarker } from "../text/marker.js";
export type { ContractChange as Breaking } from "../mustache/contract-changes.js";
export { createPlan, wantedBodies } from "./plan/create-plan.js";
export { type Obstacle, PlanError } from "./plan/obstacles.js";
export {
  type CreateOperation,
  type DeleteOperation,
  type FieldChange,
  type Held,
  type Operation,
  operationsOf,
  type Plan,
  type PlanChoices,
  type PlanInput,
  type RenameOperation,
  targetName,
  type UpdateOperation,
} from "./plan/plan.js";
export { parsePlanFile, type PlanFile, PlanFileError, type PlanOrigin, printPlanFile } from "./plan/plan-file.js";
export { type EndpointRequests, secondsFor } from "./plan/requests.js";
export { type Knowledge, standingOn } from "./plan/knowledge.js";
export {
  readRemote,
  readSummaries,
  readTemplate,
  type ReadOptions,
  type RemoteState,
  type RemoteSummary,
  type RemoteTemplate,
  remoteTemplate,
} from "./remote.js";
