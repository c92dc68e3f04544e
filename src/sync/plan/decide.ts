import { contractChanges } from "../../mustache/contract-changes.js";
import { type LocalTemplate, mustacheTexts } from "../content.js";
import type { RemoteSummary } from "../remote.js";
import { reusedBy } from "./running-applications.js";
import type { DeleteOperation, Held, LetThrough, PlanInput, OperationTarget, UpdateOperation } from "./plan.js";
import {
  changesBetween,
  deployedContract,
  type Knowledge,
  type DeployedState,
  standingOn,
  targetOf,
} from "./knowledge.js";

/** What to do with a template that exists on both sides; nothing if both are absent. */
export interface Decision<Operation> {
  readonly operation?: Operation;
  readonly held?: Held;
}

const overwritten: Partial<Record<Verdict, NonNullable<UpdateOperation["overwrites"]>>> = {
  drifted: "drift",
  conflict: "conflict",
  unknown: "unknown",
  foreign: "foreign",
};

/** Decides about a template, given the one that the service has under a name. */
export function decide(template: LocalTemplate, name: string, input: PlanInput): Decision<UpdateOperation> {
  const { remote, markerText } = input;
  const summary = remote.summaries.get(name);
  const standing = standingOn(name, input);
  const read = remote.templates.get(name);
  if (summary === undefined || standing === undefined) return {};
  const target = targetOf(template, markerText, summary.marker);
  const isRename = name !== template.name;
  const verdict = decideTemplate(standing, summary, target, input);
  if (verdict === "unchanged" && !isRename) return {};

  const base = { updatedAt: summary.updatedAt, hash: standing.stored };
  const changes = read === undefined ? [] : changesBetween(read.content, template.content);
  const overwrites = overwritten[verdict];
  const reasons: LetThrough = {
    ...(overwrites !== undefined && { overwrites }),
    ...(changes.length > 0 && { ...breaksOf(template, name, input), ...sourceDriftOf(template) }),
  };
  const held = holdReason(reasons, template.name, input);
  if (held !== undefined) {
    const owner = held.kind === "foreign" ? summary.marker?.text : undefined;
    return { held: { ...held, changes, ...(owner !== undefined && { owner }) } };
  }
  // A rewritten marker keeps what was learnt about how the service stores this content.
  const isLearnt = standing.stored !== target.hash && standing.applied === target.hash && target.marker !== undefined;
  const learnt = isLearnt ? { ...target, marker: { ...target.marker, stored: standing.stored } } : target;
  return {
    operation: {
      kind: "update",
      name: template.name,
      target: verdict === "mark" ? learnt : target,
      changes: verdict === "mark" ? [] : changes,
      base,
      ...reasons,
    },
  };
}

/** The first reason that was not let through. */
export function holdReason(
  reasons: LetThrough,
  name: string,
  { choices }: Pick<PlanInput, "choices">,
): Held | undefined {
  const { overwrites, sourceDrifted, reused, breaking } = reasons;
  const kinds: readonly (Held["kind"] | undefined)[] = [
    overwrites === "drift" ? "drifted" : overwrites,
    sourceDrifted && "sourceDrifted",
    reused && "reused",
    breaking && "breaking",
  ];
  const kind = kinds.find((each) => each !== undefined && !choices.letsThrough(each, name));
  if (kind === undefined) return undefined;
  const isBreaking = kind === "reused" || kind === "breaking";
  return {
    kind,
    name,
    changes: [],
    ...(isBreaking && breaking && { breaking }),
    ...(kind === "reused" && reused && { reused }),
  };
}

export function sourceDriftOf({ isDrifted }: LocalTemplate): Pick<LetThrough, "sourceDrifted"> {
  return isDrifted === true ? { sourceDrifted: true } : {};
}

/** Edits under a template's former name would be missing under the new one. */
export function driftOfFormer(template: LocalTemplate, former: string, input: PlanInput): Held | undefined {
  const standing = standingOn(former, input);
  const read = input.remote.templates.get(former);
  if (standing?.owner !== "ours" || standing.isClean || read === undefined) return undefined;
  const changes = changesBetween(read.content, template.content);
  if (changes.length === 0 || input.choices.letsThrough("drifted", template.name)) return undefined;
  return { kind: "drifted", name: template.name, changes };
}

/** Decides whether a retired template can be deleted: not if someone has edited it. */
export function decideDelete(name: string, input: PlanInput): Decision<DeleteOperation> {
  const { remote, choices } = input;
  const standing = standingOn(name, input);
  const updatedAt = remote.summaries.get(name)?.updatedAt ?? "";
  const base = { updatedAt, hash: standing?.stored ?? "" };
  const isAsApplied = standing === undefined || standing.isClean || input.isPrunable(name);
  if (isAsApplied) return { operation: { kind: "delete", name, base } };
  if (!choices.letsThrough("drifted", name)) return { held: { kind: "drifted", name, changes: [] } };
  return { operation: { kind: "delete", name, base, overwrites: "drift" } };
}

export function decideTemplate(
  standing: DeployedState,
  { name, marker }: RemoteSummary,
  target: OperationTarget,
  { entries }: Pick<Knowledge, "entries">,
): Verdict {
  const isMarked =
    marker === undefined
      ? // If the service does not keep markers, they are not written again.
        entries.get(name)?.isUnmarked === true && standing.applied === target.hash
      : marker.text === target.marker?.text &&
        marker.applied === target.hash &&
        marker.contract === target.marker.contract &&
        // Notes what the service made of it, so that other machines don't treat it as an edit.
        (standing.stored === target.hash || marker.stored === standing.stored);
  const hasMarkers = target.marker !== undefined && !target.isEdit;
  const verdict = judge(standing, target.hash, { hasMarkers, isMarked });
  // A backup is older than any edit, so this is not a conflict of two changes.
  return target.isEdit && verdict === "conflict" ? "drifted" : verdict;
}

function breaksOf(template: LocalTemplate, name: string, input: PlanInput): Pick<LetThrough, "breaking" | "reused"> {
  const reused = reusedBy(template, name, input);
  // Applications fill the template with the name that they send: if a name is reused, that is not the template that
  // moves there.
  const breaking = breakingOn(template, reused === undefined ? name : template.name, input);
  return { ...(breaking.length > 0 && { breaking }), ...(reused !== undefined && { reused }) };
}

function breakingOn(template: LocalTemplate, name: string, input: PlanInput) {
  const standing = standingOn(name, input);
  const read = input.remote.templates.get(name);
  if (standing === undefined || read === undefined) return [];
  const contract = deployedContract(name, standing, input, [template.contract, input.contracts?.get(name)]);
  // Applications pass the variables of the contract.
  if (contract !== undefined && contract === template.contract) return [];
  return contractChanges(
    { texts: mustacheTexts(read.content), contract },
    { texts: mustacheTexts(template.content), contract: template.contract },
  );
}

/** What to do with a template that both sides have. */
type Verdict =
  | "unchanged"
  /** The content is the same; only the marker must be written. */
  | "mark"
  | "update"
  | "drifted"
  | "conflict"
  | "unknown"
  | "foreign";

/** Compares three states of one template: what was last applied, the local one, and the service's. */
function judge(
  { owner, stored, applied, isClean }: DeployedState,
  local: string,
  { hasMarkers, isMarked }: { readonly hasMarkers: boolean; readonly isMarked: boolean },
): Verdict {
  if (owner === "others") return "foreign";
  if (stored === local || (isClean && applied === local)) return hasMarkers && !isMarked ? "mark" : "unchanged";
  if (isClean) return "update";
  if (applied === undefined) return "unknown";
  return applied === local ? "drifted" : "conflict";
}
