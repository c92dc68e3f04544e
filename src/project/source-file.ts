import { positionAt } from "../text/position.js";
import { type JsonNode, JsonSyntaxError, readSyntax } from "../text/json-syntax.js";
import type { SourceFile } from "./template.js";
import { readFileSync } from "node:fs";

/** The result of parsing JSON: its value, or what is wrong with it. */
export type JsonDocument =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: JsonProblem };

export interface JsonProblem {
  readonly message: string;
  readonly at: JsonPosition;
}

export interface JsonPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function parseJson({ file, text }: SourceFile): JsonDocument {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const problem = syntaxProblem(text);
    if (problem === undefined) throw error;
    return { problem: { message: problem.message, at: { file, ...positionAt(text, problem.offset) } } };
  }
}

function syntaxProblem(text: string): JsonSyntaxError | undefined {
  try {
    readSyntax(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

/**
 * The position of the value at a path in a JSON file, or of the nearest enclosing value if there is none.
 *
 * @param of Whether to point to the value or to the member name before it.
 */
export function jsonPosition(
  { file, text }: SourceFile,
  path: readonly PropertyKey[],
  of: "value" | "name" = "value",
): JsonPosition {
  let node: JsonNode = readSyntax(text);
  let { start } = node;
  for (const key of path) {
    const member = node.members?.get(String(key));
    const value = member?.value ?? node.items?.[Number(key)];
    if (value === undefined) break;
    start = of === "name" && member !== undefined ? member.key : value.start;
    node = value;
  }
  return { file, ...positionAt(text, start) };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const utf8Verbatim = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a text file; normalises line ends and removes a byte order mark.
 *
 * @param verbatim Keeps the content unchanged. Default false.
 * @throws {Error} It cannot be read.
 * @throws {TypeError} It is not UTF-8.
 */
export function readSource(file: string, verbatim = false): SourceFile {
  if (verbatim) return { file, text: utf8Verbatim.decode(readFileSync(file)) };
  const text = utf8.decode(readFileSync(file));
  return { file, text: text.replaceAll(/\r\n?/g, "\n") };
}
