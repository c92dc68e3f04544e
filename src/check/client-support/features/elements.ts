import { type Feature, isFeature } from "../data.js";
import { isOfFonts } from "./at-rules.js";
import { imageFeature, imageFeatures } from "./images.js";

/** The elements of features with other names than `html-ELEMENT`. */
const ELEMENTS: Readonly<Record<string, Feature>> = {
  ...named("html-h1-h6", "h1 h2 h3 h4 h5 h6"),
  ...named("html-image-maps", "map"),
  ...named("html-lists", "ul ol dl"),
  ...named("html-object", "embed"),
  ...named(
    "html-semantics",
    "article aside details figcaption figure footer header main mark nav section summary time",
  ),
  ...named("html-strong", "b"),
};

/** The attributes that caniemail knows; all others are taken everywhere, or nobody has tried. */
const ATTRIBUTES: Readonly<Record<string, Feature>> = {
  align: "html-align",
  "aria-describedby": "html-aria-describedby",
  "aria-hidden": "html-aria-hidden",
  "aria-label": "html-aria-label",
  "aria-labelledby": "html-aria-labelledby",
  "aria-live": "html-aria-live",
  background: "html-background",
  cellpadding: "html-cellpadding",
  cellspacing: "html-cellspacing",
  dir: "html-dir",
  height: "html-height",
  hidden: "html-hidden",
  inert: "css-inert-attribute",
  lang: "html-lang",
  loading: "html-loading-attribute",
  popover: "html-popover",
  popovertarget: "html-popover",
  required: "html-required",
  role: "html-role",
  sizes: "html-srcset",
  srcset: "html-srcset",
  target: "html-target",
  usemap: "html-image-maps",
  valign: "html-valign",
  width: "html-width",
};

/** Some of these have the name of an element too: `html-align` is no `<align>`. */
const OF_ATTRIBUTES: ReadonlySet<string> = new Set(
  Object.values(ATTRIBUTES).filter((feature) => feature !== "html-image-maps"),
);

/** A feature that an element has, and the attribute that it has it by. */
export interface ElementFeature {
  readonly feature: Feature;
  readonly attribute?: string;
}

/**
 * What an element asks of a mail client, its style aside.
 *
 * @param name In lower case, as the attributes' names.
 * @example
 * featuresOfElement("img", new Map([["src", "logo.svg"]])); // [{ feature: "html-img" }, { feature: "image-svg", attribute: "src" }]
 */
export function featuresOfElement(name: string, attributes: ReadonlyMap<string, string>): ElementFeature[] {
  const found: ElementFeature[] = elementFeatures(name, attributes).map((feature) => ({ feature }));
  for (const [attribute, value] of attributes) {
    const feature = Object.hasOwn(ATTRIBUTES, attribute) ? ATTRIBUTES[attribute] : undefined;
    if (feature && !isDefault(name, attribute, value)) found.push({ feature, attribute });
    for (const each of valueFeatures(name, attribute, value)) found.push({ feature: each, attribute });
  }
  return found;
}

/** A whole email runs from left to right by itself. */
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
  const type = attributes.get("type")?.toLowerCase();
  if (name === "input") return featuresNamed(name, `html-input-${type ?? "text"}`);
  if (name === "button") return featuresNamed(name, `html-button-${type ?? "submit"}`);
  let features = byName.get(name);
  if (!features) {
    if (byName.size >= MOST_NAMES) byName.clear();
    byName.set(name, (features = featuresNamed(name)));
  }
  return features;
}

const byName = new Map<string, readonly Feature[]>();
const MOST_NAMES = 1000;

function featuresNamed(name: string, ...others: readonly string[]): Feature[] {
  const candidates = [ELEMENTS[name], `html-${name}`, ...others];
  return candidates.filter(isFeature).filter((feature) => !OF_ATTRIBUTES.has(feature));
}

function valueFeatures(name: string, attribute: string, value: string): Feature[] {
  if (attribute === "srcset") return imageFeatures(value);
  if ((attribute === "src" && name === "img") || attribute === "background") return [imageFeature(value) ?? []].flat();
  if (attribute !== "href" || !/^(?:a|area)$/.test(name)) return [];
  if (/^#./.test(value)) return ["html-anchor-links"];
  return /^mailto:/i.test(value) ? ["html-mailto-links"] : [];
}

function named(feature: Feature, elements: string): Record<string, Feature> {
  return Object.fromEntries(elements.split(" ").map((element) => [element, feature]));
}
