import type { VariablesSchema } from "../mustache/variables.js";
import { entryOf } from "../values.js";

/** A type as text, and whether `[]` can be appended without parentheses. */
interface PrintedType {
  readonly text: string;
  readonly atomic: boolean;
  /** The types in it, if it is a union that another union may contain. */
  readonly alternatives?: readonly string[];
}

export interface Printing {
  /** The names of the types that `$ref`s refer to. */
  readonly references: ReadonlyMap<string, string>;
  /**
   * Whether to print the type that tags see, in which absent values are null, and dates and bigints are strings. The type for
   * applications allows omitting values, and all forms of dates and bigints.
   */
  readonly filled: boolean;
}

const UNKNOWN: PrintedType = { text: "unknown", atomic: true };
const EMPTY_OBJECT: PrintedType = { text: "Record<string, never>", atomic: true };

/** Prints a type as TypeScript. */
export function printType(schema: VariablesSchema, printing: Printing): string {
  return print(schema, printing, "").text;
}

/** A type on one line, for messages about what changed or was expected. */
export function typeInWords(schema: VariablesSchema): string {
  return print(schema, { references: new Map(), filled: false }, "")
    .text.replaceAll(/\/\*\*.*?\*\/|\s+/gs, " ")
    .replaceAll(/ {2,}/g, " ");
}

function print(schema: VariablesSchema, printing: Printing, indent: string): PrintedType {
  if (schema.$ref !== undefined) return { text: printing.references.get(schema.$ref) ?? "unknown", atomic: true };
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.enum !== undefined) return literals(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return combine(alternatives, "|", printing, indent);
  if (schema.allOf !== undefined) return combine(schema.allOf, "&", printing, indent);
  const forms = printing.filled ? undefined : entryOf(FORMS, schema.format ?? "");
  if (forms) return { ...join(forms, "|"), alternatives: forms };
  if (schema.type === "array") return printArray(schema, printing, indent);
  if (schema.type === "object") return printObject(schema, printing, indent);
  if (schema.type === undefined) return UNKNOWN;
  return { text: schema.type === "integer" ? "number" : schema.type, atomic: true };
}

/** The types that an application may pass for a format: sending accepts each, whichever the schema itself expects. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["Date", "string"],
  bigint: ["bigint", "number", "string"],
};

function literals(values: readonly (string | number | boolean | null)[]): PrintedType {
  return join(
    values.map((value) => JSON.stringify(value)),
    "|",
  );
}

function combine(
  parts: readonly VariablesSchema[],
  operator: "|" | "&",
  printing: Printing,
  indent: string,
): PrintedType {
  const printed = parts.map((part) => print(part, printing, indent));
  if (operator === "|" && printed.some(({ text }) => text === "unknown")) return UNKNOWN;
  if (operator === "&") return join(printed.map(inParentheses), operator);
  return join(
    printed.flatMap(({ text, alternatives = [text] }) => alternatives),
    operator,
  );
}

function join(texts: readonly string[], operator: "|" | "&"): PrintedType {
  const distinct = [...new Set(texts)];
  return {
    text: distinct.join(` ${operator} `) || "never",
    atomic: distinct.length < 2 && !distinct[0]?.startsWith("readonly "),
  };
}

function inParentheses({ text, atomic }: PrintedType): string {
  return atomic ? text : `(${text})`;
}

/** Arrays are readonly, so that an application may pass either kind. */
function printArray({ prefixItems, items }: VariablesSchema, printing: Printing, indent: string): PrintedType {
  const rest = typeof items === "object" ? `${inParentheses(print(items, printing, indent))}[]` : undefined;
  if (prefixItems === undefined) return { text: `readonly ${rest ?? "unknown[]"}`, atomic: false };
  const members = prefixItems.map((item) => print(item, printing, indent).text);
  if (rest !== undefined) members.push(`...${rest}`);
  return { text: `readonly [${members.join(", ")}]`, atomic: false };
}

function printObject(schema: VariablesSchema, printing: Printing, indent: string): PrintedType {
  const { properties = {}, required = [], additionalProperties = false } = schema;
  const values =
    typeof additionalProperties === "object" ? print(additionalProperties, printing, `${indent}  `).text : "unknown";
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, property]) => {
    const { text } = print(property, printing, inner);
    const missing = printing.filled ? `: ${orNull(property, text)}` : orAbsent(text);
    const declared = required.includes(name) ? `: ${text}` : missing;
    return `${docComment(describe(property, printing), inner)}${inner}${propertyKey(name)}${declared};`;
  });
  // A record with a closed set of keys requires names that have no property of their own.
  for (const name of required) {
    if (!Object.hasOwn(properties, name)) members.push(`${inner}${propertyKey(name)}: ${values};`);
  }
  if (additionalProperties !== false) {
    if (members.length === 0) return { text: `Readonly<Record<string, ${values}>>`, atomic: true };
    // An index signature must fit every named member, too; other members are checked when sending.
    if (required.every((name) => Object.hasOwn(properties, name))) members.push(`${inner}[name: string]: unknown;`);
  }
  return members.length === 0 ? EMPTY_OBJECT : { text: `{\n${members.join("\n")}\n${indent}}`, atomic: true };
}

function orAbsent(type: string): string {
  return type === "unknown" ? "?: unknown" : `?: ${type} | undefined`;
}

/** A variable with a default is never null. */
function orNull({ default: value }: VariablesSchema, type: string): string {
  return value !== undefined || type === "unknown" || /(?:^|\| )null$/.test(type) ? type : `${type} | null`;
}

/** A property's description, even if `.nullable()` moved it inside a union, and its default. */
function describe(property: VariablesSchema, { filled }: Printing): string | undefined {
  const [only, ...others] = property.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const description = property.description ?? (others.length === 0 ? only?.description : undefined);
  if (property.default === undefined || filled) return description;
  const defaultValue = `@default ${JSON.stringify(property.default)}`;
  return description === undefined ? defaultValue : `${description}\n${defaultValue}`;
}

/** Formats a string as a JSDoc comment followed by a line end; an empty one gives an empty string. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text.trim() === "") return "";
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .split(/\r\n|[\r\n\u2028\u2029]/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join("\n");
}

/** Names that the generated file itself uses. */
const RESERVED = ["TemplateVariables", "FilledVariables", "TemplatesWithoutSubject", "Registry"];

/** Assigns unique identifiers within one file. */
export class Identifiers {
  readonly #taken = new Set(RESERVED);

  /**
   * Turns any text into a type name: `password-reset` becomes `PasswordReset`, with a number appended if that is taken.
   */
  typeName(text: string, suffix = ""): string {
    const words = text.match(/[A-Za-z0-9]+/g) ?? [];
    const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
    const start = /^[A-Z]/.test(pascal) ? pascal : `Template${pascal}`;
    let name = `${start}${suffix}`;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${start}${number}${suffix}`;
    this.#taken.add(name);
    return name;
  }
}

/** A property name as code, quoted if necessary. */
export function propertyKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name === "__proto__" ? `["__proto__"]` : name;
  return JSON.stringify(name);
}
