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
import type { StoredTemplate } from "../../../api/contract/v4/templates.js";
import { hasPartialMarker } from "../../../sync/apply/outcome.js";

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
    ...(at !== undefined && { place: formatPosition(at, folder) }),
    templates,
  }));
}

/** The part of an apply result that is reported. */
interface ApplyReport {
  readonly outcomes: readonly ApplyOutcome[];
  /** Why the remaining operations were not started. */
  readonly stopped?: Error;
  /** Why it could not be checked whether someone else has overwritten what was applied. */
  readonly unseen?: Error;
  /** Why this run could not prevent other machines from writing at the same time. */
  readonly unleased?: string;
}

type ApplyOutcome = { readonly operation: Operation } & (
  | {
      readonly result: "applied";
      readonly template?: Pick<StoredTemplate, "description">;
      readonly stored?: string;
      readonly differs: readonly { readonly field: string }[];
      readonly touched: readonly string[];
      readonly unwritten?: true;
    }
  | { readonly result: "failed" | "unknown"; readonly error: Error }
  | { readonly result: "moved" | "overtaken" | "notAttempted" }
);

/** Adds the result to the document of an applied plan. */
export function withResult(
  document: PlanDocument,
  { outcomes, stopped, unseen, unleased }: ApplyReport,
  { again, ...facts }: RunFacts & { readonly again: string },
): PlanDocument {
  const refs = (result: ApplyOutcome["result"]): Ref[] =>
    outcomes.filter((outcome) => outcome.result === result).map(({ operation }) => refOf(operation));
  const errors = (result: "failed" | "unknown"): ResultEntry["failed"] =>
    outcomes.flatMap((outcome) =>
      outcome.result === result && "error" in outcome
        ? [{ ...refOf(outcome.operation), message: outcome.error.message }]
        : [],
    );
  const applied = refs("applied");
  return {
    ...document,
    result: {
      applied,
      unwritten: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && outcome.unwritten ? [refOf(outcome.operation)] : [],
      ),
      differs: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && outcome.differs.length > 0
          ? [{ name: refOf(outcome.operation).name, fields: outcome.differs.map(({ field }) => field) }]
          : [],
      ),
      unmarked: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && hasPartialMarker(outcome) ? [refOf(outcome.operation).name] : [],
      ),
      touched: outcomes.flatMap((outcome) =>
        outcome.result === "applied" && outcome.touched.length > 0
          ? [{ name: refOf(outcome.operation).name, fields: outcome.touched }]
          : [],
      ),
      failed: errors("failed"),
      unknown: errors("unknown"),
      moved: refs("moved"),
      overtaken: refs("overtaken"),
      notAttempted: refs("notAttempted"),
      ...(stopped !== undefined && { stopped: stopped.message }),
      ...(unseen !== undefined && { unseen: unseen.message }),
      ...(unleased !== undefined && { unleased }),
      ...facts,
      ...(applied.length < outcomes.length && { next: again }),
    },
  };
}

function refOf(operation: Operation): Ref {
  const { kind, name, to } = describeOperation(operation);
  return { kind, name, ...(to !== undefined && { to }) };
}
