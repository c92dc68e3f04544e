import type { CssNode } from "css-tree";
import type { Mistake } from "../rule.js";
import { tokenize, tokenNames } from "css-tree/tokenizer";
import { nearest } from "../../text/nearest.js";

/** A mistake, and whether it swallows the CSS after it. */
interface DeclarationMistake extends Mistake {
  readonly isOpen?: boolean;
}

const COMMENT = "Write `/* … */`.";

/** Finds the mistake in a declaration without Mustache tags, or in text that css-tree could not parse as a declaration. */
export function mistakeInDeclaration(
  node: Extract<CssNode, { type: "Declaration" | "Raw" }>,
  all: readonly CssToken[],
): DeclarationMistake | undefined {
  const tokens = all.filter((token) => !isBlank(token));
  const written = excerpt(all.map(({ text }) => text).join(""));
  const [first, second] = tokens;
  if (first?.text === "$" && second?.kind === "ident")
    return {
      message: `\`${written}\` is preprocessor syntax, not CSS: email clients ignore it.`,
      hint: "Compile it to CSS first.",
    };
  if (written.startsWith("//"))
    return { message: `\`//\` does not start a comment in CSS: email clients ignore \`${written}\`.`, hint: COMMENT };
  const broken = tokens.find(isBroken);
  if (broken?.kind === "string" || broken?.kind === "bad-string")
    return { message: `The quote in \`${written}\` is never closed and swallows the CSS after it.`, isOpen: true };
  if (broken || unclosedBracket(tokens))
    return {
      message: `A bracket in \`${written}\` is never closed and swallows the CSS after it.`,
      hint: "Add `)`.",
      isOpen: true,
    };
  if (node.type === "Raw") return withoutColon(written, tokens);
  // Custom properties and hacks for old clients accept any value.
  if (!/^-?[a-z]/i.test(node.property)) return undefined;

  const value = tokens.slice(tokens.findIndex(({ text }) => text === ":") + 1);
  if (value.length === 0) return { message: `\`${written}\` has no value: email clients ignore it.` };
  if (hasSlashes(value))
    return { message: `\`//\` does not start a comment in CSS: email clients ignore \`${written}\`.`, hint: COMMENT };
  const following = nextProperty(node.property, value);
  if (following)
    return {
      message: `A \`;\` is missing before \`${following.text}\`: email clients ignore \`${written}\`.`,
      hint: `Add \`;\` before \`${following.text}\`.`,
    };
  // Old versions of Internet Explorer accepted any word.
  if (typeof node.important === "string" && !/^(?:important|ie)$/i.test(node.important))
    return { message: `\`!${node.important}\` is not \`!important\`: email clients ignore \`${written}\`.` };
  return undefined;
}

function withoutColon(written: string, [first, second]: readonly CssToken[]): Mistake {
  if (first?.kind !== "ident") return { message: `\`${written}\` is not a declaration: email clients ignore it.` };
  return {
    message: `\`${written}\` has no colon: email clients ignore it.`,
    ...(second && { hint: `Write \`${first.text}: …\`.` }),
  };
}

/** Whether a string or URL is not closed where it should be. */
function isBroken({ kind, text }: CssToken): boolean {
  if (kind === "bad-string" || kind === "bad-url") return true;
  if (kind === "url") return !text.endsWith(")");
  return kind === "string" && (text.length === 1 || text.at(-1) !== text[0]);
}

/** The first opening bracket without a closing one. */
export function unclosedBracket(tokens: readonly CssToken[]): CssToken | undefined {
  const open: CssToken[] = [];
  for (const token of tokens) {
    if (token.kind === "(" || token.kind === "[" || token.kind === "function") open.push(token);
    else if (token.kind === ")" || token.kind === "]") open.pop();
  }
  return open[0];
}

/** Whether a value contains `//` outside a URL. */
function hasSlashes(tokens: readonly CssToken[]): boolean {
  return tokens.some(({ text, end }, index) => {
    const next = tokens[index + 1];
    return text === "/" && next?.text === "/" && next.start === end && tokens[index - 1]?.text !== ":";
  });
}

/** The property name of a declaration that starts inside the value of another. */
function nextProperty(property: string, value: readonly CssToken[]): CssToken | undefined {
  if (/filter$/i.test(property)) return undefined;
  let open = 0;
  for (const [index, token] of value.entries()) {
    if (/\($|^\[$/.test(token.text) && token.kind !== "string") open += 1;
    else if (token.kind === ")" || token.kind === "]") open -= 1;
    const isName = token.kind === "ident" && token.text.toLowerCase() !== "progid";
    const [colon, next] = value.slice(index + 1);
    // The scheme of a URL is not a property: `http://…`.
    if (isName && open === 0 && colon?.text === ":" && next?.text !== "/") return token;
  }
  return undefined;
}

export interface CssToken {
  /** css-tree's name of the token type, without `-token`: `ident`, `string`, `colon`, `{`. */
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function cssTokens(css: string): CssToken[] {
  const tokens: CssToken[] = [];
  tokenize(css, (type, start, end) => {
    tokens.push({ kind: KINDS[type] ?? "", text: css.slice(start, end), start, end });
  });
  return tokens;
}

const KINDS = tokenNames.map((name) => name.replace(/-token$/, ""));

/** Whether a token has no meaning: white space, a comment, `<!--` and `-->` around a stylesheet. */
export function isBlank({ kind }: CssToken): boolean {
  return /^(?:whitespace|comment|CDO|CDC)$/.test(kind);
}

/** A string whose Mustache tags are replaced with fillers of the same length, so that offsets stay valid. */
export interface Masked {
  readonly text: string;
  /** Whether the range overlaps a tag or an entity, so that its content is unknown. */
  isOpen(start: number, end: number): boolean;
  /** Whether each section ends at the nesting depth at which it starts; `depthAt` counts the open blocks at an offset. */
  isEven(depthAt: (offset: number) => number): boolean;
}

/** `}}}` ends a tag only if `{{{` starts it: in `{color:{{color}}}`, the last brace is CSS. */
const TAG = /\{\{(?:\{[^{}]*\}|\s*([#^/!>&=]?)[^{}]*)\}\}/g;
const COMMENT_TAG = /\{\{![^]*?\}\}/g;

/**
 * Replaces the tags of variables with underscores, and those of sections, comments and partials with spaces.
 *
 * @example
 * masked("color: {{c}}; {{#big}}font-size: 20px{{/big}}").text; // "color: _____;          font-size: 20px        "
 */
export function masked(written: string): Masked {
  if (!written.includes("{{")) return { text: written, isOpen: () => false, isEven: () => true };
  const tags: { readonly start: number; readonly end: number }[] = [];
  const sections: { readonly kind: string; readonly start: number; readonly end: number }[] = [];
  const hide = (tag: string, filler: string, start: number): string => {
    tags.push({ start, end: start + tag.length });
    return tag.replaceAll(/[^\n]/g, filler);
  };
  const text = written
    .replaceAll(COMMENT_TAG, (tag, offset: number) => hide(tag, " ", offset))
    .replaceAll(TAG, (tag, kind = "", offset: number) => {
      if (/[#^/]/.test(kind)) sections.push({ kind, start: offset, end: offset + tag.length });
      return hide(tag, kind === "" || kind === "&" ? "_" : " ", offset);
    });
  return {
    text,
    isOpen: (start, end) => tags.some((each) => each.start < end && each.end > start),
    isEven(depthAt) {
      const depths: number[] = [];
      return sections.every(({ kind, start }) =>
        kind === "/" ? depthAt(start) === depths.pop() : depths.push(depthAt(start)) > 0,
      );
    },
  };
}

/**
 * Decodes the entities for quotes and `&` in an attribute's value without changing its length: fillers follow each decoded
 * character. Other entities become Mustache tags, so that their content counts as unknown.
 */
export function withoutEntities(value: string): string {
  if (!value.includes("&")) return value;
  return value.replaceAll(/&(#?\w+);/g, (entity, name: string) => {
    const character = CHARACTERS[name.toLowerCase()];
    if (character === "&") return character.padEnd(entity.length, "_");
    return (
      character?.padEnd(entity.length) ?? `{{${"_".repeat(Math.max(entity.length - 4, 0))}}}`.slice(0, entity.length)
    );
  });
}

const CHARACTERS: Readonly<Record<string, string>> = {
  quot: '"',
  "#34": '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  amp: "&",
};

const LONGEST = 60;

/** Collapses white space and shortens text to fit into a message. */
export function excerpt(written: string): string {
  const short = written.replaceAll(/\s+/g, " ").trim();
  return short.length > LONGEST ? `${short.slice(0, LONGEST - 1).trimEnd()}…` : short;
}

/** Names of at least this length may have two wrong letters. */
const LONG = 10;

/** The candidate that a name is probably a typo of. Names that differ more may be valid but missing from the candidates. */
export function typoOf(name: string, candidates: readonly string[]): string | undefined {
  if (name.length < 4) return undefined;
  const maxDistance = name.length < LONG ? 1 : 2;
  return nearest(name, candidates, maxDistance);
}
