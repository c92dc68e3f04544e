import { type Feature, isFeature } from "../data.js";

const COMBINATORS: Readonly<Record<string, Feature>> = {
  ">": "css-selector-child",
  "+": "css-selector-adjacent-sibling",
  "~": "css-selector-general-sibling",
  " ": "css-selector-descendant",
};

/** What stands between combinators: an attribute, a pseudo-class or -element, a class, an id, an element's name or `*`. */
const SIMPLE = /\[[^\]]*\]|::?[\w-]+|[.#][\w-]+|\*|[\w-]+|&|%/g;

/**
 * What a selector, or a list of them, asks of a mail client.
 *
 * @example
 * featuresOfSelector("a:hover > .icon"); // css-selector-type, css-pseudo-class-hover, css-selector-child, css-selector-class
 */
export function featuresOfSelector(selector: string): readonly Feature[] {
  const remembered = known.get(selector);
  if (remembered) return remembered;
  const found = new Set<Feature>();
  read(plain(selector), found);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(selector, [...found]);
  return [...found];
}

/** Templates of a project share most of their selectors. */
const known = new Map<string, readonly Feature[]>();
const MOST_KNOWN = 10_000;

/** Escaped characters, as `\:` in the names that Tailwind makes, and strings are parts of names. */
function plain(selector: string): string {
  return selector.replaceAll(/\\./g, "_").replaceAll(/"[^"]*"|'[^']*'/g, "_");
}

function read(selector: string, found: Set<Feature>): void {
  const within: string[] = [];
  const flat = withoutParentheses(selector, within);
  const list = flat.split(",");
  if (list.length > 1) found.add("css-selector-grouping");
  for (const each of list) {
    for (const [combinator] of each.trim().matchAll(/\s*[>+~]\s*|\s+/g)) {
      const feature = COMBINATORS[combinator.trim() || " "];
      if (feature) found.add(feature);
    }
    for (const compound of each.trim().split(/[\s>+~]+/)) readCompound(compound, found);
  }
  for (const inner of within) read(inner, found);
}

/** The selectors of `:not(…)` and its like apart; what `:nth-child(…)` and `:lang(…)` take is none. */
function withoutParentheses(selector: string, within: string[]): string {
  const flat = selector.replaceAll(/:([\w-]+)\(([^()]*)\)/g, (_, name: string, inner: string) => {
    if (!/^(?:nth-|lang$|dir$)/.test(name)) within.push(inner);
    return `:${name}`;
  });
  return flat === selector ? selector : withoutParentheses(flat, within);
}

function readCompound(compound: string, found: Set<Feature>): void {
  const names = [...compound.replaceAll(/\[[^\]]*\]/g, "[]").matchAll(SIMPLE)].map(([name]) => name);
  if (names.filter((name) => /^[.#]/.test(name)).length > 1) found.add("css-selector-chaining");
  for (const name of names) {
    const feature = featureOf(name);
    if (feature) found.add(feature);
  }
}

function featureOf(name: string): Feature | undefined {
  if (name.startsWith("[")) return "css-selector-attribute";
  if (name.startsWith(".")) return "css-selector-class";
  if (name.startsWith("#")) return "css-selector-id";
  if (name === "*") return "css-selector-universal";
  if (name.startsWith(":")) return pseudo(name.replaceAll(":", "").toLowerCase());
  return /^[a-z]/i.test(name) ? "css-selector-type" : undefined;
}

/** `:before` is the old way to write `::before`. */
function pseudo(name: string): Feature | undefined {
  return [`css-pseudo-class-${name}`, `css-pseudo-element-${name}`].find(isFeature);
}
