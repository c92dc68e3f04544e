import type { Shape } from "./shape.js";
import type { VariablesSchema } from "./variables.js";

/** What a value is to a tag: a number is printed as a text is. */
export type Kind = "a text" | "true or false" | "an object" | "a list";

/** The kinds of values that may be in a place; empty where nobody can tell. */
export function kindsOf({ kinds, isKnown }: Shape): Kind[] {
  if (!isKnown) return [];
  const found = kinds.flatMap((schema) => typesOf(schema).map((type) => KINDS[type]));
  return found.includes(undefined) ? [] : [...new Set(found.flatMap((kind) => kind ?? []))];
}

const KINDS: Readonly<Record<string, Kind | undefined>> = {
  string: "a text",
  number: "a text",
  integer: "a text",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

/** Null is left out: it is the absence of a value. */
function typesOf({ type, properties, enum: values, const: value }: VariablesSchema): string[] {
  if (type !== undefined) return type === "null" ? [] : [type];
  if (properties) return ["object"];
  return [...(values ?? []), value].flatMap((each) => (each === null || each === undefined ? [] : [typeof each]));
}
