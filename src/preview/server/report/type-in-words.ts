import type { Shape } from "../../../mustache/shape.js";
import type { VariablesSchema } from "../../../mustache/variables.js";

/**
 * A variable's type in plain words.
 *
 * @example
 * typeInWords(shape); // "string or nothing", "list of objects", '"paid" or "open"'
 */
export function typeInWords(shape: Shape): string {
  const words = new Set(shape.kinds.flatMap((kind) => wordsOf(kind, shape)));
  const mayBeNothing = words.delete("nothing");
  const types = words.size === 0 ? ["anything"] : [...words];
  return [...types, ...(mayBeNothing && shape.isKnown ? ["nothing"] : [])].join(" or ");
}

const MOST_CHOICES = 6;

function wordsOf({ type, enum: choices, const: value, format, properties }: VariablesSchema, shape: Shape): string[] {
  if (value !== undefined) return [quoted(value)];
  if (choices) return [...choices.slice(0, MOST_CHOICES).map(quoted), ...(choices.length > MOST_CHOICES ? ["…"] : [])];
  if (type === "array") return [`list of ${pluralOf(typeInWords(shape.items()))}`];
  if (type === "string") return [FORMATS[format ?? ""] ?? "string"];
  return [TYPES[type ?? (properties ? "object" : "")] ?? "anything"];
}

const TYPES: Readonly<Record<string, string>> = {
  number: "number",
  integer: "whole number",
  boolean: "true or false",
  object: "object",
  null: "nothing",
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "date",
  "date-time": "date and time",
  time: "time",
  email: "email address",
  uri: "URL",
  uuid: "UUID",
};

const PLURALS: Readonly<Record<string, string>> = {
  string: "strings",
  number: "numbers",
  "whole number": "whole numbers",
  object: "objects",
  date: "dates",
  "email address": "email addresses",
  URL: "URLs",
};

function pluralOf(words: string): string {
  return PLURALS[words] ?? words;
}

function quoted(value: unknown): string {
  return value === null ? "nothing" : JSON.stringify(value);
}
