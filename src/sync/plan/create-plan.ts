import type { LocalTemplate } from "../content.js";
import { provesStoring, type RemoteSummary } from "../remote.js";
import { decide, decideDelete, driftOfFormer, holdReason, sourceDriftOf, decideTemplate } from "./decide.js";
import { findObstacles, repeatedNames } from "./obstacles.js";
import type {
  CreateOperation,
  DeleteOperation,
  Held,
  Operation,
  Plan,
  PlanInput,
  RenameOperation,
  UpdateOperation,
} from "./plan.js";
import { requestsFor } from "./requests.js";
import { formerInUse } from "./running-applications.js";
import { type Knowledge, standingOn, targetOf } from "./knowledge.js";
import { TEMPLATES_PER_DOMAIN } from "../../api/limits.js";

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
    if (standing !== undefined && decideTemplate(standing, summary, target, input) === "unchanged") continue;
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
      const isHeld = drifted ?? holdReason(sourceDrift, name, input);
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
    const decisions = chain.map(({ from, to }) => {
      const template = byName.get(to);
      return template === undefined ? {} : decide(template, from, input);
    });
    const heldBack = decisions.flatMap((decision) => decision.held ?? []);
    held.push(...heldBack);
    for (const { name } of heldBack) movedTo.add(name);
    // A chain reuses each name that it frees: if one template stayed, the others would leave a name without a template.
    const operations = decisions.flatMap(({ operation }) => operation ?? []);
    if (operations.length < chain.length) continue;
    for (const [depth, operation] of operations.entries()) {
      const { from = "", to = "" } = chain[depth] ?? {};
      movedTo.add(to);
      movedFrom.add(from);
      (renames[depth] ??= []).push({ ...operation, kind: "rename", name: from, to });
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

interface Unordered {
  readonly creates: readonly CreateOperation[];
  readonly updates: readonly UpdateOperation[];
  /** Each list frees the names that the next one takes. */
  readonly renames: readonly (readonly RenameOperation[])[];
  readonly deletes: readonly DeleteOperation[];
}

/**
 * Orders operations into steps so that neither names nor the maximum number of templates gets in the way. Templates are
 * deleted last, after their replacements exist; only as many as necessary are deleted first to make room for new ones.
 * Updates conflict with nothing: they run together with the deletes, which have their own rate limit.
 */
function inSteps({ creates, updates, renames, deletes }: Unordered, remoteCount: number): Operation[][] {
  const missingRoom = Math.max(0, remoteCount + creates.length - TEMPLATES_PER_DOMAIN);
  const [first = [], ...later] = renames;
  const steps: (readonly Operation[])[] = [
    deletes.slice(0, missingRoom),
    [...creates, ...first],
    ...later,
    [...updates, ...deletes.slice(missingRoom)],
  ];
  return steps.filter((step) => step.length > 0).map((step) => [...step]);
}

/** Names that this project applied and no longer has. */
function retiredNames(
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
function proposeRenames(
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

/** A rename in place. */
interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * The moves that `renamedFrom` asks for, as chains: each move frees the name that the next one takes. In a cycle, all
 * names are taken, so contents are exchanged instead.
 *
 * @example
 * findMoves([{ name: "b", renamedFrom: "a" }, { name: "c", renamedFrom: "b" }], (name) => name !== "c");
 * // [[{ from: "b", to: "c" }, { from: "a", to: "b" }]]
 *
 * @param isTaken Whether the service has a template with the name.
 */
function findMoves(
  local: readonly { readonly name: string; readonly renamedFrom?: string }[],
  isTaken: (name: string) => boolean,
): Move[][] {
  const origins = new Map(local.map(({ name, renamedFrom }) => [name, renamedFrom]));
  const moved = new Set<string>();
  const chains: Move[][] = [];
  for (const { name } of local) {
    if (isTaken(name)) continue;
    const chain: Move[] = [];
    for (let to = name; ;) {
      const from = origins.get(to);
      if (from === undefined || !isTaken(from) || moved.has(from) || !isVacated(from, origins, isTaken)) break;
      moved.add(from);
      chain.push({ from, to });
      to = from;
    }
    if (chain.length > 0) chains.push(chain);
  }
  return chains;
}

/** Whether the name is no longer used by its current template: it is gone, or another one moves there. */
function isVacated(
  name: string,
  origins: ReadonlyMap<string, string | undefined>,
  isTaken: (name: string) => boolean,
): boolean {
  const seen = new Set<string>();
  for (let each = name; origins.has(each);) {
    const origin = origins.get(each);
    if (origin === undefined || !isTaken(origin) || seen.has(each)) return false;
    seen.add(each);
    each = origin;
  }
  return true;
}
