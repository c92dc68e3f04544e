import { type Feature, isFeature } from "../data.js";
import { imageFeature } from "./images.js";

/** Keywords, and function names with their parenthesis, whose features have another name. */
const WORDS: readonly (readonly [RegExp, Feature])[] = [
  [/^(?:ok)?l(?:ab|ch)\($/, "css-modern-color"],
  [/^(?:fit|max|min)-content$/, "css-intrinsic-size"],
  [/^(?:system-ui|ui-(?:monospace|rounded|sans-serif|serif))$/, "css-sytem-ui"],
  [/^var\($/, "css-variables"],
];

/** Values with separate features in caniemail. */
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

/** A string, a URL, or a token: a number with its unit, a function name with its parenthesis, or a keyword. */
const TOKEN = /"[^"]*"|'[^']*'|url\(\s*(?:"[^"]*"|'[^']*'|[^)]*)\s*\)|[\w.]*\d(?:(%)|([a-z]+)\b)|([\w-]+\(?)/g;

/**
 * The features that a value uses.
 *
 * @example
 * featuresOfValue("width", "calc(100% - 2rem)"); // css-unit-calc, css-unit-percent, css-unit-rem
 */
export function featuresOfValue(property: string, value: string): Feature[] {
  const byProperty = VALUES[property] ?? [];
  const features = byProperty.flatMap(([pattern, feature]) => (pattern.test(value) ? [feature] : []));
  for (const [token, percent, unit, word] of value.matchAll(TOKEN)) {
    const feature = token.startsWith("url(")
      ? imageFeature(token.slice("url(".length, -1).replaceAll(/^\s*["']?|["']?\s*$/g, ""))
      : word === undefined
        ? [`css-unit-${percent ? "percent" : unit}`].find(isFeature)
        : featureOfWord(word);
    if (feature) features.push(feature);
  }
  return features;
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
