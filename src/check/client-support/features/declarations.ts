import { Latest } from "../../../latest.js";
import { type Feature, isFeature } from "../data.js";
import { featuresOfValue } from "./values.js";

/** Properties whose features have names of other properties, or of several. Any other `css-NAME` is the property NAME. */
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

/** Whatever its value is. */
function featuresOfProperty(property: string): Feature[] {
  const names = FAMILIES.flatMap(([pattern, name]) => (pattern.test(property) ? property.replace(pattern, name) : []));
  return [`css-${property}`, ...names].filter(isFeature);
}

/**
 * What a declaration asks of a mail client. Properties with a vendor's prefix are meant for that vendor's clients alone
 * and ask nothing of others. Of a value with Mustache tags nothing is known, only of its property.
 *
 * @param property In lower case.
 * @example
 * featuresOfDeclaration("display", "flex"); // ["css-display-flex"]
 */
export function featuresOfDeclaration(property: string, value: string, important = false): readonly Feature[] {
  const key = `${property}:${value}${important ? "!" : ""}`;
  let features = remembered.get(key);
  if (!features) remembered.set(key, (features = findFeatures(property, value, important)));
  return features;
}

/** Compiled html says the same again and again, in all documents. */
const remembered = new Latest<readonly Feature[]>(10_000);

function findFeatures(property: string, value: string, important: boolean): Feature[] {
  if (property.startsWith("--")) return ["css-variables"];
  if (/^-|^mso-/.test(property)) return [];
  const known = value.includes("{{") ? [] : featuresOfValue(property, value.toLowerCase());
  const own = featuresOfProperty(property).filter((feature) => saysMore(feature, value, known));
  return [...new Set([...own, ...known, ...(important ? (["css-important"] as const) : [])])];
}

/** Values that ask for what a client does anyway that doesn't know the property. */
const RESETS = /^(?:none|normal|static|visible|unset|inherit|0(?:px)?)$/i;
/** `none`, or `0`, asks for something here. */
const MEANT = new Set(["display", "font-kerning", "hyphens", "inset", "list-style-type", "resize", "user-select"]);

/** Where caniemail knows a value by itself, it knows less of the property; and it tries some properties with one value. */
function saysMore(feature: Feature, value: string, known: readonly Feature[]): boolean {
  if (RESETS.test(value) && !MEANT.has(feature.slice("css-".length))) return false;
  if (feature === "css-display") return !known.some((each) => each.startsWith("css-display-"));
  if (feature === "css-flex-direction") return /column/i.test(value);
  if (feature === "css-flex-wrap") return /\bwrap/i.test(value) && !/nowrap/i.test(value);
  return true;
}
