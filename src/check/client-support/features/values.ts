import { type Feature, isFeature } from "../data.js";
import { imageFeature } from "./images.js";

/** Words, and names of functions with their parenthesis, whose features are called otherwise. */
const WORDS: readonly (readonly [RegExp, Feature])[] = [
  [/^(?:ok)?l(?:ab|ch)\($/, "css-modern-color"],
  [/^(?:fit|max|min)-content$/, "css-intrinsic-size"],
  [/^(?:system-ui|ui-(?:monospace|rounded|sans-serif|serif))$/, "css-sytem-ui"],
  [/^var\($/, "css-variables"],
];

/** What `display` and its like say is told apart by caniemail. */
const VALUES: Readonly<Record<string, readonly (readonly [RegExp, Feature])[]>> = {
  display: [
    [/\bflex\b/, "css-display-flex"],
    [/\bgrid\b/, "css-display-grid"],
    [/\bnone\b/, "css-display-none"],
  ],
  "flex-flow": [
    [/\bcolumn\b/, "css-flex-direction"],
    [/\bwrap\b/, "css-flex-wrap"],
  ],
};

/** A string, an address or one token: a number with its unit, a function's name with its parenthesis, a word. */
const TOKEN = /"[^"]*"|'[^']*'|url\(\s*(?:"[^"]*"|'[^']*'|[^)]*)\s*\)|[\w.]*\d(?:(%)|([a-z]+)\b)|([\w-]+\(?)/g;

/**
 * What a value uses, whatever its property.
 *
 * @example
 * featuresOfValue("width", "calc(100% - 2rem)"); // css-unit-calc, css-unit-percent, css-unit-rem
 */
export function featuresOfValue(property: string, value: string): Feature[] {
  const byProperty = VALUES[property] ?? [];
  const found = byProperty.flatMap(([pattern, feature]) => (pattern.test(value) ? [feature] : []));
  for (const [token, percent, unit, word] of value.matchAll(TOKEN)) {
    const feature = token.startsWith("url(")
      ? imageFeature(token.slice("url(".length, -1).replaceAll(/^\s*["']?|["']?\s*$/g, ""))
      : word === undefined
        ? [`css-unit-${percent ? "percent" : unit}`].find(isFeature)
        : featureOfWord(word);
    if (feature) found.push(feature);
  }
  return found;
}

function featureOfWord(word: string): Feature | undefined {
  if (word === "initial") return "css-unit-initial";
  if (word.endsWith("(")) {
    const name = word.slice(0, -1).replace(/^repeating-/, "");
    const isOwn = /^(?:rgba?|(?:conic|linear|radial)-gradient)$/.test(name);
    const feature = [isOwn ? `css-${name}` : `css-function-${name}`, `css-unit-${name}`].find(isFeature);
    if (feature) return feature;
  }
  return WORDS.find(([pattern]) => pattern.test(word))?.[1];
}
