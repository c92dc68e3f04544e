import { type Feature, isFeature, supportData } from "../data.js";
import { featuresByProperty } from "./properties.js";
import { featuresOfValue } from "./values.js";

let byProperty: Map<string, Feature[]> | undefined;

/**
 * What a declaration asks of a mail client. Properties with a vendor's prefix are meant for that vendor's clients alone
 * and ask nothing of others. Of a value with Mustache tags nothing is known, only of its property.
 *
 * @param property In lower case.
 * @example
 * featuresOfDeclaration("display", "flex"); // ["css-display-flex"]
 */
export function featuresOfDeclaration(property: string, value: string, important = false): Feature[] {
  if (property.startsWith("--")) return ["css-variables"];
  if (/^-|^mso-/.test(property)) return [];
  byProperty ??= featuresByProperty(Object.keys(supportData().features).filter(isFeature));
  const known = value.includes("{{") ? [] : featuresOfValue(property, value.toLowerCase());
  const own = (byProperty.get(property) ?? []).filter((feature) => saysMore(feature, value, known));
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
