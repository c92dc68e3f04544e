import type { ContentField } from "../content.js";
import type { FieldChange } from "../plan/plan.js";
import { compare } from "./compare.js";
import { segmentsOf } from "./segments.js";
import { slide } from "./slide.js";

/** One place of a field that differs. */
export interface Hunk {
  readonly field: ContentField;
  /** What goes, without line ends. Html is cut between tags. */
  readonly removed: readonly string[];
  /** What comes in its place. */
  readonly added: readonly string[];
}

/**
 * What differs in a field, in its order. Texts that differ in line ends alone have no hunks.
 *
 * @example
 * hunksOf({ field: "html_body", from: "<p>Old</p><hr>", to: "<p>New</p><hr>" });
 * // [{ field: "html_body", removed: ["<p>Old</p>"], added: ["<p>New</p>"] }]
 */
export function hunksOf({ field, from, to }: FieldChange): Hunk[] {
  const sides = { from: segmentsOf(field, unified(from)), to: segmentsOf(field, unified(to)) };
  const replacements = compare(sides.from, sides.to);
  let end = 0;
  return replacements.map((replacement, index) => {
    const above = replacement.from.start - end;
    const below = (replacements[index + 1]?.from.start ?? sides.from.length) - replacement.from.end;
    const { from: gone, to: come } = slide(replacement, sides, { above, below });
    end = gone.end;
    return { field, removed: sides.from.slice(gone.start, gone.end), added: sides.to.slice(come.start, come.end) };
  });
}

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
