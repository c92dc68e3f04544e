import { createHash } from "node:crypto";

/** What the end of a managed template's description records. */
export interface Marker {
  /** The owner: the marker text of the configuration, with the environment's affixes. */
  readonly text: string;
  /** Hash of the content that was last applied. */
  readonly applied: string;
  /** Identifies the contract of the applied version, by which applications fill it. */
  readonly contract: string;
  /** Hash of the content as stored by the service, if the service changed it. */
  readonly stored?: string;
  /** Hash of the template's name: a manual copy of a template has the original's. */
  readonly of?: string;
}

const pattern = /\s*\[([^[\]\r\n]*[^[\]\s]) ([\w-]{10})\.([\w-]{6})(?:\.([\w-]{10}))?(?:\.([\w-]{4}))?\]\s*$/;

/**
 * Parses a description as the service stores it.
 *
 * @example
 * readMarker("A receipt. [lettershop acme u0Yw3kq_Zb.x8Kq2a.Qm3c]");
 * // { description: "A receipt.", marker: { text: "lettershop acme", applied: "u0Yw3kq_Zb", contract: "x8Kq2a", of: "Qm3c" } }
 */
export function readMarker(description: string): { readonly description: string; readonly marker?: Marker } {
  const match = pattern.exec(description);
  if (match === null) return { description };
  const [, text = "", applied = "", contract = "", stored, of] = match;
  return {
    description: description.slice(0, match.index),
    marker: { text, applied, contract, ...(stored !== undefined && { stored }), ...(of !== undefined && { of }) },
  };
}

/** A description with its marker, as the service should store it. */
export function writeMarker(description: string, marker: Marker | undefined): string {
  if (marker === undefined) return description;
  const { text, applied, contract, stored, of } = marker;
  const hashes = [applied, contract, stored, of].filter((hash) => hash !== undefined).join(".");
  return `${description === "" ? "" : `${description} `}[${text} ${hashes}]`;
}

/** The maximum number of characters that a marker with this text adds to a description. */
export function markerLength(text: string): number {
  const hashes = { applied: "0".repeat(10), contract: "0".repeat(6), stored: "0".repeat(10), of: "0".repeat(4) };
  return writeMarker("d", { text, ...hashes }).length - 1;
}

/** The `of` in the marker of a template with this name: 24 bits, in four characters. */
export function nameMark(name: string): string {
  return createHash("sha256").update(name).digest("base64url").slice(0, 4);
}

/** An environment's affixes of template names. */
interface Affixes {
  readonly namePrefix?: string | undefined;
  readonly nameSuffix?: string | undefined;
}

interface MarkedProject {
  readonly sync: { readonly marker: string | false };
}

/** The marker's text in an environment. It differs between environments on one domain, so that neither owns the other's templates. */
export function markerText({ sync }: MarkedProject, { namePrefix = "", nameSuffix = "" }: Affixes): string | undefined {
  if (sync.marker === false) return undefined;
  return namePrefix + nameSuffix === "" ? sync.marker : `${sync.marker} ${namePrefix}*${nameSuffix}`;
}

/** The length of the longest marker that sync adds to a description, over all environments. */
export function longestMarker(
  project: MarkedProject & { readonly environments: Readonly<Record<string, Affixes>> },
): number {
  const texts = [{}, ...Object.values(project.environments)].map((environment) => markerText(project, environment));
  return Math.max(...texts.map((text) => (text === undefined ? 0 : markerLength(text))));
}
