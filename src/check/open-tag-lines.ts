import { offsetAt } from "../position.js";
import { readTag } from "./document/written-tag.js";

/** What begins an element, in markup and in JSX; not a type's arguments, as in `Array<string>`. */
const OPENING = /(?<![\w)\]])<(?=[a-z])/gi;

/**
 * The line on which the last of the opening tags ends that begin on a line: the line itself, where none goes on.
 *
 * @example
 * lastLineOfTag('<p>\n<img\n  src="a"\n>', 2); // 4
 */
export function lastLineOfTag(text: string, line: number): number {
  const start = offsetAt(text, { line, column: 1 }) ?? text.length;
  const [written = ""] = text.slice(start).split("\n", 1);
  let end = start;
  for (const { index } of written.matchAll(OPENING))
    if (start + index >= end) end = readTag(text, start + index)?.end ?? end;
  return line + text.slice(start + written.length, end).split("\n").length - 1;
}
