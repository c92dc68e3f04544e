import type { ContentField, LocalTemplate } from "../../../sync/content.js";
import {
  type Change,
  createSourceFinder,
  type Difference,
  type FindSources,
  groupChanges,
  type ReadSource,
} from "../../../sync/diff/changes.js";
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
import type { Diagnostic } from "../../../diagnostic.js";
import { kebab } from "../../arguments.js";
import { formatPosition } from "../diagnostics.js";
import { groupDiagnostics } from "../group.js";
import type {
  ChangeEntry,
  PlanCounts,
  DifferenceEntry,
  ErrorEntry,
  HeldEntry,
  OperationEntry,
  PlanDocument,
  Proposal,
  Ref,
  ResultEntry,
  RunFacts,
} from "./document.js";
import type { LeasedResult } from "../../../sync/apply/apply-plan.js";
import { hasPartialMarker, type Outcome } from "../../../sync/apply/outcome.js";

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
    environment: environment && { name: environment.name, domain: environment.domain },
    base,
    restored: restored.length > 0 ? restored : undefined,
    counts: { ...countsOf(plan, operations), retired: retired.length },
    operations: operations.map(describeOperation),
    changes: [
      ...describeChanges(operations.flatMap(changedBy), findSources, undefined),
      ...heldKinds.flatMap((kind) => {
        const held = plan.held.filter((each) => each.kind === kind);
        return describeChanges(held, findSources, kind);
      }),
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

function countsOf(plan: Plan, operations: readonly Operation[]): Omit<PlanCounts, "retired"> {
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
  const { overwrites, breaking, reused, sourceDrifted }: LetThrough = operation;
  const entry = { kind, name, overwrites, breaking, reused, sourceDrifted };
  if (operation.kind === "create") {
    const { renamedFrom, target } = operation;
    return { ...entry, renamedFrom, subject: target.content.subject, fields: [] };
  }
  if (operation.kind === "delete") return { ...entry, renamedTo: operation.renamedTo, fields: [] };
  return { ...entry, ...(operation.kind === "rename" && { to: operation.to }), fields: fieldsOf(operation.changes) };
}

function describeHeld({ kind, name, changes, owner, breaking, reused }: Held): HeldEntry {
  return {
    kind,
    name,
    owner,
    breaking,
    reused,
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
  held: Held["kind"] | undefined,
): ChangeEntry[] {
  const describe = ({ templates, hunks }: Difference): DifferenceEntry => ({
    templates,
    hunks: hunks.map((hunk) => ({ ...hunk, sources: findSources(hunk, templates) })),
  });
  return groupChanges(updates).map((change: Change) => ({
    held,
    ...describe(change),
    variants: change.variants.map(describe),
  }));
}

/** Adds the line for `template.json` to each proposal. Names in the project have no environment prefix or suffix. */
function proposalsOf(
  proposals: readonly { readonly from: string; readonly to: string }[],
  local: readonly LocalTemplate[],
): Proposal[] {
  return proposals.map(({ from, to }) => {
    const template = local.find(({ name }) => name === to)?.template ?? to;
    const start = Math.max(0, to.indexOf(template));
    const prefix = to.slice(0, start);
    const suffix = to.slice(start + template.length);
    const hasAffixes = from.startsWith(prefix) && from.endsWith(suffix) && from.length > prefix.length + suffix.length;
    const former = hasAffixes ? from.slice(prefix.length, from.length - suffix.length) : from;
    return { from, to, template, line: `"renamedFrom": ${JSON.stringify(former)}` };
  });
}

const flags = {
  drifted: "overwriteDrift",
  conflict: "overwriteDrift",
  unknown: "overwriteDrift",
  foreign: "takeOver",
  breaking: "allowBreaking",
  reused: "allowBreaking",
  sourceDrifted: "includeDrift",
} as const satisfies Record<Held["kind"], string>;

/** A flag that names templates to apply even though they would be held back. */
export type OverrideFlag = (typeof flags)[Held["kind"]];

export function overrideFlag(reason: Held["kind"]): OverrideFlag {
  return flags[reason];
}

/** The flag that applies a template that is held back: `--overwrite-drift receipt`. */
export function heldFlag({ kind, name }: Pick<Held, "kind" | "name">): string {
  return `--${kebab(flags[kind])} ${name}`;
}

/** The errors among diagnostics; identical errors of several templates are merged. */
export function errorEntries(diagnostics: readonly Diagnostic[], folder: string): ErrorEntry[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return groupDiagnostics(errors).map(({ message, at, templates }) => ({
    message,
    place: at && formatPosition(at, folder),
    templates,
  }));
}

export function withResult(
  document: PlanDocument,
  { outcomes, stopped, unseen, unleased }: LeasedResult,
  { again, ...facts }: RunFacts & { readonly again: string },
): PlanDocument {
  const applied = outcomes.filter((outcome) => outcome.result === "applied");
  const refs = (result: Outcome["result"]): Ref[] => outcomes.filter((each) => each.result === result).map(refOf);
  const errors = (result: "failed" | "unknown"): ResultEntry["failed"] =>
    outcomes.flatMap((outcome) =>
      outcome.result === result && "error" in outcome ? [{ ...refOf(outcome), message: outcome.error.message }] : [],
    );
  return {
    ...document,
    result: {
      applied: applied.map(refOf),
      unwritten: applied.filter(({ unwritten }) => unwritten).map(refOf),
      differs: applied
        .filter(({ differs }) => differs.length > 0)
        .map(({ operation, differs }) => ({ name: operation.name, fields: differs.map(({ field }) => field) })),
      unmarked: applied.filter(hasPartialMarker).map(({ operation }) => operation.name),
      touched: applied
        .filter(({ touched }) => touched.length > 0)
        .map(({ operation, touched }) => ({ name: operation.name, fields: touched })),
      failed: errors("failed"),
      unknown: errors("unknown"),
      moved: refs("moved"),
      overtaken: refs("overtaken"),
      notAttempted: refs("notAttempted"),
      stopped: stopped?.message,
      unseen: unseen?.message,
      unleased,
      ...facts,
      next: applied.length < outcomes.length ? again : undefined,
    },
  };
}

function refOf({ operation }: Pick<Outcome, "operation">): Ref {
  const { kind, name, to } = describeOperation(operation);
  return { kind, name, to };
}
