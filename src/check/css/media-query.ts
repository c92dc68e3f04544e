import type { Mistake } from "../mistake.js";
import { excerpt } from "./excerpt.js";
import { typoOf } from "./typo.js";

const RANGES =
  "width height device-width device-height resolution aspect-ratio device-aspect-ratio color color-index monochrome";
const OTHERS =
  "orientation hover any-hover pointer any-pointer grid scan update scripting color-gamut dynamic-range display-mode forced-colors inverted-colors overflow-block overflow-inline prefers-color-scheme prefers-contrast prefers-reduced-motion prefers-reduced-data prefers-reduced-transparency";
const FEATURES = [...RANGES.split(" ").flatMap((name) => [name, `min-${name}`, `max-${name}`]), ...OTHERS.split(" ")];
/** The values of features that accept only keywords. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  orientation: ["portrait", "landscape"],
  "prefers-color-scheme": ["light", "dark", "no-preference"],
  "prefers-reduced-motion": ["reduce", "no-preference"],
  "prefers-contrast": ["more", "less", "custom", "no-preference"],
};
const TYPES = ["all", "screen", "print", "speech", "aural", "handheld", "projection", "braille", "embossed"];
const WORDS = [...TYPES, "only", "and", "or", "not"];

/** Common mistakes, with the correction in terms of the pattern's groups. */
const BROKEN: readonly (readonly [RegExp, why: string, instead?: string])[] = [
  [/\b(and|or|not|only)\(/, "needs a space after `$1`", "$1 ("],
  [/(\)|(?<![\w-])(?!(?:and|or|not|only)\b)[a-z]+)\s+\(/, "needs an `and` before `(`", "$1 and ("],
  [/(?:^|\band\s+)([a-z-]+\s*:\s*[^\s,(]+)/, "needs parentheses around the condition", "($1)"],
  [/\((?!not\b)([a-z-]+)\s+([\w.%]+)\s*\)/, "needs a colon after `$1`", "($1: $2)"],
  [/\((m(?:in|ax)-[a-z-]+)\s*[<=>]+\s*([\w.%]+)\s*\)/, "needs a colon after `$1`", "($1: $2)"],
  [/\([a-z-]+\s*:\s*\)/, "has no value"],
  [/\(([a-z-]+)\s*:\s*([\d.]+)\s+([a-z]+|%)\s*\)/, "has a space in `$2 $3`", "($1: $2$3)"],
  [/\(([a-z-]*(?:width|height))\s*:\s*(\d*[1-9]\d*)\s*\)/, "has no unit after `$2`", "($1: $2px)"],
  [
    /\(([a-z-]*(?:width|height))\s*:\s*([\d.]+)(?!(?:px|r?em|r?ex|r?ch|r?cap|r?ic|r?lh|cm|mm|q|in|pt|pc|[sld]?v(?:w|h|i|b|min|max))\b)([a-z]+)\s*\)/,
    "has an unknown unit in `$2$3`",
    "($1: $2px)",
  ],
];

/**
 * The mistake in a media query; undefined if it is valid, or if it deliberately targets one client: with a prefix, with
 * `\\0`, or with a media type that only that client knows.
 *
 * @example
 * mistakeInMedia("(max-width 600px)"); // { message: "…", hint: "Write `(max-width: 600px)`." }
 */
export function mistakeInMedia(prelude: string): Mistake | undefined {
  if (/[\\_]|-(?:webkit|moz|ms|o)-/.test(prelude)) return undefined;
  const plain = prelude.replaceAll(/\/\*[^]*?\*\//g, " ").replaceAll(/\(\s+/g, "(");
  const query = plain.trim().toLowerCase();
  const mistake = (why: string, hint?: string): Mistake => ({
    message: `\`@media ${excerpt(prelude)}\` ${why}: email clients ignore everything in it.`,
    ...(hint !== undefined && { hint }),
  });
  for (const [pattern, why, instead] of BROKEN) {
    const [match] = pattern.exec(query) ?? [];
    const expand = (text: string): string => (match ?? "").replace(pattern, text);
    if (match !== undefined) return mistake(expand(why), instead && `Write \`${expand(instead)}\`.`);
  }
  for (const [, bracket, word = "", value = ""] of query.matchAll(/(\()?(?<![\w.])([a-z-]+)(?:\s*:\s*([a-z-]+))?/g)) {
    const suggestion = typoAmong(word, bracket === undefined ? WORDS : FEATURES);
    if (suggestion !== undefined) return mistake(`tests the unknown \`${word}\``, `Did you mean \`${suggestion}\`?`);
    const suggestedValue = typoAmong(value, VALUES[word] ?? []);
    if (suggestedValue !== undefined)
      return mistake(`tests the unknown value \`${word}: ${value}\``, `Did you mean \`${suggestedValue}\`?`);
  }
  return undefined;
}

function typoAmong(word: string, known: readonly string[]): string | undefined {
  return known.includes(word) ? undefined : typoOf(word, known);
}
