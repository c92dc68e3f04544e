import { memoizeByString } from "../../cache/memoize.js";
import type { DSNode } from "css-tree";
import type { Mistake } from "../rule.js";
import { excerpt, cssTokens, typoOf } from "./declaration.js";
import type { CssAtRule, CssDeclaration } from "./read-css.js";

/** The grammar of CSS. */
export type Grammar = Awaited<ReturnType<typeof readGrammar>>;

let loading: Promise<Grammar> | undefined;

/** Loads the grammar of CSS once: its tables are large. */
export function loadGrammar(): Promise<Grammar> {
  loading ??= readGrammar();
  return loading;
}

async function readGrammar() {
  const [{ Lexer }, { walk }, { default: data }] = await Promise.all([
    import("css-tree/lexer"),
    import("css-tree/definition-syntax"),
    import("css-tree/dist/data"),
  ]);
  const lexer = new Lexer({ generic: true, ...data, types: { ...data.types, ...CORRECTIONS } }, {}, {});
  return {
    properties: Object.keys(lexer.properties).filter((name) => !name.startsWith("-")),
    atRules: Object.keys(data.atrules),
    /** @param name In lower case. */
    isProperty: (name: string): boolean => lexer.getProperty(name) !== null,
    /** Whether a value without `!important` is valid for a property. True if css-tree gives up on a long value. */
    takes(property: string, value: string): boolean {
      const { matched, error } = withoutWarnings(() => lexer.matchProperty(property, value));
      return matched !== null || error?.message.startsWith("Maximum iteration number exceeded") === true;
    },
    /** The keywords that a property accepts, including colour names. */
    keywordsOf(property: string): readonly string[] {
      const keywords = new Set<string>();
      const visited = new Set<DSNode>();
      const visit = (syntax: DSNode | null | undefined): void => {
        if (!syntax || visited.has(syntax)) return;
        visited.add(syntax);
        walk(syntax, (node) => {
          if (node.type === "Keyword" && /^[a-z]/.test(node.name)) keywords.add(node.name);
          else if (node.type === "Type") visit(lexer.types[node.name]?.syntax);
          else if (node.type === "Property") visit(lexer.properties[node.name]?.syntax);
        });
      };
      visit(lexer.getProperty(property)?.syntax);
      return [...keywords];
    },
  };
}

/** css-tree's `radial-size` is that of gradients, which rejects `circle(50%)`. */
const CORRECTIONS = { "radial-size": "<radial-extent>{1,2}|<length-percentage [0,∞]>{1,2}" };

/** css-tree prints a warning where it gives up. */
function withoutWarnings<Result>(match: () => Result): Result {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- css-tree has no option for it
  console.warn = () => undefined;
  try {
    return match();
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = warn;
  }
}

/** The mistake in a declaration; undefined if it is valid or its validity is unknown. */
export function mistakeInValue(
  { property, value }: Pick<CssDeclaration, "property" | "value">,
  grammar: Grammar,
): Mistake | undefined {
  return /^mso-|^[^a-z]/i.test(property)
    ? undefined
    : findMistake(`${property}:${value}`, property.toLowerCase(), value, grammar);
}

/** The mistake in the name of an at-rule, if it is probably a typo. */
export function mistakeInName({ name }: Pick<CssAtRule, "name">, { atRules }: Grammar): Mistake | undefined {
  const suggestion = atRules.includes(name) || name.startsWith("-") ? undefined : typoOf(name, atRules);
  if (suggestion === undefined) return undefined;
  return {
    message: `There is no \`@${name}\`: email clients ignore it and everything in it.`,
    hint: didYouMean(`@${suggestion}`),
  };
}

/** Values for a single client, and values that are unknown until the email is rendered. */
const UNSURE =
  /\\|\b(?:var|env|constant|attr|if|expression|alpha|chroma)\(|progid|(?<![\w-])-(?:webkit|moz|ms|o|khtml|apple|epub)-|\{\{/i;

/** Templates repeat most of their declarations. */
const findMistake = memoizeByString(
  5000,
  (_declaration, property: string, value: string, grammar: Grammar): Mistake | undefined => {
    if (!grammar.isProperty(property)) {
      const suggestion = typoOf(property, grammar.properties);
      if (suggestion === undefined) return undefined;
      return {
        message: `There is no CSS property \`${property}\`: email clients ignore it.`,
        hint: didYouMean(suggestion),
      };
    }
    if (UNSURE.test(value)) return undefined;
    const curly = /[“”„‟‘’‚]/.exec(value.replaceAll(/"[^"]*"|'[^']*'/g, ""));
    if (curly)
      return {
        message: `The quotes of \`${excerpt(`${property}: ${value}`)}\` are curly quotes, which CSS treats as part of the name.`,
        hint: "Write ' or \" instead.",
      };
    const plain = value.replaceAll(/\/\*[^]*?\*\//g, " ").trim();
    if (NEVER_NEGATIVE.test(property) && NEGATIVE.test(plain))
      return { message: `\`${property}\` can't be negative: email clients ignore \`${excerpt(plain)}\`.` };
    if (grammar.takes(property, plain)) return undefined;
    const accepts = (other: string): boolean => other !== plain && grammar.takes(property, other);
    return {
      message: `\`${excerpt(plain)}\` is not a valid value of \`${property}\`: email clients ignore it.`,
      ...suggestCorrection(plain, { accepts, keywords: () => grammar.keywordsOf(property) }),
    };
  },
);

/** css-tree does not check that these are not negative. */
const NEVER_NEGATIVE =
  /^(?:(?:min-|max-)?(?:width|height)|padding(?:-\w+)*|line-height|font-size|border(?:-\w+)?-(?:width|radius)|border-spacing)$/;
const NEGATIVE = /(?<![\w.(-])-(?:\d|\.\d)(?![^(]*\))/;

interface Syntax {
  readonly accepts: (value: string) => boolean;
  readonly keywords: () => readonly string[];
}

/** The correction, if a single change makes the value valid. */
function suggestCorrection(value: string, { accepts, keywords }: Syntax): { readonly hint?: string } {
  const digits = /#([0-9a-f]+)(?![\w-])/i.exec(value)?.[1];
  if (digits !== undefined && ![3, 4, 6, 8].includes(digits.length))
    return { hint: `A colour has 3, 4, 6 or 8 digits; \`#${digits}\` has ${digits.length}.` };
  const corrections: readonly (readonly [why: string, other: string])[] = [
    ["The unit is missing", value.replaceAll(NUMBER, (number) => (Number(number) === 0 ? number : `${number}px`))],
    ["There is a space between the number and its unit", value.replaceAll(APART, "$1$2")],
    ["Values are separated by spaces, not commas", value.replaceAll(/\s*,\s*/g, " ")],
    ["The `#` is missing", value.replaceAll(/(?<![\w#.-])(?:[0-9a-f]{6}|[0-9a-f]{3})(?![\w.%-])/gi, "#$&")],
    ["A URL must be in `url()`", value.replaceAll(/(?<![("'])https?:\/\/[^\s,]+/gi, "url($&)")],
    ["There is no such unit", value.replaceAll(/(?<![\w#.-])(\d*\.?\d+)[a-z]{1,4}\b/gi, "$1px")],
  ];
  const correction = corrections.find(([, other]) => accepts(other));
  if (correction) return { hint: `${correction[0]}: write \`${excerpt(correction[1])}\`.` };
  for (const { kind, text, start, end } of cssTokens(value)) {
    const suggestion = kind === "ident" ? typoOf(text, keywords()) : undefined;
    const other = suggestion !== undefined && value.slice(0, start) + suggestion + value.slice(end);
    if (suggestion !== undefined && other !== false && accepts(other)) return { hint: didYouMean(suggestion) };
  }
  return {};
}

const NUMBER = /(?<![\w.#%-]|[\w)]\s?[-+*/] ?)[-+]?\d*\.?\d+(?![\w.%])/g;
const APART = /(?<![\w.#-])([-+]?\d*\.?\d+)\s+(px|pt|em|rem|%)(?![\w%])/gi;

function didYouMean(name: string): string {
  return `Did you mean \`${name}\`?`;
}

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
