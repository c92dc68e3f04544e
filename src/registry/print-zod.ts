import type { VariablesSchema } from "../mustache/variables.js";
import { propertyKey } from "./identifiers.js";

/**
 * An inferred schema as zod code.
 *
 * @example
 * printZod({ type: "array", items: { type: "string" } }, "z", ""); // "z.array(z.string())"
 *
 * @param z The name under which zod is imported.
 */
export function printZod(schema: VariablesSchema, z: string, indent: string): string {
  const print = (part: VariablesSchema) => printZod(part, z, indent);
  if (schema.const !== undefined) return `${z}.literal(${JSON.stringify(schema.const)})`;
  if (schema.enum !== undefined) return `${z}.literal(${JSON.stringify(schema.enum)})`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return printUnion(alternatives, z, print);
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return `${z}.${schema.type}()`;
    case "integer":
      return `${z}.int()`;
    case "array":
      return `${z}.array(${typeof schema.items === "object" ? print(schema.items) : `${z}.unknown()`})`;
    case "object":
      return printObject(schema, z, indent);
    case undefined:
      break;
  }
  return `${z}.unknown()`;
}

function printUnion(
  alternatives: readonly VariablesSchema[],
  z: string,
  print: (schema: VariablesSchema) => string,
): string {
  const values = alternatives.filter(({ type }) => type !== "null").map(print);
  const union = values.length === 1 ? `${values[0]}` : `${z}.union([${values.join(", ")}])`;
  return values.length < alternatives.length ? `${union}.nullable()` : union;
}

function printObject(
  { properties = {}, required = [], additionalProperties = false }: VariablesSchema,
  z: string,
  indent: string,
): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, property]) => {
    const optional = required.includes(name) ? "" : ".optional()";
    return `${inner}${propertyKey(name)}: ${printZod(property, z, inner)}${optional},`;
  });
  const shape = members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
  if (additionalProperties === false) return `${z}.object(${shape})`;
  const values = additionalProperties === true ? `${z}.unknown()` : printZod(additionalProperties, z, indent);
  return members.length === 0 ? `${z}.record(${z}.string(), ${values})` : `${z}.object(${shape}).catchall(${values})`;
}
