import type { ContentField } from "../../../sync/content.js";
import { type Change, type Difference, groupChanges } from "../../../sync/diff/changes.js";
import { createSourceFinder, type FindSources, type ReadSource } from "../../../sync/diff/source.js";
import type { LocalTemplate } from "../../../sync/local.js";
import {
  type FieldChange,
  type Held,
  type LetThrough,
  type Operation,
  operationsOf,
  type Plan,
  targetName,
} from "../../../sync/plan/plan.js";
import { secondsFor } from "../../../sync/plan/requests.js";
import type { ChangeEntry, Counts, DifferenceEntry, HeldEntry, OperationEntry, PlanDocument } from "./document.js";
import { heldFlag } from "./held-flag.js";
import { proposalsOf } from "./proposals.js";

export interface PlanContext {
  readonly environment?: PlanDocument["environment"];
  /** The commit to compare with, instead of an environment. */
  readonly base?: string;
  /** The local templates, whose sources are searched for changes. */
  readonly local: readonly LocalTemplate[];
  /** Default: no file can be read, so changes have no sources. */
  readonly readSource?: ReadSource;
}

const heldKinds = [
  "drifted",
  "conflict",
  "unknown",
  "foreign",
  "breaking",
  "reused",
  "sourceDrifted",
] as const satisfies readonly Held["kind"][];

/**
 * Converts a plan to plain data.
 *
 * @example
 * const document = planDocument(plan, { environment, local, readSource: (file) => readFileSync(file, "utf8") });
 * output.json(document);
 */
export function planDocument(
  plan: Plan,
  { environment, base, local, readSource = () => undefined }: PlanContext,
): PlanDocument {
  const operations = operationsOf(plan);
  const findSources = createSourceFinder(new Map(local.map(({ name, sources }) => [name, sources])), readSource);
  const decided = new Set([...operations, ...plan.held].map(({ name }) => name));
  const restored = local.flatMap(({ name, backup }) => (backup === undefined ? [] : [{ name, backup }]));
  const retired = plan.retired.filter((name) => !decided.has(name));
  return {
    version: 1,
    ...(environment === undefined ? {} : { environment: { name: environment.name, domain: environment.domain } }),
    ...(base === undefined ? {} : { base }),
    ...(restored.length > 0 && { restored }),
    counts: { ...countsOf(plan, operations), retired: retired.length },
    operations: operations.map(describeOperation),
    changes: [
      ...describeChanges(operations.flatMap(changedBy), findSources),
      ...heldKinds.flatMap((kind) =>
        describeChanges(
          plan.held.filter((held) => held.kind === kind),
          findSources,
          kind,
        ),
      ),
    ],
    held: plan.held.map(describeHeld),
    retired,
    proposals: proposalsOf(plan.proposals, local),
    obstacles: plan.obstacles,
    requests: plan.requests,
    seconds: secondsFor(plan.requests),
    unchanged: plan.unchanged,
    unmanaged: plan.unmanaged,
  };
}

function countsOf(plan: Plan, operations: readonly Operation[]): Omit<Counts, "retired"> {
  const count = (isIt: (operation: Operation) => boolean): number => operations.filter(isIt).length;
  return {
    create: count(({ kind }) => kind === "create"),
    update: count((operation) => operation.kind === "update" && operation.changes.length > 0),
    mark: count((operation) => operation.kind === "update" && operation.changes.length === 0),
    rename: count(({ kind }) => kind === "rename"),
    delete: count(({ kind }) => kind === "delete"),
    held: plan.held.length,
    unchanged: plan.unchanged.length,
    unmanaged: plan.unmanaged.length,
  };
}

export function describeOperation(operation: Operation): OperationEntry {
  const { kind, name } = operation;
  const entry = { kind, name, ...letThroughIn(operation) };
  if (operation.kind === "create") {
    const former = operation.renamedFrom === undefined ? {} : { renamedFrom: operation.renamedFrom };
    return { ...entry, ...former, subject: operation.target.content.subject, fields: [] };
  }
  if (operation.kind === "delete")
    return { ...entry, ...(operation.renamedTo !== undefined && { renamedTo: operation.renamedTo }), fields: [] };
  return { ...entry, ...(operation.kind === "rename" && { to: operation.to }), fields: fieldsOf(operation.changes) };
}

function letThroughIn({ overwrites, breaking, reused, sourceDrifted }: LetThrough): LetThrough {
  return {
    ...(overwrites !== undefined && { overwrites }),
    ...(breaking !== undefined && { breaking }),
    ...(reused !== undefined && { reused }),
    ...(sourceDrifted !== undefined && { sourceDrifted }),
  };
}

function describeHeld({ kind, name, changes, owner, breaking, reused }: Held): HeldEntry {
  return {
    kind,
    name,
    ...(owner !== undefined && { owner }),
    ...(breaking !== undefined && { breaking }),
    ...(reused !== undefined && { reused }),
    fields: fieldsOf(changes),
    flag: heldFlag({ kind, name }),
  };
}

function fieldsOf(changes: readonly FieldChange[]): ContentField[] {
  return changes.map(({ field }) => field);
}

function changedBy(operation: Operation): { name: string; changes: readonly FieldChange[] }[] {
  return "changes" in operation ? [{ name: targetName(operation), changes: operation.changes }] : [];
}

function describeChanges(
  updates: readonly { readonly name: string; readonly changes: readonly FieldChange[] }[],
  findSources: FindSources,
  held?: Held["kind"],
): ChangeEntry[] {
  const describe = ({ templates, hunks }: Difference): DifferenceEntry => ({
    templates,
    hunks: hunks.map((hunk) => ({ ...hunk, sources: findSources(hunk, templates) })),
  });
  return groupChanges(updates).map((change: Change) => ({
    ...(held !== undefined && { held }),
    ...describe(change),
    variants: change.variants.map(describe),
  }));
}
