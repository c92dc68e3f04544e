import type { Diagnostic } from "@codemirror/lint";
import { type JsonNode, JsonSyntaxError, readSyntax } from "../../../src/text/json-syntax.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { positionAt } from "../../../src/text/position.js";
import type { InvalidJson } from "../unsaved.js";
import { isRecord } from "../../../src/values.js";
import type { VariableProblem } from "../../../src/preview/contract.js";
import { problemText } from "../path.js";

type ReadJson =
  | { readonly variables: Variables; readonly problem?: undefined }
  | { readonly variables?: undefined; readonly problem: InvalidJson };

/** Parses variables, or returns where and why that fails. */
export function readJson(text: string): ReadJson {
  try {
    readSyntax(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return problemAt(text, error.offset, error.message);
  }
  const value: unknown = JSON.parse(text);
  if (isRecord(value)) return { variables: value };
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return problemAt(text, text.search(/\S/), `Variables must be an object, { … }, not ${found}.`);
}

function problemAt(text: string, offset: number, message: string): ReadJson {
  return { problem: { message, offset, ...positionAt(text, offset) } };
}

export function printJson(variables: Variables): string {
  return JSON.stringify(variables, null, 2);
}

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
    return { ...span, ...positionAt(text, span.from), message: problemText(each) };
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

/** The call that sends a template with these variables. */
export function sendCall(template: string, variables: Variables): string {
  return `await mailer.send(${JSON.stringify(template)}, ${literal(variables, "")}, { to: "ada@example.com" });`;
}

const LONGEST_LINE = 80;

/** A value as a TypeScript literal. */
function literal(value: unknown, around: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${around}  `;
  const entries = (within: string): string[] =>
    Array.isArray(value)
      ? value.map((item) => literal(item, within))
      : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, within)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const short = entries(inner);
  if (short.length === 0) return open.trim() + close.trim();
  const line = open + short.join(", ") + close;
  if (!line.includes("\n") && around.length + line.length <= LONGEST_LINE) return line;
  return `${open.trim()}\n${short.map((entry) => `${inner}${entry},`).join("\n")}\n${around}${close.trim()}`;
}

function nameOf(name: string): string {
  // In any other notation, this name would set the object's prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
