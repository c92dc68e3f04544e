import { operationsOf, type Plan, targetName } from "../../sync/index.js";

const heldStates = {
  drifted: "edited on the service",
  conflict: "changed on both sides",
  unknown: "different, with no record of applying it",
  foreign: "managed elsewhere",
  breaking: "to update, but breaking",
  reused: "to update, but breaking",
  sourceDrifted: "edited in the source environment",
} as const;

/** Each template's state and its changed fields, by name. */
export function statesOf(plan: Plan, broken: readonly string[]): Map<string, readonly [string, readonly string[]]> {
  const states = new Map<string, readonly [string, readonly string[]]>();
  const set = (names: readonly string[], state: string) => {
    for (const name of names) states.set(name, [state, []]);
  };
  set(plan.unmanaged, "only on the service");
  set(plan.retired, "retired: --prune deletes it");
  set(plan.unchanged, "unchanged");
  set(broken, "does not compile");
  for (const operation of operationsOf(plan)) {
    const fields = "changes" in operation ? operation.changes.map(({ field }) => field) : [];
    if (operation.kind === "rename") states.set(operation.name, [`to rename: ${operation.to}`, fields]);
    else if (operation.kind === "update")
      states.set(operation.name, [fields.length === 0 ? "to mark" : "to update", fields]);
    else states.set(targetName(operation), [`to ${operation.kind}`, []]);
  }
  for (const { kind, name, changes, breaking = [] } of plan.held)
    states.set(name, [
      heldStates[kind],
      breaking.length > 0 ? breaking.map(({ variable }) => variable) : changes.map(({ field }) => field),
    ]);
  return states;
}
