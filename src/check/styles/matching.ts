import { memoizeByObject, memoizeByString } from "../../cache/memoize.js";
import { compile, type Options } from "css-select";
import { isTraversal, parse, SelectorType, type Selector } from "css-what";
import type { EmailElement, EmailNode } from "../document/nodes.js";

/** A compiled selector. */
export interface CompiledSelector {
  readonly matches: (element: EmailElement) => boolean;
  /** Decides which of two matching rules wins if neither is more important. */
  readonly specificity: number;
  /** Only elements with this name, class or id can match. */
  readonly key: string;
}

/** The key of selectors that may match any element. */
export const ANY = "*";

/**
 * Compiles one selector.
 *
 * @returns undefined if it matches no element, such as `a::before`, or is not valid.
 */
export const compileSelector = memoizeByString(10_000, (selector): CompiledSelector | undefined => {
  const parsed = parseSelector(selector);
  const [tokens] = parsed;
  if (!tokens || parsed.length > 1) return undefined;
  try {
    const matches = compile<EmailNode, EmailElement>(parsed, { adapter });
    return { matches, specificity: specificityOf(tokens), key: keyOf(tokens) };
  } catch {
    return undefined;
  }
});

/** The tokens of each selector in a list; empty if the list is not valid. */
export const parseSelector = memoizeByString(10_000, (selectors): Selector[][] => {
  try {
    return parse(selectors);
  } catch {
    return [];
  }
});

/** The keys of selectors that may match an element. */
export function keysOf(element: EmailElement): string[] {
  const id = element.attribute("id");
  const classes = element.attribute("class");
  const keys = [ANY, element.name];
  if (id !== undefined) keys.push(`#${id}`);
  if (classes !== undefined) for (const name of classes.split(/\s+/)) keys.push(`.${name}`);
  return keys;
}

function keyOf(tokens: readonly Selector[]): string {
  const last = tokens.slice(tokens.findLastIndex(isTraversal) + 1);
  for (const token of last) {
    if (token.type === SelectorType.Attribute && isClassOrId(token))
      return `${token.name === "id" ? "#" : "."}${token.value}`;
  }
  const tag = last.find((token) => token.type === SelectorType.Tag);
  return tag ? tag.name.toLowerCase() : ANY;
}

/** Whether a token is `.a` or `#a`. css-what parses them as attributes, and marks only them with "quirks". */
export function isClassOrId(token: Selector | undefined): boolean {
  return token?.type === SelectorType.Attribute && token.ignoreCase === "quirks";
}

/** https://www.w3.org/TR/selectors-4/#specificity-rules, as one number. */
function specificityOf(tokens: readonly Selector[]): number {
  return tokens.reduce((sum, token) => {
    if (token.type === SelectorType.Attribute) return sum + (isClassOrId(token) && token.name === "id" ? 1e6 : 1e3);
    if (token.type === SelectorType.Tag) return sum + 1;
    if (token.type !== SelectorType.Pseudo) return sum;
    if (!Array.isArray(token.data)) return sum + 1e3;
    return token.name === "where" ? sum : sum + Math.max(0, ...token.data.map(specificityOf));
  }, 0);
}

const adapter: Options<EmailNode, EmailElement>["adapter"] = {
  isTag: (node): node is EmailElement => node.kind === "element",
  getAttributeValue: (element, name) => element.attribute(name),
  getChildren: (node) => (node.kind === "element" ? node.children : []),
  getName: (element) => element.name,
  getParent: ({ parent }) => (parent?.name ? parent : null),
  getSiblings: ({ parent }) => parent?.children ?? [],
  getText: (node) => (node.kind === "comment" ? "" : node.text),
  hasAttrib: (element, name) => element.attributes.has(name),
  removeSubsets: (nodes) => nodes,
};

/** The screen on which an email is shown. */
export interface MediaContext {
  /** In pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export const LIGHT: MediaContext = { width: 1024, scheme: "light" };
export const DARK: MediaContext = { width: 1024, scheme: "dark" };
/** The width of a small phone. */
export const PHONE: MediaContext = { width: 375, scheme: "light" };

/**
 * Whether a rule inside these at-rules applies in a view. At-rules and conditions that are not understood, such as
 * `@supports`, count as false.
 */
export function applies(within: readonly string[], view: MediaContext): boolean {
  const applyingIn = rulesIn(view);
  return within.every((rule) => applyingIn(rule));
}

/** The same few at-rules are tested for each element. */
const rulesIn = memoizeByObject((view: MediaContext) => memoizeByString(1000, (rule) => matchesIn(view, rule)));

function matchesIn(view: MediaContext, rule: string): boolean {
  const [, queries] = /^@media\b([^]*)$/i.exec(rule.toLowerCase()) ?? [];
  if (queries === undefined) return false;
  const all = queries.replaceAll(/[()]/g, " ").split(",");
  return all.some((query) => query.split(/\band\b/).every((condition) => holds(condition.trim(), view)));
}

function holds(condition: string, { width, scheme }: MediaContext): boolean {
  if (/^(?:(?:only\s+)?(?:screen|all))?$/.test(condition)) return true;
  const [, name, value = ""] = /^([a-z-]+)\s*:\s*(.*)$/.exec(condition) ?? [];
  if (name === "prefers-color-scheme") return value === scheme;
  const limit = lengthOf(value);
  if (limit === undefined) return false;
  if (name === "min-width" || name === "min-device-width") return width >= limit;
  return (name === "max-width" || name === "max-device-width") && width <= limit;
}

function lengthOf(value: string): number | undefined {
  const [, number, unit = "px"] = /^(\d*\.?\d+)(px|r?em)?$/.exec(value) ?? [];
  return number === undefined ? undefined : Number(number) * (unit === "px" ? 1 : 16);
}
