export {
  applyLeased,
  applyPlan,
  type ApplyOptions,
  type ApplyResult,
  type LeasedResult,
  openRun,
  type Outcome,
  PlanStaleError,
  readWritten,
  type Run,
  type Seen,
} from "./apply/index.js";
export { type Content, contentHash, pickContent } from "./content.js";
export type { OnSyncEvent, SyncEvent } from "./events.js";
export type { LocalTemplate } from "./local.js";
export { environmentKey, type Lock, type LockEntry, parseLock, printLock } from "./lock.js";
export { updateEntries } from "./lock-update.js";
export { type Marker, readMarker, writeMarker } from "../text/marker.js";
export { observeService, type ServiceObserver } from "./observer.js";
export type { Breaking } from "./plan/breaking.js";
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
  type RenameOperation,
  targetName,
  type UpdateOperation,
} from "./plan/plan.js";
export { parsePlanFile, type PlanFile, PlanFileError, type PlanOrigin, printPlanFile } from "./plan/plan-file.js";
export type { PlanChoices, PlanInput } from "./plan/plan-input.js";
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
