import type { Mistake } from "../mistake.js";
import { excerpt } from "./excerpt.js";
import { type CssToken, cssTokens, isBlank } from "./tokens.js";
import { typoOf } from "./typo.js";

const LENGTHS = ["width", "height", "device-width", "device-height"];
const RANGES = [...LENGTHS, "resolution", "aspect-ratio", "device-aspect-ratio", "color", "color-index", "monochrome"];
const OTHERS = [
  "orientation",
  "hover",
  "any-hover",
  "pointer",
  "any-pointer",
  "grid",
  "scan",
  "update",
  "scripting",
  "color-gamut",
  "dynamic-range",
  "display-mode",
  "forced-colors",
  "inverted-colors",
  "overflow-block",
  "overflow-inline",
  "prefers-color-scheme",
  "prefers-contrast",
  "prefers-reduced-motion",
  "prefers-reduced-data",
  "prefers-reduced-transparency",
];
/** What those with few values may be. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  orientation: ["portrait", "landscape"],
  "prefers-color-scheme": ["light", "dark", "no-preference"],
  "prefers-reduced-motion": ["reduce", "no-preference"],
  "prefers-contrast": ["more", "less", "custom", "no-preference"],
};
const FEATURES = [...RANGES.flatMap((name) => [name, `min-${name}`, `max-${name}`]), ...OTHERS];
const TYPES = ["all", "screen", "print", "speech", "aural", "handheld", "projection", "braille", "embossed"];
const JOINERS: ReadonlySet<string> = new Set(["and", "or", "not", "only", ","]);

/**
 * What mail clients don't take of a media query; undefined where it is fine, and where it is written for one client by
 * intention: with prefixes, with `\\0`, or with a type that nobody else knows.
 *
 * @example
 * mistakeInMedia("(max-width 600px)"); // { message: "…", hint: "Write `(max-width: 600px)`." }
 */
export function mistakeInMedia(prelude: string): Mistake | undefined {
  if (/[\\_]|-(?:webkit|moz|ms|o)-/.test(prelude)) return undefined;
  const tokens = cssTokens(prelude).filter((token) => token.kind !== "comment");
  const said = (why: string, hint?: string): Mistake => ({
    message: `\`@media ${excerpt(prelude)}\` ${why}: mail clients drop what is in it.`,
    ...(hint !== undefined && { hint }),
  });
  let before: CssToken | undefined;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token || isBlank(token)) continue;
    const word = token.text.toLowerCase();
    if (token.kind === "(") {
      const end = closingOf(tokens, index);
      if (before && !JOINERS.has(before.text.toLowerCase()))
        return said("lacks an `and`", "Write `and` before the bracket.");
      const wrong = mistakeInBrackets(tokens.slice(index + 1, end));
      if (wrong) return said(...wrong);
      index = end;
    } else if (token.kind === "function") {
      const name = word.slice(0, -1);
      if (JOINERS.has(name)) return said(`lacks a blank behind \`${name}\``, `Write \`${name} (\`.`);
      index = closingOf(tokens, index);
    } else if (token.kind === ":") return said("has no brackets", `Write \`(${prelude.trim()})\`.`);
    else if (token.kind === "ident" && !JOINERS.has(word)) {
      const meant = typoOf(word, [...TYPES, "only"]);
      if (meant !== undefined && !TYPES.includes(word))
        return said(`asks for \`${word}\``, `Did you mean \`${meant}\`?`);
    }
    before = tokens[index];
  }
  return undefined;
}

function mistakeInBrackets(all: readonly CssToken[]): [why: string, hint?: string] | undefined {
  const tokens = all.filter((token) => !isBlank(token));
  const [first, second] = tokens;
  if (first?.kind === "(" || first?.text.toLowerCase() === "not") return undefined;
  const name = tokens.find(({ kind }) => kind === "ident")?.text.toLowerCase();
  if (first?.kind !== "ident" || name === undefined) return undefined;
  const meant = FEATURES.includes(name) ? undefined : typoOf(name, FEATURES);
  if (meant !== undefined) return [`asks for \`${name}\``, `Did you mean \`${meant}\`?`];
  const isCompared = /^[=<>]$/.test(second?.text ?? "") && /^m(?:in|ax)-/.test(name);
  if (isCompared || second?.kind === "dimension" || second?.kind === "number" || second?.kind === "ident") {
    const value = tokens.slice(1).flatMap(({ text }) => (/^[=<>]$/.test(text) ? [] : text));
    return [`has no colon behind \`${name}\``, `Write \`(${name}: ${value.join(" ")})\`.`];
  }
  const mistake = mistakeInChoice(name, tokens.slice(2));
  if (mistake) return mistake;
  const isLength = LENGTHS.some((each) => name === each || name === `min-${each}` || name === `max-${each}`);
  const [value, unit, ...others] = tokens.slice(2);
  if (!isLength || second?.kind !== ":" || others.length > 0) return undefined;
  return mistakeInLength(value, unit);
}

function mistakeInChoice(name: string, [value, ...others]: readonly CssToken[]): [string, string?] | undefined {
  const known = VALUES[name] ?? [];
  const word = value?.text.toLowerCase() ?? "";
  const meant = value?.kind !== "ident" || others.length > 0 || known.includes(word) ? undefined : typoOf(word, known);
  return meant === undefined ? undefined : [`asks for \`${name}: ${word}\``, `Did you mean \`${meant}\`?`];
}

function mistakeInLength(value: CssToken | undefined, unit: CssToken | undefined): [string, string?] | undefined {
  if (!value) return ["has no value"];
  if (unit) {
    const isApart = value.kind === "number" && unit.kind === "ident";
    return isApart
      ? [`has a blank in \`${value.text} ${unit.text}\``, `Write \`${value.text}${unit.text}\`.`]
      : undefined;
  }
  if (value.kind === "number" && Number(value.text) !== 0)
    return [`has no unit behind \`${value.text}\``, `Write \`${value.text}px\`.`];
  const [, number = "", name = ""] = /^([\d.+-]+)([a-z]+)$/i.exec(value.text) ?? [];
  if (value.kind !== "dimension" || name === "" || KNOWN_UNIT.test(name)) return undefined;
  return [`has no unit that is known in \`${value.text}\``, `Write \`${number}px\`.`];
}

const KNOWN_UNIT = /^(?:px|r?em|r?ex|r?ch|r?cap|r?ic|r?lh|cm|mm|q|in|pt|pc|[sld]?v(?:w|h|i|b|min|max))$/i;

function closingOf(tokens: readonly CssToken[], from: number): number {
  let open = 0;
  for (let index = from; index < tokens.length; index += 1) {
    const kind = tokens[index]?.kind;
    if (kind === "(" || kind === "function") open += 1;
    else if (kind === ")") open -= 1;
    if (open === 0) return index;
  }
  return tokens.length - 1;
}
