import { JsonSyntaxError, readSyntax } from "../../../src/text/json-syntax.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { positionAt } from "../../../src/text/position.js";
import type { JsonProblem } from "../drafts.js";
import { isObject } from "../../state/json.js";

export type ReadJson =
  | { readonly variables: Variables; readonly problem?: undefined }
  | { readonly variables?: undefined; readonly problem: JsonProblem };

/** Parses variables, or returns where and why that fails. */
export function readJson(text: string): ReadJson {
  try {
    readSyntax(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return problemAt(text, error.offset, error.message);
  }
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return { variables: value };
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return problemAt(text, text.search(/\S/), `Variables must be an object, { … }, not ${found}.`);
}

function problemAt(text: string, offset: number, message: string): ReadJson {
  return { problem: { message, offset, ...positionAt(text, offset) } };
}

export function printJson(variables: Variables): string {
  return JSON.stringify(variables, null, 2);
}
