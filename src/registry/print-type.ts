import type { VariablesSchema } from "../mustache/variables.js";
import { docComment } from "./doc-comment.js";
import { type Identifiers, propertyKey } from "./identifiers.js";

/** A type as text, and whether it can be followed by `[]` as it is. */
interface PrintedType {
  readonly text: string;
  readonly atomic: boolean;
}

/** What `$ref`s lead to: type names by reference. */
type References = ReadonlyMap<string, string>;

const UNKNOWN: PrintedType = { text: "unknown", atomic: true };
const NOTHING_IN_IT: PrintedType = { text: "Record<string, never>", atomic: true };

/**
 * The declarations, exported, that say in TypeScript what a template takes; the first has the given name, the others are
 * what it refers to.
 *
 * @example
 * declareVariables("ReceiptVariables", { type: "object", properties: { total: { type: "number" } } }, "…", identifiers);
 * // ["/** … *\/\nexport interface ReceiptVariables {\n  total?: number | undefined;\n}"]
 */
export function declareVariables(
  name: string,
  schema: VariablesSchema,
  description: string,
  identifiers: Identifiers,
): string[] {
  const references = new Map([["#", name]]);
  for (const definition of Object.keys(schema.$defs ?? {})) {
    references.set(`#/$defs/${definition}`, identifiers.typeName(`${name}-${definition}`));
  }
  const doc = [description, schema.description].filter((part) => part !== undefined && part !== "").join("\n\n");
  return [
    docComment(doc, "") + declare(name, schema, references),
    ...Object.entries(schema.$defs ?? {}).map(([key, definition]) => {
      const declaration = declare(references.get(`#/$defs/${key}`) ?? key, definition, references);
      return docComment(definition.description, "") + declaration;
    }),
  ];
}

function declare(name: string, schema: VariablesSchema, references: References): string {
  const { text } = print(schema, references, "");
  if (text.startsWith("{") && text.endsWith("}") && schema.type === "object") return `export interface ${name} ${text}`;
  return `export type ${name} = ${text};`;
}

/** A type on one line, for people: what changed, what was expected. */
export function typeInWords(schema: VariablesSchema): string {
  return print(schema, new Map(), "")
    .text.replaceAll(/\/\*\*.*?\*\/|\s+/gs, " ")
    .replaceAll(/ {2,}/g, " ");
}

function print(schema: VariablesSchema, references: References, indent: string): PrintedType {
  if (schema.$ref !== undefined) return { text: references.get(schema.$ref) ?? "unknown", atomic: true };
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.enum !== undefined) return literals(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return combine(alternatives, "|", references, indent);
  if (schema.allOf !== undefined) return combine(schema.allOf, "&", references, indent);
  // Whichever of the two the schema itself asks for, sending takes both.
  if (schema.format === "date-time") return join(["Date", "string"], "|");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return { text: schema.type, atomic: true };
    case "integer":
      return { text: "number", atomic: true };
    case "array":
      return printArray(schema, references, indent);
    case "object":
      return printObject(schema, references, indent);
    case undefined:
      break;
  }
  return UNKNOWN;
}

function literals(values: readonly (string | number | boolean | null)[]): PrintedType {
  return join(
    values.map((value) => JSON.stringify(value)),
    "|",
  );
}

function combine(
  parts: readonly VariablesSchema[],
  operator: "|" | "&",
  references: References,
  indent: string,
): PrintedType {
  const printed = parts.map((part) => print(part, references, indent));
  if (operator === "|" && printed.some(({ text }) => text === "unknown")) return UNKNOWN;
  return join(printed.map(operator === "&" ? inParentheses : ({ text }) => text), operator);
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
function printArray({ prefixItems, items }: VariablesSchema, references: References, indent: string): PrintedType {
  const rest = typeof items === "object" ? `${inParentheses(print(items, references, indent))}[]` : undefined;
  if (prefixItems === undefined) return { text: `readonly ${rest ?? "unknown[]"}`, atomic: false };
  const members = prefixItems.map((item) => print(item, references, indent).text);
  if (rest !== undefined) members.push(`...${rest}`);
  return { text: `readonly [${members.join(", ")}]`, atomic: false };
}

function printObject(schema: VariablesSchema, references: References, indent: string): PrintedType {
  const { properties = {}, required = [], additionalProperties = false } = schema;
  const values =
    typeof additionalProperties === "object" ? print(additionalProperties, references, `${indent}  `).text : "unknown";
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, property]) => {
    const { text } = print(property, references, inner);
    const declared = required.includes(name)
      ? `: ${text}`
      : text === "unknown"
        ? "?: unknown"
        : `?: ${text} | undefined`;
    return `${docComment(describe(property), inner)}${inner}${propertyKey(name)}${declared};`;
  });
  // A record with a closed set of keys requires names that have no property of their own.
  for (const name of required) {
    if (!Object.hasOwn(properties, name)) members.push(`${inner}${propertyKey(name)}: ${values};`);
  }
  if (additionalProperties !== false) {
    if (members.length === 0) return { text: `Readonly<Record<string, ${values}>>`, atomic: true };
    // An index signature must fit every named member too; what the others may be is checked when it is sent.
    if (required.every((name) => Object.hasOwn(properties, name))) members.push(`${inner}[name: string]: unknown;`);
  }
  return members.length === 0 ? NOTHING_IN_IT : { text: `{\n${members.join("\n")}\n${indent}}`, atomic: true };
}

/** A property's description, also where `.nullable()` put it inside of a union; and its default. */
function describe(property: VariablesSchema): string | undefined {
  const [only, ...others] = property.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const description = property.description ?? (others.length === 0 ? only?.description : undefined);
  if (property.default === undefined) return description;
  const defaultValue = `@default ${JSON.stringify(property.default)}`;
  return description === undefined ? defaultValue : `${description}\n${defaultValue}`;
}
