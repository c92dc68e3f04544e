import { memoizeByString } from "../../memoize.js";
import { type Feature, isFeature } from "../data.js";
import { isOfFonts } from "./at-rules.js";
import { imageFeature, imageFeatures } from "./images.js";

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
export interface ElementFeature {
  readonly feature: Feature;
  readonly attribute?: string;
}

/**
 * The features that an element needs, without its style.
 *
 * @param name In lower case, like the names of the attributes.
 * @example
 * featuresOfElement("img", new Map([["src", "logo.svg"]])); // [{ feature: "html-img" }, { feature: "image-svg", attribute: "src" }]
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
