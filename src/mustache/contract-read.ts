import { gatherEvidence } from "./infer.js";
import type { VariablesContract } from "./variables.js";

/**
 * The contract that bodies imply by themselves: the names that their tags read, each in its scope. A section without
 * further evidence may be over a list or an object.
 *
 * @example
 * contractRead(["{{#items}}{{name}}{{/items}}"]).input;
 * // { type: "object", required: ["items"], properties: { items: { anyOf: [{ type: "object", … }, { type: "array", … }] } } }
 */
export function contractRead(texts: readonly string[]): VariablesContract {
  const evidence = gatherEvidence({ texts, examples: [], conditions: [], ownNames: [] });
  return { input: evidence.toObjectSchema("unknown"), conditions: [] };
}
