import type { Shape } from "./shape.js";
import type { VariablesSchema } from "./variables.js";

/** How a tag uses a value: strings and numbers are printed alike. */
export type Kind = "a string or number" | "true or false" | "an object" | "a list";

/** The kinds of values that may be in a place; empty if unknown. */
export function kindsOf({ kinds, isKnown }: Shape): Kind[] {
  if (!isKnown) return [];
  const kindsFound = kinds.flatMap((schema) => typesOf(schema).map((type) => KINDS[type]));
  return kindsFound.includes(undefined) ? [] : [...new Set(kindsFound.flatMap((kind) => kind ?? []))];
}

const KINDS: Readonly<Record<string, Kind | undefined>> = {
  string: "a string or number",
  number: "a string or number",
  integer: "a string or number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

/** Null doesn't count: it is the absence of a value. */
function typesOf({ type, properties, enum: values, const: value }: VariablesSchema): string[] {
  if (type !== undefined) return type === "null" ? [] : [type];
  if (properties) return ["object"];
  return [...(values ?? []), value].flatMap((each) => (each === null || each === undefined ? [] : [typeof each]));
}
