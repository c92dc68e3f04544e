import { compile, type Options } from "css-select";
import { AttributeAction, parse, type Selector, SelectorType } from "css-what";
import type { EmailElement, EmailNode } from "../document/nodes.js";

/** A selector, ready to be asked. */
export interface CompiledSelector {
  readonly matches: (element: EmailElement) => boolean;
  /** Which of two that match wins, where neither is more important. */
  readonly specificity: number;
  /** An element has to have this name, class or id to be matched. */
  readonly key: string;
}

/** The key of what may match any element. */
export const ANY = "*";

/**
 * Reads one selector.
 *
 * @returns undefined for what matches no element by itself, such as `a::before`, and for what is no selector.
 */
export function compileSelector(selector: string): CompiledSelector | undefined {
  if (known.has(selector)) return known.get(selector);
  if (known.size >= MOST_KNOWN) known.clear();
  const compiled = readSelector(selector);
  known.set(selector, compiled);
  return compiled;
}

/** Templates of a project share most of their selectors. */
const known = new Map<string, CompiledSelector | undefined>();
const MOST_KNOWN = 10_000;

function readSelector(selector: string): CompiledSelector | undefined {
  try {
    const parsed = parse(selector);
    const [tokens] = parsed;
    if (!tokens || parsed.length > 1) return undefined;
    const matches = compile<EmailNode, EmailElement>(selector, { adapter });
    return { matches, specificity: specificityOf(tokens), key: keyOf(tokens) };
  } catch {
    return undefined;
  }
}

/** Under which keys selectors are found that may match an element. */
export function keysOf(element: EmailElement): string[] {
  const id = element.attribute("id");
  const classes = element.attribute("class");
  const keys = [ANY, element.name];
  if (id !== undefined) keys.push(`#${id}`);
  if (classes !== undefined) for (const name of classes.split(/\s+/)) keys.push(`.${name}`);
  return keys;
}

function keyOf(tokens: readonly Selector[]): string {
  const last = tokens.slice(tokens.findLastIndex((token) => COMBINATORS.has(token.type)) + 1);
  for (const token of last) {
    if (token.type === SelectorType.Attribute && token.name === "id" && token.action === AttributeAction.Equals)
      return `#${token.value}`;
    if (token.type === SelectorType.Attribute && token.name === "class" && token.action === AttributeAction.Element)
      return `.${token.value}`;
  }
  const tag = last.find((token) => token.type === SelectorType.Tag);
  return tag ? tag.name.toLowerCase() : ANY;
}

const COMBINATORS: ReadonlySet<SelectorType> = new Set([
  SelectorType.Descendant,
  SelectorType.Child,
  SelectorType.Adjacent,
  SelectorType.Sibling,
]);

/** https://www.w3.org/TR/selectors-4/#specificity-rules, as one number. */
function specificityOf(tokens: readonly Selector[]): number {
  return tokens.reduce((sum, token) => {
    if (token.type === SelectorType.Attribute)
      return sum + (token.name === "id" && token.action === AttributeAction.Equals ? 1e6 : 1e3);
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
