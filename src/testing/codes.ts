/**
 * @param pattern What to look for instead of numbers; its first group is the code, if it has one.
 * @throws {Error} There is no code, or there are several.
 */
export function findCode(text: string, pattern: RegExp | undefined): string {
  const [only, ...others] = new Set(pattern === undefined ? usualCodes(text) : matchesOf(text, pattern));
  if (only === undefined) throw new Error("The message contains no code.");
  if (others.length === 0) return only;
  throw new Error("The message contains several codes. Select one with a pattern, as in code(/code: (\\w+)/).");
}

function matchesOf(text: string, pattern: RegExp): string[] {
  const global = new RegExp(pattern, `${pattern.flags.replace("g", "")}g`);
  return Array.from(text.matchAll(global), ([all, group]) => group ?? all);
}

/** Numbers of 4 to 8 digits, also in two halves as in `123 456`; if there are none, mixes of digits and capitals. */
function usualCodes(text: string): string[] {
  const words = text.replaceAll(/https?:\/\/\S+/gi, " ");
  const alone = (code: string) =>
    Array.from(
      words.matchAll(new RegExp(String.raw`(?<![\w.,/#€$£+-])(?:${code})(?![\w/€%-]|[.,]\d)`, "g")),
      ([match]) => match,
    );
  const numbers = alone(String.raw`\d{3}[ -]\d{3}|\d{4,8}`).filter((number) => !/^(?:19|20)\d\d$/.test(number));
  if (numbers.length > 0) return numbers.map((number) => number.replace(/\D/, ""));
  return alone("[0-9A-Z]{4,8}").filter((code) => /\d/.test(code) && /[A-Z]/.test(code));
}
