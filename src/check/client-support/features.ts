import { memoizeByString } from "../../cache/memoize.js";
import { isFeature, type Feature } from "./data.js";
import { SelectorType, type Selector } from "css-what";
import { isClassOrId, parseSelector } from "../styles/matching.js";
import { entryOf } from "../../values.js";

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
 */
export function featuresOfDeclaration(property: string, value: string, important = false): readonly Feature[] {
  return findFeatures(`${property}:${value}${important ? "!" : ""}`, property, value, important);
}

/** Compiled HTML repeats most of its declarations. */
const findFeatures = memoizeByString(
  10_000,
  (_declaration, property: string, value: string, important: boolean): readonly Feature[] => {
    if (property.startsWith("--")) return ["css-variables"];
    if (/^-|^mso-/.test(property)) return [];
    const ofValue = value.includes("{{") ? [] : featuresOfValue(property, value.toLowerCase());
    const own = featuresOfProperty(property).filter((feature) => isNeeded(feature, value, ofValue));
    return [...new Set([...own, ...ofValue, ...(important ? (["css-important"] as const) : [])])];
  },
);

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

/** The features that a value uses. */
function featuresOfValue(property: string, value: string): Feature[] {
  const byProperty = entryOf(VALUES, property) ?? [];
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

const MEDIA: readonly (readonly [RegExp, Feature])[] = [
  [/device-pixel-ratio|\bresolution\b/, "css-at-media-device-pixel-ratio"],
  [/\b(?:any-)?hover\b/, "css-at-media-hover"],
  [/\borientation\b/, "css-at-media-orientation"],
  [/\bprefers-color-scheme\b/, "css-at-media-prefers-color-scheme"],
  [/\bprefers-reduced-motion\b/, "css-at-media-prefers-reduced-motion"],
];

/**
 * The features that an at-rule needs. Importing a font stylesheet counts as `@font-face`.
 *
 * @param name In lower case, without `@`.
 */
export function featuresOfAtRule(name: string, prelude: string): Feature[] {
  const own = `css-at-${name.replace(/^-\w+-/, "")}`;
  if (!isFeature(own)) return [];
  if (own === "css-at-import") return [isOfFonts(prelude) ? "css-at-font-face" : own];
  if (own !== "css-at-media") return [own];
  return [own, ...MEDIA.flatMap(([pattern, feature]) => (pattern.test(prelude.toLowerCase()) ? [feature] : []))];
}

/** Whether a stylesheet only contains fonts, which emails can do without. */
function isOfFonts(url: string): boolean {
  return /\bfonts?\b|typekit/i.test(url);
}

const FEATURES: Readonly<Partial<Record<SelectorType, Feature>>> = {
  [SelectorType.Attribute]: "css-selector-attribute",
  [SelectorType.Adjacent]: "css-selector-adjacent-sibling",
  [SelectorType.Child]: "css-selector-child",
  [SelectorType.Descendant]: "css-selector-descendant",
  [SelectorType.Sibling]: "css-selector-general-sibling",
  [SelectorType.Tag]: "css-selector-type",
  [SelectorType.Universal]: "css-selector-universal",
};

/** The features that a selector needs; none if it is not valid. */
export const featuresOfSelector = memoizeByString(10_000, (selector): readonly Feature[] => [
  ...new Set(featuresOfList(parseSelector(selector)).filter(isFeature)),
]);

function featuresOfList(selectors: readonly (readonly Selector[])[]): (string | undefined)[] {
  const features = selectors.flatMap((tokens) =>
    tokens.flatMap((token, index) => {
      if (token.type === SelectorType.PseudoElement) return `css-pseudo-element-${token.name}`;
      if (token.type === SelectorType.Pseudo)
        return [`css-pseudo-class-${token.name}`, ...(Array.isArray(token.data) ? featuresOfList(token.data) : [])];
      if (token.type !== SelectorType.Attribute || !isClassOrId(token)) return FEATURES[token.type];
      return [`css-selector-${token.name}`, isClassOrId(tokens[index - 1]) ? "css-selector-chaining" : undefined];
    }),
  );
  return selectors.length > 1 ? ["css-selector-grouping", ...features] : features;
}

/** Elements whose feature is not `html-ELEMENT`. */
const ELEMENTS: readonly (readonly [RegExp, Feature])[] = [
  [/^h[1-6]$/, "html-h1-h6"],
  [/^map$/, "html-image-maps"],
  [/^(?:ul|ol|dl)$/, "html-lists"],
  [/^embed$/, "html-object"],
  [/^(?:article|aside|details|figcaption|figure|footer|header|main|mark|nav|section|summary|time)$/, "html-semantics"],
  [/^b$/, "html-strong"],
];

/** Attributes whose feature is `html-ATTRIBUTE`; attributes in neither list are supported everywhere or untested. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  "align aria-describedby aria-hidden aria-label aria-labelledby aria-live background cellpadding cellspacing dir height hidden lang popover required role srcset target valign width".split(
    " ",
  ),
);

/** Attributes whose feature has another name. */
const OTHER_ATTRIBUTES: ReadonlyMap<string, Feature> = new Map([
  ["inert", "css-inert-attribute"],
  ["loading", "html-loading-attribute"],
  ["popovertarget", "html-popover"],
  ["sizes", "html-srcset"],
  ["usemap", "html-image-maps"],
]);

/** A feature of an element, and the attribute that uses it. */
interface ElementFeature {
  readonly feature: Feature;
  readonly attribute?: string;
}

/**
 * The features that an element needs, without its style.
 *
 * @param name In lower case, like the names of the attributes.
 */
export function featuresOfElement(name: string, attributes: ReadonlyMap<string, string>): ElementFeature[] {
  const features: ElementFeature[] = elementFeatures(name, attributes).map((feature) => ({ feature }));
  for (const [attribute, value] of attributes) {
    const own = ATTRIBUTES.has(attribute) ? `html-${attribute}` : OTHER_ATTRIBUTES.get(attribute);
    if (isFeature(own) && !isDefault(name, attribute, value)) features.push({ feature: own, attribute });
    for (const feature of valueFeatures(name, attribute, value)) features.push({ feature, attribute });
  }
  return features;
}

/** Left to right is the default for a whole email. */
function isDefault(name: string, attribute: string, value: string): boolean {
  return attribute === "dir" && /^(?:html|body)$/.test(name) && value.toLowerCase() === "ltr";
}

function elementFeatures(name: string, attributes: ReadonlyMap<string, string>): readonly Feature[] {
  if (name === "link") {
    if (attributes.get("rel")?.toLowerCase() !== "stylesheet") return [];
    return [isOfFonts(attributes.get("href") ?? "") ? "css-at-font-face" : "html-link"];
  }
  if (name === "meta") return /color-scheme/i.test(attributes.get("name") ?? "") ? ["html-meta-color-scheme"] : [];
  if (name === "html") return attributes.has("⚡4email") || attributes.has("amp4email") ? ["amp"] : [];
  if (name !== "input" && name !== "button") return featuresNamed(name);
  const type = attributes.get("type")?.toLowerCase() ?? (name === "input" ? "text" : "submit");
  return featuresNamed(`${name}-${type}`);
}

const featuresNamed = memoizeByString(1000, (name): readonly Feature[] => {
  const other = ELEMENTS.find(([pattern]) => pattern.test(name))?.[1];
  return [other, ATTRIBUTES.has(name) ? undefined : `html-${name}`].filter(isFeature);
});

function valueFeatures(name: string, attribute: string, value: string): Feature[] {
  if (attribute === "srcset") return imageFeatures(value);
  if ((attribute === "src" && name === "img") || attribute === "background") return [imageFeature(value) ?? []].flat();
  if (attribute !== "href" || !/^(?:a|area)$/.test(name)) return [];
  if (/^#./.test(value)) return ["html-anchor-links"];
  return /^mailto:/i.test(value) ? ["html-mailto-links"] : [];
}

/** File extensions with another name in the data. */
const ALIASES: Readonly<Record<string, string>> = { heic: "heif", jpeg: "jpg", tif: "tiff" };

/** The format of an image, by the extension in its URL. */
function imageFeature(url: string): Feature | undefined {
  if (/^\s*data:image\//i.test(url)) return "image-base64";
  const extension = /\.([a-z0-9]+)\s*(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? "";
  const feature = `image-${ALIASES[extension] ?? extension}`;
  return isFeature(feature) ? feature : undefined;
}

/** The formats of all URLs in a `srcset`. */
function imageFeatures(srcset: string): Feature[] {
  return srcset.split(/,\s/).flatMap((candidate) => imageFeature(candidate.trim().split(/\s/, 1)[0] ?? "") ?? []);
}
