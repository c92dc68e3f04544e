import type { EmailElement } from "../document/nodes.js";
import type { Declaration } from "../document/stylesheet.js";
import type { Given } from "./cascade.js";
import { readColour } from "./colour.js";

/** Values of longhand properties. */
export type Longhands = readonly (readonly [property: string, value: string])[];

/** The value of a property that is only known when the template is rendered. It has a tag, like other unknown values. */
export const UNKNOWN = "{{}}";

/** The values that a declaration sets for the properties that rules need. */
export function longhandsOf({ property, value: written }: Pick<Declaration, "property" | "value">): Longhands {
  const value = written.toLowerCase();
  switch (property) {
    case "background":
      return backgroundParts(value);
    case "font":
      return fontParts(value);
    case "padding":
      return paddingParts(value);
    case "font-family":
      return [[property, written]];
    default:
      return PROPERTIES.has(property) ? [[property, value]] : [];
  }
}

const PROPERTIES: ReadonlySet<string> = new Set(
  [
    "color background-color background-image -webkit-text-fill-color mix-blend-mode opacity",
    "font-size font-weight line-height",
    "display visibility overflow position margin margin-top margin-left",
    "width min-width max-width height max-height padding-top padding-bottom border border-width border-top",
  ].flatMap((names) => names.split(" ")),
);

function backgroundParts(value: string): Longhands {
  if (value.includes("{{") || /^(?:inherit|unset|revert|var\()/.test(value)) {
    return [
      ["background-color", value],
      ["background-image", value],
    ];
  }
  const image = IMAGE.test(value) ? value : "none";
  const words = value.replaceAll(IMAGES, " ").match(/[a-z#][\w#-]*(?:\([^)]*\))?/g) ?? [];
  const colour = words.find((word) => readColour(word) !== undefined);
  return [
    ["background-color", colour ?? "transparent"],
    ["background-image", image],
  ];
}

const IMAGE = /\b(?:url|[a-z-]*gradient|image-set)\(/;
const IMAGES = /\b(?:url|[a-z-]*gradient|image-set)\((?:[^()]|\([^()]*\))*\)/g;

function fontParts(value: string): Longhands {
  const [, size, height = "normal", family = UNKNOWN] =
    /(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%))(?:\s*\/\s*(\S+))?\s+(.*)/.exec(value) ?? [];
  const [weight = "normal"] = /\b(?:bold|bolder|[1-9]00)\b/.exec(value) ?? [];
  return [
    ["font-family", family],
    ["font-size", size ?? UNKNOWN],
    ["line-height", height],
    ["font-weight", weight],
  ];
}

function paddingParts(value: string): Longhands {
  const parts = value.split(/\s+/);
  const [top = ""] = parts;
  return [
    ["padding-top", top],
    ["padding-bottom", parts[2] ?? top],
  ];
}

/** The value that a presentational attribute sets. Any rule of a stylesheet overrides it. */
export function presentationOf(element: EmailElement, property: string): Given | undefined {
  const attribute = attributeOf(element.name, property);
  const value = attribute && element.attribute(attribute);
  if (!attribute || !value) return undefined;
  const normalized = value.includes("{{") ? value : readAttribute(property, value.trim().toLowerCase());
  return { value: normalized, within: [], at: () => element.at(attribute) };
}

function attributeOf(element: string, property: string): string | undefined {
  switch (property) {
    case "background-color":
      return COLOURED.has(element) ? "bgcolor" : undefined;
    case "background-image":
      return COLOURED.has(element) ? "background" : undefined;
    case "color":
      return element === "body" ? "text" : element === "font" ? "color" : undefined;
    case "width":
    case "height":
      return SIZED.has(element) ? property : undefined;
    default:
      return undefined;
  }
}

const COLOURED: ReadonlySet<string> = new Set(["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"]);
const SIZED: ReadonlySet<string> = new Set(["table", "td", "th", "img"]);

/** Attributes may leave out the unit of a length, and the `#` of a colour. */
function readAttribute(property: string, value: string): string {
  if (property === "background-image") return `url(${value})`;
  if (property === "width" || property === "height") return /^\d+$/.test(value) ? `${value}px` : value;
  return /^[\da-f]{6}$/.test(value) ? `#${value}` : value;
}
