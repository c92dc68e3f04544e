/** Punctuation that wants something before it, or a sentence that goes on. */
const AFTER = /^\s*[,;:.!?)\]”’»%]/;
const GOES_ON = /^\s+\p{Ll}/u;
/** What wants something behind it: a mark, a comma at the end as in "Thank you, ", or a word that leads on. */
const BEFORE =
  /[:([“‘«"#$€£@/–—-]\s*$|(?:^|[\s(])(?:a|an|and|as|at|by|for|from|in|of|on|our|the|to|via|with|your)\s*$/i;
const COMMA = /\p{L},\s*$/u;
const WORD = /[\p{L}\p{N}]/u;
const SECTION = /\{\{\s*[#^/][^}]*\}\}/;
const BREAK = /\n\s*\n/;

/** Words on each side that a message has room for. */
const AROUND = 5;

/**
 * What is left of a line where one of its tags prints nothing and that shows; undefined where the line is as good without.
 *
 * @example
 * gapBetween("Hi ", ","); // "Hi ,"
 * gapBetween("Thank you ", ""); // undefined
 *
 * @param textBefore Two line breaks end what belongs together, and so does a section: nobody knows what is shown there.
 */
export function gapBetween(textBefore: string, textAfter: string): string | undefined {
  const before = textBefore.split(SECTION).at(-1)?.split(BREAK).at(-1) ?? "";
  const after = textAfter.split(SECTION)[0]?.split(BREAK)[0] ?? "";
  if (!isGap(before, after)) return undefined;
  const [left = [], right = []] = [before, after].map((text) => text.split(/(?<=\s)(?=\S)/));
  const words = `${left.slice(-AROUND).join("")}${right.slice(0, AROUND).join("")}`.replaceAll(/\s/g, " ").trim();
  return `${left.length > AROUND ? "…" : ""}${words}${right.length > AROUND ? "…" : ""}`;
}

function isGap(before: string, after: string): boolean {
  if (AFTER.test(after) || BEFORE.test(before)) return true;
  if (COMMA.test(before) && after.trim() === "") return true;
  if (before.trim() === "" && GOES_ON.test(after)) return true;
  // Of several variables in a row, such as the parts of a name, one may be missing.
  const isInRow = /\}\}\s*$/.test(before) && /^\s*\{\{/.test(after);
  return WORD.test(before) && WORD.test(after) && !isInRow;
}
