/** What begins an element, in markup and in JSX; not a type's arguments, as in `Array<string>`. */
const OPENING = /(?<![\w)\]])<[a-z][^\s/<>{}"']*/gi;

/**
 * The line on which the last of the opening tags ends that begin on a line: the line itself, where none goes on.
 *
 * @example
 * lastLineOfTag('<p>\n<img\n  src="a"\n>', 2); // 4
 */
export function lastLineOfTag(text: string, line: number): number {
  let start = 0;
  for (let number = 1; number < line; number += 1) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return line;
  }
  const lineEnd = text.indexOf("\n", start);
  if (lineEnd < 0) return line;
  let end = lineEnd;
  OPENING.lastIndex = start;
  for (let tag = OPENING.exec(text); tag && tag.index < lineEnd; tag = OPENING.exec(text)) {
    OPENING.lastIndex = endOfTag(text, OPENING.lastIndex);
    end = Math.max(end, OPENING.lastIndex);
  }
  return line + text.slice(lineEnd, end).split("\n").length - 1;
}

/** Where the `>` is: neither within quotes nor within braces, be they those of Mustache or of JSX. */
function endOfTag(text: string, from: number): number {
  let quote = "";
  let depth = 0;
  for (let index = from; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (text.startsWith("{{", index) && quote !== "") index = Math.max(index, text.indexOf("}}", index));
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'" || (character === "`" && depth > 0)) quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === ">" && depth <= 0) return index;
  }
  // Never ended: what was taken for a tag is none.
  return from;
}
