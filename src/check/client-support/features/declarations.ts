import { Latest } from "../../../cache/latest.js";
import { type Feature, isFeature } from "../data.js";
import { imageFeature } from "./images.js";

/** Properties that belong to a feature with another name. For all others, the feature is `css-PROPERTY`. */
const FAMILIES: readonly (readonly [RegExp, feature: string])[] = [
  [/^(animation|border-image|inset|outline|scroll-snap|transition)-(?!offset).+/, "css-$1"],
  [/^(border|margin|padding)-(?:top|right|bottom|left)(?:-(?:width|style|color))?$/, "css-$1"],
  [/^border-(?:width|style|color)$/, "css-border"],
  [/^border-(?:inline|block)$/, "css-border-inline-block"],
  [/^border-(?:inline|block)-(?:start|end)$/, "css-border-inline-block-individual"],
  [/^border-(?:inline|block)-(?:(?:start|end)-)?(?:width|style|color)$/, "css-border-inline-block-longhand"],
  [/^border-(?:top|bottom)-(?:left|right)-radius$/, "css-border-radius"],
  [/^border-(?:start|end)-(?:start|end)-radius$/, "css-border-radius-logical"],
  [/^(margin|padding)-(?:inline|block)$/, "css-$1-inline-block"],
  [/^(margin|padding)-(inline|block)-(?:start|end)$/, "css-$1-$2-start-end"],
  [/^background-position-[xy]$/, "css-background-position"],
  [/^(?:block|inline)-size$/, "css-block-inline-size"],
  [/^columns$|^column-(?!count|gap).+/, "css-column-layout-properties"],
  [/^(?:grid-)?(?:column-|row-)?gap$/, "css-gap"],
  [/^grid$|^grid-template.*/, "css-grid-template"],
  [/^(?:top|right|bottom|left)$/, "css-left-right-top-bottom"],
  [/^mask$/, "css-mask-image"],
  [/^overflow-(?:x|y|block|inline)$/, "css-overflow"],
  [/^text-emphasis-(?:color|style)$/, "css-text-emphasis"],
];

/** The features of a property, whatever its value. */
function featuresOfProperty(property: string): Feature[] {
  const names = FAMILIES.flatMap(([pattern, name]) => (pattern.test(property) ? property.replace(pattern, name) : []));
  return [`css-${property}`, ...names].filter(isFeature);
}

/**
 * The features that a declaration needs. Properties with a vendor prefix are only meant for that vendor's clients and need
 * nothing from others. For a value with Mustache tags, only the property counts.
 *
 * @param property In lower case.
 * @example
 * featuresOfDeclaration("display", "flex"); // ["css-display-flex"]
 */
export function featuresOfDeclaration(property: string, value: string, important = false): readonly Feature[] {
  const key = `${property}:${value}${important ? "!" : ""}`;
  let features = cache.get(key);
  if (!features) cache.set(key, (features = findFeatures(property, value, important)));
  return features;
}

/** Compiled HTML repeats most of its declarations. */
const cache = new Latest<readonly Feature[]>(10_000);

function findFeatures(property: string, value: string, important: boolean): Feature[] {
  if (property.startsWith("--")) return ["css-variables"];
  if (/^-|^mso-/.test(property)) return [];
  const ofValue = value.includes("{{") ? [] : featuresOfValue(property, value.toLowerCase());
  const own = featuresOfProperty(property).filter((feature) => isNeeded(feature, value, ofValue));
  return [...new Set([...own, ...ofValue, ...(important ? (["css-important"] as const) : [])])];
}

/** Values that are the behaviour of clients without support. */
const RESETS = /^(?:none|normal|static|visible|unset|inherit|0(?:px)?)$/i;
/** For these features, `none` or `0` needs support. */
const NEEDED_EVEN_IF_RESET = new Set([
  "display",
  "font-kerning",
  "hyphens",
  "inset",
  "list-style-type",
  "resize",
  "user-select",
]);

/** Whether a property's feature applies in addition to those of its value: caniemail has separate features for some values. */
function isNeeded(feature: Feature, value: string, ofValue: readonly Feature[]): boolean {
  if (RESETS.test(value) && !NEEDED_EVEN_IF_RESET.has(feature.slice("css-".length))) return false;
  if (feature === "css-display") return !ofValue.some((each) => each.startsWith("css-display-"));
  if (feature === "css-flex-direction") return /column/i.test(value);
  if (feature === "css-flex-wrap") return /\bwrap/i.test(value) && !/nowrap/i.test(value);
  return true;
}

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
function featuresOfValue(property: string, value: string): Feature[] {
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
