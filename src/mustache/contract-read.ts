import { gatherEvidence } from "./infer.js";
import type { VariablesContract } from "./variables.js";

/**
 * The contract that bodies show by themselves: the names that their tags read, each where it is read. What a section
 * goes through may be a list or an object.
 *
 * @example
 * contractRead(["{{#items}}{{name}}{{/items}}"]).input;
 * // { type: "object", required: ["items"], properties: { items: { anyOf: [{ type: "object", … }, { type: "array", … }] } } }
 */
export function contractRead(texts: readonly string[]): VariablesContract {
  const evidence = gatherEvidence({ texts, examples: [], conditions: [], ownNames: [] });
  return { input: evidence.toObjectSchema("unknown"), conditions: [] };
}
