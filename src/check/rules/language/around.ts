import type { Around } from "../../document/sources.js";

/**
 * What stands around a place of a text, as far as it was written in one go: up to a tag or a line's end.
 *
 * @example
 * aroundOf("\uFFFC, your (order", 8); // { before: ", your ", after: "order" }
 */
export function aroundOf(text: string, index: number, length = 1): Around {
  return {
    before: /[^\uFFFC\n]{0,24}$/.exec(text.slice(0, index))?.[0] ?? "",
    after: /^[^\uFFFC\n]{0,24}/.exec(text.slice(index + length))?.[0] ?? "",
  };
}

/**
 * Less and less of it, for where an element or a section stands between.
 *
 * @example
 * narrowed({ before: "you ", after: "late or" }).at(-2); // { before: "", after: "late" }
 */
export function narrowed({ before, after }: Around): readonly Around[] {
  return [
    { before, after },
    { before: "", after },
    { before, after: "" },
    { before: "", after: /^\s*\S*/.exec(after)?.[0] ?? "" },
    { before: /\S*\s*$/.exec(before)?.[0] ?? "", after: "" },
    { before: "", after: "" },
  ].filter((each, index, all) => index === all.length - 1 || (each.before + each.after).trim() !== "");
}

/** Where a text has a part with as much as possible of what stood around it. */
export function indexOfPart(text: string, part: string, around: Around): number {
  for (const { before, after } of narrowed(around)) {
    const index = text.indexOf(before + part + after);
    if (index >= 0) return index + before.length;
  }
  return -1;
}
