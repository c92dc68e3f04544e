import { contractId } from "../../mustache/contract-id.js";
import { inferSchema } from "../../mustache/infer.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { type Marker, nameMark } from "../../text/marker.js";
import {
  type Content,
  contentFields,
  contentHash,
  isSameText,
  type LocalTemplate,
  mustacheTexts,
  wordsHash,
} from "../content.js";
import { type LockEntry, provesUnchanged } from "../lock.js";
import type { RemoteState, RemoteTemplate } from "../remote.js";
import type { FieldChange, OperationTarget } from "./plan.js";

/** What is known about the service and earlier runs. */
export interface Knowledge {
  readonly remote: RemoteState;
  /** The lock's entries of this environment, by name. */
  readonly entries: ReadonlyMap<string, LockEntry>;
  /** What this machine's journals say, by name. */
  readonly written: ReadonlyMap<string, readonly WrittenContent[]>;
  /** The marker's text for this project and environment; undefined if markers are off. */
  readonly markerText: string | undefined;
}

/** The state of a template on the service; undefined if it must be read to know. */
export function standingOn(
  name: string,
  { remote, entries, written, markerText }: Knowledge,
): DeployedState | undefined {
  const summary = remote.summaries.get(name);
  if (summary === undefined) return undefined;
  const read = remote.templates.get(name);
  const entry = entries.get(name);
  if (read !== undefined) return standingOfRead(read, entry, written.get(name), markerText);
  const isOurs = markerText === undefined || summary.marker?.text === markerText;
  return isOurs && entry !== undefined && provesUnchanged(entry, summary, markerText !== undefined)
    ? { owner: "ours", stored: entry.stored, applied: entry.applied, isClean: true }
    : undefined;
}

/**
 * What applying a template writes.
 *
 * @param current The service's marker.
 */
export function targetOf(
  { name, content, contract, contractName, backup }: LocalTemplate,
  markerText: string | undefined,
  current?: Marker,
): OperationTarget {
  const hash = contentHash(content);
  if (backup !== undefined) return { content, hash, isEdit: true, ...(current !== undefined && { marker: current }) };
  if (markerText === undefined) return { content, hash };
  return {
    content,
    hash,
    marker: {
      text: markerText,
      applied: hash,
      contract: contractName ?? nameOf(contract, content),
      of: nameMark(name),
    },
  };
}

function nameOf(contract: VariablesContract | undefined, content: Content): string {
  return contractId(contract ?? { input: inferSchema(mustacheTexts(content), []), conditions: [] });
}

/** The contract of the deployed template, if it is one of those available. */
export function deployedContract(
  name: string,
  standing: DeployedState,
  { remote, entries, markerText }: Knowledge,
  candidates: readonly (VariablesContract | undefined)[],
): VariablesContract | undefined {
  const entry = entries.get(name);
  const ofLock = entry?.applied === standing.applied ? entry?.contract : undefined;
  const marker = remote.summaries.get(name)?.marker;
  if (markerText === undefined || marker === undefined) return ofLock;
  return [...candidates, ofLock].find((each) => each !== undefined && contractId(each) === marker.contract);
}

/** Fields that differ in more than what a service may change when it stores them. */
export function changesBetween(from: Content, to: Content): FieldChange[] {
  return contentFields
    .filter((field) => !isSameText(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

/** The state of a template on the service: whose it is, and whether it was edited since it was applied. */
export interface DeployedState {
  /** By its marker; without one, by the lock and the journals. */
  readonly owner: "ours" | "others" | "nobody";
  /** Hash of the service's content. */
  readonly stored: string;
  /** Hash of what was last applied; absent if unknown. */
  readonly applied?: string;
  /** Whether the service still has what was applied, as far as it is able to store it. */
  readonly isClean: boolean;
}

/** Content that runs on this machine wrote, or may have written, according to their journals. */
export interface WrittenContent {
  /** Hash of what was sent. */
  readonly hash: string;
  /** Hash of what the service made of it, if that was different and answered. */
  readonly stored?: string;
  /** Hash of the words of what was sent. */
  readonly words?: string;
  /** Whether the service stored only part of it, which is `stored`. */
  readonly isPartial?: true;
  /** Whether it definitely took effect; false if the run ended, or the answer was lost, before that was known. */
  readonly isKnown: boolean;
}

function standingOfRead(
  { hash: stored, marker, content }: RemoteTemplate,
  entry: LockEntry | undefined,
  written: readonly WrittenContent[] = [],
  markerText: string | undefined,
): DeployedState {
  if (markerText !== undefined && marker !== undefined && marker.text !== markerText)
    return { owner: "others", stored, isClean: false };
  // The rest of a failed write is not an edit, and not what should have been applied.
  if (written.some((each) => each.isPartial && stored === each.stored))
    return { owner: "ours", stored, applied: stored, isClean: true };
  if (markerText !== undefined && marker !== undefined) {
    const isClean = matchesMarker({ stored, content }, marker, entry, written);
    return { owner: "ours", stored, applied: marker.applied, isClean };
  }
  const own = written.find((each) => stored === each.hash || stored === each.stored);
  if (own !== undefined) return { owner: "ours", stored, applied: own.hash, isClean: true };
  if (entry === undefined) return { owner: "nobody", stored, isClean: false };
  const { applied } = entry;
  return { owner: "ours", stored, applied, isClean: stored === entry.stored || stored === applied };
}

/** Whether a content is what its marker names, or what the service is known to have made of it. */
function matchesMarker(
  { stored, content }: { readonly stored: string; readonly content: Content },
  marker: Marker,
  entry: LockEntry | undefined,
  written: readonly WrittenContent[],
): boolean {
  if (stored === marker.applied || stored === marker.stored) return true;
  const own = written.filter(({ hash }) => hash === marker.applied);
  if (own.some((each) => each.stored === stored)) return true;
  // A later run has read the result.
  if (entry?.applied === marker.applied) return entry.stored === stored;
  // A run that ended before its answer could not record what the service stored. A service may change punctuation, but
  // not words.
  return own.some(({ isKnown, words }) => !isKnown && words === wordsHash(content));
}
