import type { Outcome } from "./apply/outcome.js";
import type { LocalTemplate } from "./content.js";
import type { LockEntry } from "./lock.js";
import { readMarker } from "../text/marker.js";
import { type Plan, targetName } from "./plan/plan.js";
import { type Knowledge, standingOn } from "./plan/knowledge.js";

export interface LockUpdate extends Knowledge {
  readonly local: readonly LocalTemplate[];
  readonly plan: Plan;
  /** Empty if nothing was applied. */
  readonly outcomes: readonly Outcome[];
}

/**
 * The lock's entries after a run. Templates that were read are proven from now on; written ones must be seen again in a
 * later second. Templates that were left alone keep the entry of what was applied.
 */
export function updateEntries(update: LockUpdate): ReadonlyMap<string, LockEntry> {
  const { entries, remote, plan, outcomes, local } = update;
  const contracts = new Map(local.map(({ name, contract }) => [name, contract]));
  // Their entries still name what this project applied last.
  const restored = new Set(local.filter(({ backup }) => backup !== undefined).map(({ name }) => name));
  const next = new Map([...entries].filter(([name]) => remote.summaries.has(name)));
  for (const name of plan.unchanged) {
    const read = remote.templates.get(name);
    const standing = standingOn(name, update);
    if (read === undefined || standing === undefined || restored.has(name)) continue;
    const { hash: stored, updatedAt, seen } = read;
    const applied = standing.applied ?? stored;
    const { isUnmarked } = entries.get(name) ?? {};
    next.set(name, { updatedAt, applied, stored, seen, isUnmarked, contract: contracts.get(name) });
  }
  for (const outcome of outcomes) {
    if (outcome.result !== "applied" || restored.has(outcome.operation.name)) continue;
    const { operation, template, stored } = outcome;
    if (operation.kind !== "create") next.delete(operation.name);
    if (operation.kind === "delete" || template === undefined) continue;
    const name = targetName(operation);
    const { hash: applied, marker } = operation.target;
    const isMarked = marker === undefined || readMarker(template.description).marker !== undefined;
    next.set(name, {
      updatedAt: template.updated_at,
      applied,
      stored: stored ?? applied,
      isUnmarked: isMarked ? undefined : true,
      contract: contracts.get(name),
    });
  }
  return next;
}
