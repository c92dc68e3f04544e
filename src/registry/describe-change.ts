import type { RegistryChange, VariableChange } from "./compare.js";

/**
 * Describes a change of the registry, with one line for each change.
 *
 * @example
 * describeChange({ kind: "changed", template: "receipt", variables: [{ path: "note", after: "string" }] });
 * // ["receipt: note is new (string)"]
 */
export function describeChange(change: RegistryChange): string[] {
  if (change.kind !== "changed") return [`${change.template} is ${change.kind === "added" ? "new" : "gone"}`];
  return change.variables.map((variable) => `${change.template}: ${describeVariable(variable)}`);
}

/**
 * @example
 * describeVariable({ path: "note", before: "string", after: "string, optional" }); // "note is string, optional, was string"
 */
export function describeVariable({ path, before, after }: VariableChange): string {
  if (before === undefined) return `${path} is new (${after})`;
  return after === undefined ? `${path} is gone (was ${before})` : `${path} is ${after}, was ${before}`;
}
