import { z } from "zod";
import type { VariablesSchema } from "../../src/mustache/variables.js";

/** What an application passes according to zod, in the form in which contracts store it. */
export function jsonSchema(schema: z.ZodType): VariablesSchema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })));
}
