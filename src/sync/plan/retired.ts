import type { RemoteSummary } from "../remote.js";
import type { CreateOperation, Plan } from "./plan.js";
import type { PlanInput } from "./plan-input.js";
import type { Knowledge } from "./sides.js";

/** Names that this project applied and no longer has. */
export function retiredNames(
  summaries: ReadonlyMap<string, RemoteSummary>,
  { local, present, isInReach, isPrunable, markerText }: Omit<PlanInput, "remote">,
): string[] {
  const wanted = new Set(local.map(({ name }) => name));
  return [...summaries.values()]
    .filter(({ name, marker }) => {
      if (wanted.has(name) || present.has(name) || !isInReach(name)) return false;
      return isPrunable(name) || (markerText !== undefined && marker?.text === markerText);
    })
    .map(({ name }) => name)
    .sort();
}

/** New templates that have exactly the content of a retired one. */
export function proposeRenames(
  creates: readonly CreateOperation[],
  retired: readonly string[],
  { remote, entries }: Knowledge,
): Plan["proposals"] {
  const byHash = new Map(
    retired.map((name) => [remote.summaries.get(name)?.marker?.applied ?? entries.get(name)?.applied, name]),
  );
  return creates.flatMap(({ name: to, target, renamedFrom }) => {
    const from = byHash.get(target.hash);
    return from === undefined || renamedFrom !== undefined ? [] : [{ from, to }];
  });
}
