import type { ContentField } from "../content.js";
import type { FieldChange } from "../plan/plan.js";
import { compare, type Replacement } from "./compare.js";
import { segmentsOf } from "./segments.js";
import { slide } from "./slide.js";

/** A place in a field that differs. */
export interface Hunk {
  readonly field: ContentField;
  /** The removed lines, without line ends. HTML is split between tags. */
  readonly removed: readonly string[];
  /** The lines that replace them. */
  readonly added: readonly string[];
}

/**
 * The differences of a field, in order. Texts that only differ in line ends have no hunks.
 *
 * @example
 * hunksOf({ field: "html_body", from: "<p>Old</p><hr>", to: "<p>New</p><hr>" });
 * // [{ field: "html_body", removed: ["<p>Old</p>"], added: ["<p>New</p>"] }]
 */
export function hunksOf(change: FieldChange): Hunk[] {
  const { field } = change;
  const { sides, places } = compareSides(change);
  return places.map(({ from, to }) => ({
    field,
    removed: sides.from.slice(from.start, from.end),
    added: sides.to.slice(to.start, to.end),
  }));
}

/** Both sides of a field in pieces, and the places where they differ. */
export function compareSides({ field, from, to }: FieldChange): {
  readonly sides: { readonly from: readonly string[]; readonly to: readonly string[] };
  readonly places: readonly Replacement[];
} {
  const sides = { from: segmentsOf(field, unified(from)), to: segmentsOf(field, unified(to)) };
  const replacements = compare(sides.from, sides.to);
  let end = 0;
  const places = replacements.map((replacement, index) => {
    const above = replacement.from.start - end;
    const below = (replacements[index + 1]?.from.start ?? sides.from.length) - replacement.from.end;
    const slid = slide(replacement, sides, { above, below });
    end = slid.from.end;
    return slid;
  });
  return { sides, places };
}

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
