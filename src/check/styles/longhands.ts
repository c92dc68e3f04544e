import type { EmailElement } from "../document/nodes.js";
import type { Declaration } from "../document/stylesheet.js";
import { readColour } from "./colour.js";

/** Values by the names of properties without shorthands. */
export type Longhands = readonly (readonly [property: string, value: string])[];

/** In the place of a value that is decided when the template is filled: it is like one that a tag stands for. */
export const UNKNOWN = "{{}}";

/** What a declaration says of the properties that are asked for here. */
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

/** What an element's attributes say of a property: less than any rule of a stylesheet. */
export function presentationOf(
  { name, attributes }: EmailElement,
  property: string,
): { readonly value: string; readonly attribute: string } | undefined {
  const hint = PRESENTED.get(property);
  const attribute = hint?.of(name);
  const value = attribute && attributes.get(attribute);
  if (!hint || !attribute || !value) return undefined;
  return { value: value.includes("{{") ? value : hint.read(value.trim().toLowerCase()), attribute };
}

interface Hint {
  /** The attribute of elements of this name. */
  readonly of: (name: string) => string | undefined;
  readonly read: (value: string) => string;
}

const pixels = (value: string): string => (/^\d+$/.test(value) ? `${value}px` : value);

const PRESENTED: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ["background-color", { of: (name) => (COLOURED.has(name) ? "bgcolor" : undefined), read: withHash }],
  [
    "background-image",
    { of: (name) => (COLOURED.has(name) ? "background" : undefined), read: (address) => `url(${address})` },
  ],
  ["color", { of: (name) => (name === "body" ? "text" : name === "font" ? "color" : undefined), read: withHash }],
  ["width", { of: (name) => (SIZED.has(name) ? "width" : undefined), read: pixels }],
  ["height", { of: (name) => (SIZED.has(name) ? "height" : undefined), read: pixels }],
]);

const COLOURED: ReadonlySet<string> = new Set(["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"]);
const SIZED: ReadonlySet<string> = new Set(["table", "td", "th", "img"]);

/** Attributes may leave out the `#`. */
function withHash(colour: string): string {
  return /^[\da-f]{6}$/.test(colour) ? `#${colour}` : colour;
}
