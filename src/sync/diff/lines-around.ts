import type { FieldChange } from "../plan/plan.js";
import { compareSides } from "./hunks.js";

/** A line of one version of a field, or of both. */
export interface ComparedLine {
  readonly kind: "same" | "removed" | "added" | "skipped";
  /** Empty for skipped lines. */
  readonly text: string;
}

/**
 * The differences of a field with this many lines of context; lines in between are skipped. HTML is split between tags.
 *
 * @example
 * linesAround({ field: "subject", from: "Hi", to: "Hello" }, 2);
 * // [{ kind: "removed", text: "Hi" }, { kind: "added", text: "Hello" }]
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
