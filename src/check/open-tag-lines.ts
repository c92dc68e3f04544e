import { offsetAt } from "../text/position.js";
import { readTag } from "./document/written-tag.js";

/** The `<` of an opening tag in markup or JSX, but not of type arguments, as in `Array<string>`. */
const OPENING = /(?<![\w)\]])<(?=[a-z])/gi;

/**
 * The last line of the opening tags that begin on a line: the line itself unless a tag continues on the next.
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
