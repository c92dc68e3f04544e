import type { Mistake } from "../mistake.js";

/** What takes one of a few words. */
export function notOneOf(value: string, attribute: string, words: readonly string[], effect = IGNORED): Mistake {
  return { message: `\`${value}\` is no value of \`${attribute}\`: ${effect}.`, hint: `Write ${listed(words)}.` };
}

export const IGNORED = "mail clients ignore it";

/** `` `a`, `b` or `c` `` */
function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}
