import type { RegistryChange, VariableChange } from "./compare.js";

/**
 * Describes a change of the registry, with one line for each change.
 *
 * @example
 * changeInWords({ kind: "changed", template: "receipt", variables: [{ path: "note", after: "string" }] });
 * // ["receipt: note is new (string)"]
 */
export function changeInWords(change: RegistryChange): string[] {
  if (change.kind !== "changed") return [`${change.template} is ${change.kind === "added" ? "new" : "gone"}`];
  return change.variables.map((variable) => `${change.template}: ${variableInWords(variable)}`);
}

/**
 * @example
 * variableInWords({ path: "note", before: "string", after: "string, optional" }); // "note is string, optional, was string"
 */
export function variableInWords({ path, before, after }: VariableChange): string {
  if (before === undefined) return `${path} is new (${after})`;
  return after === undefined ? `${path} is gone (was ${before})` : `${path} is ${after}, was ${before}`;
}
