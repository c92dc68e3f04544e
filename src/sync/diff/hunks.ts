import type { ContentField } from "../content.js";
import type { FieldChange } from "../plan/plan.js";
import { compare, type Range, type Replacement } from "./compare.js";

/** A place in a field that differs. */
export interface Hunk {
  readonly field: ContentField;
  /** The removed lines, without line ends. HTML is split between tags. */
  readonly removed: readonly string[];
  /** The lines that replace them. */
  readonly added: readonly string[];
}

/** The differences of a field, in order. Texts that only differ in line ends have no hunks. */
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

/**
 * Where a text is split for comparison: at its line ends. HTML is also split between tags and after style sheet rules,
 * because compilers often put everything on one line; always, not only in long lines, so that shared parts are split in
 * the same way in all templates.
 */
const cuts: Readonly<Record<ContentField, RegExp>> = {
  subject: /\n/,
  description: /\n/,
  text_body: /\n/,
  html_body: /\n|(?<=>)(?=[ \t]*<)|(?<=[^{}]\})(?=[^}\n])/,
};

/**
 * The pieces of a string that are compared as units, in order. In HTML, blank ones are ignored.
 *
 * @example
 * segmentsOf("html_body", "<tr><td>Total</td></tr>"); // ["<tr>", "<td>Total</td>", "</tr>"]
 */
export function segmentsOf(field: ContentField, text: string): string[] {
  const segments = text.replace(/\s+$/, "").split(cuts[field]);
  return field === "html_body" ? segments.filter((segment) => segment.trim() !== "") : segments;
}

/** Maximum distance to search. */
const SHIFT_MAX = 50;

/**
 * A run of items that is only added, or only removed, can often be shown in several ways: between two similar rows, the
 * new one may begin with its own `<tr>` or with that of the row below. This chooses the natural one: the one that
 * begins at a beginning, otherwise the lowest. That way the same change looks the same in all templates.
 */
function slide(
  { from, to }: Replacement,
  sides: { readonly from: readonly string[]; readonly to: readonly string[] },
  bounds: { readonly above: number; readonly below: number },
): Replacement {
  const isAdded = from.start === from.end;
  if (!isAdded && to.start !== to.end) return { from, to };
  const items = isAdded ? sides.to : sides.from;
  const { start, end } = isAdded ? to : from;
  let up = 0;
  while (up < Math.min(bounds.above, SHIFT_MAX) && items[start - up - 1] === items[end - up - 1]) up += 1;
  let down = 0;
  while (down < Math.min(bounds.below, SHIFT_MAX) && items[start + down] === items[end + down]) down += 1;

  let best = down;
  let bestScore = -1;
  for (let shift = down; shift >= -up; shift -= 1) {
    const score = likeliness(items, { start: start + shift, end: end + shift });
    if (score > bestScore) {
      best = shift;
      bestScore = score;
    }
  }
  const moved = ({ start: first, end: last }: Range): Range => ({ start: first + best, end: last + best });
  return { from: moved(from), to: moved(to) };
}

/** How likely it is that a run was written as a unit. */
function likeliness(items: readonly string[], { start, end }: Range): number {
  const first = (items[start] ?? "").trim();
  const last = (items[end - 1] ?? "").trim();
  const opens = /^<\w/.test(first) || (!first.startsWith("<") && first !== "");
  const closes = last === "" || /(?:<\/[\w:-]+>|\/>|[^>])$/.test(last);
  return (opens ? 2 : 0) + (closes ? 1 : 0);
}

/** A line of one version of a field, or of both. */
interface ComparedLine {
  readonly kind: "same" | "removed" | "added" | "skipped";
  /** Empty for skipped lines. */
  readonly text: string;
}

/**
 * The differences of a field with this many lines of context; lines in between are skipped. HTML is split between tags.
 */
export function linesAround(change: FieldChange, around: number): ComparedLine[] {
  const { sides, places } = compareSides(change);
  const lines: ComparedLine[] = [];
  const add = (kind: ComparedLine["kind"], texts: readonly string[]) =>
    lines.push(...texts.map((text) => ({ kind, text })));
  /** Adds unchanged lines, of which only those near a difference are shown. */
  const addSame = (start: number, end: number, isAfter: boolean, isBefore: boolean) => {
    const unchanged = sides.from.slice(start, end);
    const head = isAfter ? around : 0;
    const tail = isBefore ? around : 0;
    if (unchanged.length <= head + tail) return add("same", unchanged);
    add("same", unchanged.slice(0, head));
    lines.push({ kind: "skipped", text: "" });
    return add("same", unchanged.slice(unchanged.length - tail));
  };
  let end = 0;
  for (const [index, { from, to }] of places.entries()) {
    addSame(end, from.start, index > 0, true);
    add("removed", sides.from.slice(from.start, from.end));
    add("added", sides.to.slice(to.start, to.end));
    end = from.end;
  }
  addSame(end, sides.from.length, places.length > 0, false);
  return lines;
}
