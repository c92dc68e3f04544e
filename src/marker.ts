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
}

const pattern = /\s*\[([^[\]\r\n]*[^[\]\s]) ([\w-]{10})\.([\w-]{6})(?:\.([\w-]{10}))?\]\s*$/;

/**
 * Reads a description as the service has it.
 *
 * @example
 * readMarker("A receipt. [lettershop acme u0Yw3kq_Zb.x8Kq2a]");
 * // { description: "A receipt.", marker: { text: "lettershop acme", applied: "u0Yw3kq_Zb", contract: "x8Kq2a" } }
 */
export function readMarker(description: string): { readonly description: string; readonly marker?: Marker } {
  const found = pattern.exec(description);
  if (found === null) return { description };
  const [, text = "", applied = "", contract = "", stored] = found;
  return {
    description: description.slice(0, found.index),
    marker: { text, applied, contract, ...(stored === undefined ? {} : { stored }) },
  };
}

/** A description with its marker, as the service is to have it. */
export function writeMarker(description: string, marker: Marker | undefined): string {
  if (marker === undefined) return description;
  const { text, applied, contract, stored } = marker;
  const hashes = [applied, contract, ...(stored === undefined ? [] : [stored])].join(".");
  return `${description === "" ? "" : `${description} `}[${text} ${hashes}]`;
}
