import { createHash } from "node:crypto";

/** What the end of a managed template's description says of it. */
export interface Marker {
  /** Whose it is: the text of the configuration, with the environment's affixes. */
  readonly text: string;
  /** Hash of the content that was last applied. */
  readonly applied: string;
  /** Names the contract that applications of that version fill it by. */
  readonly contract: string;
  /** Hash of what the service made of that content, where it stores it otherwise. */
  readonly stored?: string;
  /** Hash of the template's name: a copy that somebody made has the marker of another one. */
  readonly of?: string;
}

const pattern = /\s*\[([^[\]\r\n]*[^[\]\s]) ([\w-]{10})\.([\w-]{6})(?:\.([\w-]{10}))?(?:\.([\w-]{4}))?\]\s*$/;

/**
 * Reads a description as the service has it.
 *
 * @example
 * readMarker("A receipt. [lettershop acme u0Yw3kq_Zb.x8Kq2a.Qm3c]");
 * // { description: "A receipt.", marker: { text: "lettershop acme", applied: "u0Yw3kq_Zb", contract: "x8Kq2a", of: "Qm3c" } }
 */
export function readMarker(description: string): { readonly description: string; readonly marker?: Marker } {
  const found = pattern.exec(description);
  if (found === null) return { description };
  const [, text = "", applied = "", contract = "", stored, of] = found;
  return {
    description: description.slice(0, found.index),
    marker: { text, applied, contract, ...(stored !== undefined && { stored }), ...(of !== undefined && { of }) },
  };
}

/** A description with its marker, as the service is to have it. */
export function writeMarker(description: string, marker: Marker | undefined): string {
  if (marker === undefined) return description;
  const { text, applied, contract, stored, of } = marker;
  const hashes = [applied, contract, stored, of].filter((hash) => hash !== undefined).join(".");
  return `${description === "" ? "" : `${description} `}[${text} ${hashes}]`;
}

/** How many characters a marker with this text takes behind a description, with all that it may come to say. */
export function markerLength(text: string): number {
  const hashes = { applied: "0".repeat(10), contract: "0".repeat(6), stored: "0".repeat(10), of: "0".repeat(4) };
  return writeMarker("d", { text, ...hashes }).length - 1;
}

/** What the marker of a template of this name has as `of`: 24 bits, in four characters. */
export function nameMark(name: string): string {
  return createHash("sha256").update(name).digest("base64url").slice(0, 4);
}
