import type { AssetsConfig } from "../../project/config.js";

/*
 * The protocol between a command and its compiler process: one JSON document per line. Questions arrive on standard
 * input; answers go to the file descriptor below.
 */

/** The file descriptor for answers. Standard output is left to user code. */
export const ANSWERS = 3;

/** Questions are answered in the order in which they arrive. */
export type Question =
  /** Sent before any project code runs: can the process write only to its own folders? */
  | { readonly kind: "start" }
  /** Where the project is. Always the second question, sent once. */
  | { readonly kind: "project"; readonly folder: string; readonly configFile?: string }
  | {
      readonly kind: "compile";
      readonly names: readonly string[];
      readonly assets?: AssetsConfig;
      /** Whether to also run the rules of `templates check`. */
      readonly check: boolean;
    };

/** Don't trust anything in an answer: project code runs in the process that sends it. */
export type Answer =
  | { readonly kind: "done"; readonly value: unknown }
  /** An error to show to the user, in the words of `failureOf`. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly hint?: string | undefined }
  /** A bug in lettershop. */
  | { readonly kind: "defect"; readonly trace: string };

/** Parses an answer; undefined if the line isn't one. */
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
