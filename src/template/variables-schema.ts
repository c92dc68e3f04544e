import { z } from "zod";
import type { VariablesSchema } from "../mustache/variables.js";

/** Whether a value is an object schema of any zod 4: the project's zod need not be ours. */
export function isObjectSchema(value: unknown): value is z.core.$ZodObject {
  return isSchema(value) && kindOf(value) === "object";
}

/** The JSON Schema of an object schema's input, or of its output; dates are strings in it. */
export function variablesSchemaOf(schema: z.core.$ZodObject, io: "input" | "output" = "input"): VariablesSchema {
  const printed = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      if (kindOf(zodSchema) === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
    },
  });
  return JSON.parse(JSON.stringify(simplify(printed)));
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function kindOf({ _zod: { def } }: z.core.$ZodType): string {
  return def.type;
}

type Simplified = Readonly<Record<string, unknown>>;

const plainKeywords = ["type", "description", "required", "enum", "const", "format", "default", "$ref"];
const listKeywords = ["prefixItems", "anyOf", "oneOf", "allOf"];
const namedKeywords = ["properties", "$defs"];
const nestedKeywords = ["items", "additionalProperties"];

/** Keeps only the keywords of `VariablesSchema`; limits on length or size don't matter for tags. */
function simplify(schema: Simplified): Simplified {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === "type" && Array.isArray(value)) return [["anyOf", value.map((type: unknown) => ({ type }))]];
    if (plainKeywords.includes(keyword)) return [[keyword, value]];
    if (nestedKeywords.includes(keyword)) return [[keyword, simplifyPart(value)]];
    if (listKeywords.includes(keyword) && Array.isArray(value)) return [[keyword, value.map(simplifyPart)]];
    if (namedKeywords.includes(keyword) && isRecord(value)) return [[keyword, mapValues(value, simplifyPart)]];
    return [];
  });
  return Object.fromEntries(entries);
}

function simplifyPart(value: unknown): unknown {
  return isRecord(value) ? simplify(value) : value;
}

function mapValues(record: Simplified, change: (value: unknown) => unknown): Simplified {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function isRecord(value: unknown): value is Simplified {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
