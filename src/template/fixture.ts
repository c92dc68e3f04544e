import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import type { Variables } from "../mustache/variables.js";
import { jsonPosition, parseJson } from "./json.js";
import type { Fixture, SourceFile } from "./template.js";

/** Reads `fixtures/<name>.json`. */
export function readFixture(source: SourceFile): { fixture?: Fixture; diagnostics: Diagnostic[] } {
  const name = path.basename(source.file, ".json");
  const { value, problem } = parseJson(source);
  if (problem !== undefined) return { diagnostics: [{ rule: "fixture-json", severity: "error", ...problem }] };
  if (isVariables(value)) return { fixture: { name, source, variables: value }, diagnostics: [] };
  const kind = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  const message = `The fixture "${name}" is ${kind}, but must be an object with the variables that the application passes.`;
  return { diagnostics: [{ rule: "fixture-object", severity: "error", message, at: jsonPosition(source, []) }] };
}

function isVariables(value: unknown): value is Variables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
