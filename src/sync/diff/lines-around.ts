import type { FieldChange } from "../plan/plan.js";
import { compareSides } from "./hunks.js";

/** A line of one version of a field, or of both. */
export interface ComparedLine {
  readonly kind: "same" | "removed" | "added" | "skipped";
  /** What is skipped has none. */
  readonly text: string;
}

/**
 * What differs in a field with so many lines around each place; what is between is skipped. Html is cut between tags.
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
  /** What is the same up to a line, of which the first and the last are near to a place. */
  const addSame = (start: number, end: number, isAfter: boolean, isBefore: boolean) => {
    const shown = sides.from.slice(start, end);
    const head = isAfter ? around : 0;
    const tail = isBefore ? around : 0;
    if (shown.length <= head + tail) return add("same", shown);
    add("same", shown.slice(0, head));
    lines.push({ kind: "skipped", text: "" });
    return add("same", shown.slice(shown.length - tail));
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
