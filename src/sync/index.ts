export { type ApplyOptions, type ApplyResult, applyPlan, type FailedOperation } from "./apply.js";
export type { OnSyncEvent, SyncEvent } from "./events.js";
export { type Obstacle, PlanError } from "./obstacles.js";
export type { Wait } from "./patience.js";
export {
  type ChangeableField,
  type CreateOperation,
  createPlan,
  type FieldChange,
  type Operation,
  type Plan,
  type UpdateOperation,
} from "./plan.js";
export { readRemote, type ReadRemoteOptions, type RemoteState } from "./remote.js";
