import type { VariablesSchema } from "../../../mustache/variables.js";
import { isIdentifier } from "./print-expression.js";

/** Writes a schema as zod code, with each member on a line. */
export function zodSchema(schema: VariablesSchema, indent = ""): string {
  const { anyOf, type, items, const: only, enum: values, "x-javascript": javaScript } = schema;
  if (javaScript) return javaScript === "Date" ? "z.date()" : "z.bigint()";
  if (only !== undefined) return `z.literal(${JSON.stringify(only)})`;
  if (values) {
    const areStrings = values.every((each) => typeof each === "string");
    return `z.${areStrings ? "enum" : "literal"}([${values.map((each) => JSON.stringify(each)).join(", ")}])`;
  }
  if (anyOf) {
    const isNull = anyOf.some((each) => each.type === "null");
    const kinds = [...new Set(anyOf.filter((each) => each.type !== "null").map((each) => zodSchema(each, indent)))];
    const code = kinds.length > 1 ? `z.union([${kinds.join(", ")}])` : (kinds[0] ?? "z.any()");
    return isNull && kinds.length > 0 ? `${code}.nullable()` : code;
  }
  switch (type) {
    case "string":
      return "z.string()";
    case "number":
    case "boolean":
      return `z.${type}()`;
    case "integer":
      return "z.int()";
    case "array":
      return `z.array(${typeof items === "object" ? zodSchema(items, indent) : "z.any()"})`;
    case "object":
      return zodObject(schema, indent);
    case "null":
    case undefined:
    default:
      return "z.any()";
  }
}

function zodObject({ properties = {}, required = [], additionalProperties }: VariablesSchema, indent: string): string {
  if (typeof additionalProperties === "object")
    return `z.record(z.string(), ${zodSchema(additionalProperties, indent)})`;
  const members = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? "" : ".optional()";
    const { description } = member;
    const described = description === undefined ? "" : `.describe(${JSON.stringify(description)})`;
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    return `${indent}  ${key}: ${zodSchema(member, `${indent}  `)}${optional}${described},\n`;
  });
  return members.length === 0 ? "z.object({})" : `z.object({\n${members.join("")}${indent}})`;
}
