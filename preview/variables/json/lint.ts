import type { Diagnostic } from "@codemirror/lint";
import { type JsonNode, readSyntax } from "../../../src/text/json-syntax.js";
import { positionAt } from "../../../src/text/position.js";
import type { VariableProblem } from "../../../src/preview/contract.js";
import { problemInWords } from "../path.js";
import { readJson } from "./read.js";

/** A problem and its position in the JSON. */
export interface JsonFinding {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Includes the path of the variable. */
  readonly message: string;
}

/** The problems of a JSON string: its syntax error, or else what does not fit the schema. */
export function findingsIn(text: string, problems: readonly VariableProblem[]): JsonFinding[] {
  const { problem } = readJson(text);
  if (problem) {
    const from = Math.min(problem.offset, text.length);
    const { line, column, message } = problem;
    return [{ from, to: Math.min(from + 1, text.length), line, column, message }];
  }
  const root = readSyntax(text);
  return problems.map((each) => {
    const span = spanAt(root, each.path);
    return { ...span, ...positionAt(text, span.from), message: problemInWords(each) };
  });
}

export function diagnosticsOf(findings: readonly JsonFinding[]): Diagnostic[] {
  return findings.map(({ from, to, message }) => ({ from, to, severity: "error", message }));
}

function spanAt(root: JsonNode, path: VariableProblem["path"]): { readonly from: number; readonly to: number } {
  let node = root;
  for (const step of path) {
    const next = node.items?.[Number(step)] ?? node.members?.get(String(step))?.value;
    // The bracket that opens the value without this member.
    if (!next) return { from: node.start, to: node.start + 1 };
    node = next;
  }
  return { from: node.start, to: node.end };
}
