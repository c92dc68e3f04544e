import type { Diagnostic } from "@codemirror/lint";
import { type JsonNode, readSyntax } from "../../../../json-syntax.js";
import type { VariableProblem } from "../../../contract.js";
import { readJson } from "./read.js";

/** What is wrong with a text, where it is: its syntax, else what does not fit the schema. */
export function diagnosticsOf(text: string, problems: readonly VariableProblem[]): Diagnostic[] {
  const { problem } = readJson(text);
  if (problem) {
    const from = Math.min(problem.offset, text.length);
    return [{ from, to: Math.min(from + 1, text.length), severity: "error", message: problem.message }];
  }
  const root = readSyntax(text);
  return problems.map(({ path, message }) => {
    const { from, to, missing } = spanAt(root, path);
    return { from, to, severity: "error", message: missing === undefined ? message : `"${missing}": ${message}` };
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** The member that is not there. */
  readonly missing?: string;
}

function spanAt(root: JsonNode, path: VariableProblem["path"]): Span {
  let node = root;
  for (const [index, step] of path.entries()) {
    const next = node.items?.[Number(step)] ?? node.members?.get(String(step))?.value;
    // The bracket that opens what lacks it.
    if (!next) return { from: node.start, to: node.start + 1, missing: String(path[index]) };
    node = next;
  }
  return { from: node.start, to: node.end };
}
