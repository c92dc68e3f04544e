import { z } from "zod";
import type { VariablesSchema } from "../../src/mustache/variables.js";

/** What an application passes, as zod has it, in the form that contracts keep. */
export function jsonSchema(schema: z.ZodType): VariablesSchema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })));
}
