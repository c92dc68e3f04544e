import type { LocalTemplate } from "../local.js";
import { provesStoring, type RemoteSummary } from "../remote.js";
import { decide, decideDelete, driftOfFormer, heldFor, sourceDriftOf, verdictOn } from "./decide.js";
import { findMoves, type Move } from "./moves.js";
import { findObstacles, repeatedNames } from "./obstacles.js";
import { inSteps } from "./order.js";
import type { CreateOperation, Held, Plan, RenameOperation, UpdateOperation } from "./plan.js";
import type { PlanInput } from "./plan-input.js";
import { requestsFor } from "./requests.js";
import { proposeRenames, retiredNames } from "./retired.js";
import { formerInUse } from "./reused.js";
import { standingOn, targetOf } from "./sides.js";

/**
 * The names whose bodies a plan needs: of templates that differ, or that are not proven to be unchanged.
 *
 * @example
 * const remote = await readRemote({ client, domain, wanted: (summaries) => wantedBodies(summaries, input) });
 */
export function wantedBodies(
  summaries: ReadonlyMap<string, RemoteSummary>,
  input: Omit<PlanInput, "remote">,
): Set<string> {
  const knowledge = { ...input, remote: { summaries, templates: new Map(), leases: [], askedAt: 0 } };
  const wanted = new Set<string>();
  for (const template of input.local) {
    const summary = summaries.get(template.name);
    const { renamedFrom } = template;
    if (summary === undefined) {
      if (renamedFrom !== undefined && summaries.has(renamedFrom) && standingOn(renamedFrom, knowledge) === undefined)
        wanted.add(renamedFrom);
      continue;
    }
    const standing = standingOn(template.name, knowledge);
    const target = targetOf(template, input.markerText, summary.marker);
    if (standing !== undefined && verdictOn(standing, summary, target, input) === "unchanged") continue;
    wanted.add(template.name);
    const former = formerInUse(template, input, summaries);
    if (former !== undefined) wanted.add(former);
  }
  for (const { from } of movesOf(input.local, summaries, input).flat()) wanted.add(from);
  if (input.choices.prune) for (const name of retiredNames(summaries, input)) wanted.add(name);
  return wanted;
}

/**
 * Compares what was last applied, the local templates and the service's. Pure: the same input gives the same plan.
 *
 * @example
 * const plan = createPlan(input);
 * plan.steps; // [[{ kind: "update", name: "receipt", changes: [{ field: "subject", from: "…", to: "…" }], … }]]
 */
export function createPlan(input: PlanInput): Plan {
  const { remote, choices } = input;
  const isTaken = (name: string) => remote.summaries.has(name);
  const local = input.local.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(local.map((template) => [template.name, template]));
  const { renames, movedFrom, movedTo, held: heldMoves } = planRenames(local, input);

  const updates: UpdateOperation[] = [];
  const held: Held[] = [...heldMoves];
  const unchanged: string[] = [];
  const creates: CreateOperation[] = [];
  for (const template of local) {
    const { name, renamedFrom } = template;
    if (movedTo.has(name)) continue;
    if (!isTaken(name)) {
      const former = renamedFrom !== undefined && isTaken(renamedFrom) ? renamedFrom : undefined;
      const drifted = former === undefined ? undefined : driftOfFormer(template, former, input);
      const sourceDrift = sourceDriftOf(template);
      const isHeld = drifted ?? heldFor(sourceDrift, name, input);
      if (isHeld !== undefined) held.push(isHeld);
      else {
        const target = targetOf(template, input.markerText);
        const formerly = former === undefined ? {} : { renamedFrom: former };
        creates.push({ kind: "create", name, target, ...formerly, ...sourceDrift });
      }
      continue;
    }
    const decision = decide(template, name, input);
    if (decision.held !== undefined) held.push(decision.held);
    else if (decision.operation !== undefined) updates.push(decision.operation);
    else unchanged.push(name);
  }

  // The former name of a held rename is still in use.
  const claimed = new Set(held.map(({ name }) => byName.get(name)?.renamedFrom));
  const retired = retiredNames(remote.summaries, input).filter((name) => !movedFrom.has(name) && !claimed.has(name));
  const proposals = proposeRenames(creates, retired, input);
  // The former name of a rename in this run stays for running applications.
  const former = new Set([...creates.map(({ renamedFrom }) => renamedFrom), ...proposals.map(({ from }) => from)]);
  const toDelete = choices.prune ? retired.filter((name) => !former.has(name)) : [];
  const deletions = toDelete.map((name) => decideDelete(name, input));
  held.push(...deletions.flatMap((decision) => decision.held ?? []));
  const renamed = new Map(local.map(({ name, renamedFrom }) => [renamedFrom, name]));
  const deletes = deletions.flatMap(({ operation }) => {
    const renamedTo = renamed.get(operation?.name);
    return operation === undefined ? [] : [{ ...operation, ...(renamedTo === undefined ? {} : { renamedTo }) }];
  });

  const steps = inSteps({ creates, updates, renames, deletes }, remote.summaries.size);
  const operations = steps.flat();
  const accounted = new Set([...byName.keys(), ...input.present, ...retired, ...movedFrom, ...claimed]);
  return {
    steps,
    held,
    unchanged,
    retired,
    proposals,
    unmanaged: [...remote.summaries.keys()].filter((name) => !accounted.has(name)).sort(),
    obstacles: [
      ...repeatedNames(local),
      ...findObstacles(operations, {
        remoteCount: remote.summaries.size,
        prunable: choices.prune ? 0 : retired.length,
      }),
    ],
    requests: requestsFor(
      operations,
      new Set(remote.templates.keys()),
      input.limit ?? (() => undefined),
      provesStoring(remote.templates.values()),
    ),
  };
}

/** The renames in place, as lists in which each rename frees the name that the next one takes. */
function planRenames(local: readonly LocalTemplate[], input: PlanInput) {
  const byName = new Map(local.map((template) => [template.name, template]));
  const renames: RenameOperation[][] = [];
  const held: Held[] = [];
  const movedFrom = new Set<string>();
  const movedTo = new Set<string>();
  for (const chain of movesOf(local, input.remote.summaries, input)) {
    for (const [depth, { from, to }] of chain.entries()) {
      const template = byName.get(to);
      const decision = template === undefined ? {} : decide(template, from, input);
      movedTo.add(to);
      if (decision.held !== undefined) held.push(decision.held);
      // A template that stays blocks the ones that would take its name.
      if (decision.operation === undefined) break;
      movedFrom.add(from);
      (renames[depth] ??= []).push({ ...decision.operation, kind: "rename", name: from, to });
    }
  }
  return { renames, held, movedFrom, movedTo };
}

function movesOf(
  local: readonly LocalTemplate[],
  summaries: ReadonlyMap<string, RemoteSummary>,
  { choices }: Pick<PlanInput, "choices">,
): Move[][] {
  if (choices.renames === "keep") return [];
  const isTaken = (name: string) => summaries.has(name);
  // A chain reuses each name that it frees. If one of them is held back, none of them moves.
  return findMoves(local, isTaken).filter((chain) =>
    chain.every(({ to }) => !isTaken(to) || choices.letsThrough("reused", to)),
  );
}
