import { contractId } from "../../mustache/contract-id.js";
import { inferSchema } from "../../mustache/infer.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { type Marker, nameMark } from "../../text/marker.js";
import { type Content, contentFields, contentHash, isSameText } from "../content.js";
import type { LocalTemplate } from "../local.js";
import type { LockEntry } from "../lock.js";
import type { RemoteState } from "../remote.js";
import type { FieldChange, Target } from "./plan.js";
import { type Standing, standingOf, type WrittenContent } from "./standing.js";

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
export function standingOn(name: string, { remote, entries, written, markerText }: Knowledge): Standing | undefined {
  const summary = remote.summaries.get(name);
  if (summary === undefined) return undefined;
  const read = remote.templates.get(name);
  const entry = entries.get(name);
  const ofJournals = written.get(name);
  return standingOf({
    summary,
    markerText,
    ...(read === undefined ? {} : { remote: read }),
    ...(entry === undefined ? {} : { entry }),
    ...(ofJournals === undefined ? {} : { written: ofJournals }),
  });
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
): Target {
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

function nameOf(contract: VariablesContract | undefined, { subject, html_body, text_body }: Content): string {
  return contractId(contract ?? { input: inferSchema([subject, html_body, text_body], []), conditions: [] });
}

/** The contract of the deployed template, if it is one of those available. */
export function deployedContract(
  name: string,
  standing: Standing,
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
