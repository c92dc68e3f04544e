import type { AssetsConfig } from "../../config/define.js";

/*
 * What a command and the process that compiles for it say to each other: a JSON document a line. Questions come on
 * standard input, answers go out through the file descriptor below.
 */

/** Of what answers are written to: standard output is what user code may print to. */
export const ANSWERS = 3;

/** Answered in the order in which they come. */
export type Question =
  /** Before any of the project's code runs: whether the process can write only to its own folders. */
  | { readonly kind: "start" }
  /** Where the project is. The second question, asked once. */
  | { readonly kind: "project"; readonly folder: string; readonly configFile?: string }
  | {
      readonly kind: "compile";
      readonly names: readonly string[];
      readonly assets?: AssetsConfig;
      /** Whether to find what `templates check` does, too. */
      readonly check: boolean;
    };

/** Nothing in an answer is to be trusted: the project's own code runs in the process that gives it. */
export type Answer =
  | { readonly kind: "done"; readonly value: unknown }
  /** What a person is told, as `failureOf` says it. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly hint?: string | undefined }
  /** A mistake of ours. */
  | { readonly kind: "defect"; readonly trace: string };

/** Undefined for what is no answer. */
export function readAnswer(line: string): Answer | undefined {
  const value: unknown = parsed(line);
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  if (value.kind === "done") return { kind: "done", value: "value" in value ? value.value : undefined };
  if (value.kind === "defect" && "trace" in value) return { kind: "defect", trace: String(value.trace) };
  if (value.kind !== "failed" || !("code" in value) || !("message" in value)) return undefined;
  const hint = "hint" in value ? { hint: String(value.hint) } : {};
  return { kind: "failed", code: String(value.code), message: String(value.message), ...hint };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
