/**
 * @param pattern What to look for instead of numbers; its first group is the code, where it has one.
 * @throws {Error} There is none, or there are several.
 */
export function findCode(text: string, pattern: RegExp | undefined): string {
  const [only, ...others] = new Set(pattern === undefined ? usualCodes(text) : matchesOf(text, pattern));
  if (only === undefined) throw new Error("The mail has no code in it.");
  if (others.length === 0) return only;
  throw new Error("The mail has several codes in it; say which with a pattern, as in code(/code: (\\w+)/).");
}

function matchesOf(text: string, pattern: RegExp): string[] {
  const global = new RegExp(pattern, `${pattern.flags.replace("g", "")}g`);
  return Array.from(text.matchAll(global), ([all, group]) => group ?? all);
}

/** 4 to 8 digits that stand alone, also in two halves as in `123 456`; where there are none, digits mixed with capitals. */
function usualCodes(text: string): string[] {
  const words = text.replaceAll(/https?:\/\/\S+/gi, " ");
  const alone = (code: string) =>
    Array.from(
      words.matchAll(new RegExp(String.raw`(?<![\w.,/#€$£+-])(?:${code})(?![\w/€%-]|[.,]\d)`, "g")),
      ([found]) => found,
    );
  const numbers = alone(String.raw`\d{3}[ -]\d{3}|\d{4,8}`).filter((number) => !/^(?:19|20)\d\d$/.test(number));
  if (numbers.length > 0) return numbers.map((number) => number.replace(/\D/, ""));
  return alone("[0-9A-Z]{4,8}").filter((code) => /\d/.test(code) && /[A-Z]/.test(code));
}
