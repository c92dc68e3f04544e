/** Punctuation that needs something before it, or a sentence that continues. */
const AFTER = /^\s*[,;:.!?)\]”’»%]/;
const CONTINUES = /^\s+\p{Ll}/u;
/** Punctuation or a word that needs something after it; so does a comma at the end of a line, as in "Thank you, ". */
const BEFORE =
  /[:([“‘«"#$€£@/–—-]\s*$|(?:^|[\s(])(?:a|an|and|as|at|by|for|from|in|of|on|our|the|to|via|with|your)\s*$/i;
const COMMA = /\p{L},\s*$/u;
const WORD = /[\p{L}\p{N}]/u;
const SECTION = /\{\{\s*[#^/][^}]*\}\}/;
const BREAK = /\n\s*\n/;

/** The most words on each side that a message quotes. */
const AROUND = 5;

/**
 * What is left of a line if one of its tags prints nothing; undefined if the line still reads well.
 *
 * @example
 * gapBetween("Hi ", ","); // "Hi ,"
 * gapBetween("Thank you ", ""); // undefined
 *
 * @param textBefore Only what follows the last blank line or section tag counts: what a section shows is unknown.
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
  if (before.trim() === "" && CONTINUES.test(after)) return true;
  // Several variables in a row, such as the parts of a name, read well without one.
  const isInRow = /\}\}\s*$/.test(before) && /^\s*\{\{/.test(after);
  return WORD.test(before) && WORD.test(after) && !isInRow;
}
