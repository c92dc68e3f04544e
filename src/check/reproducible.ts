import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import { separateDotted } from "../mustache/dotted.js";
import type { Rebuild } from "../render/compile-sited.js";
import type { CompileResult } from "../template/template.js";

export type { Rebuild };

// The text body is made of the html, or was written by hand.
const FIELDS = ["subject", "html_body"] as const;

/** A field of which two builds give different ones. */
export interface FieldDifference {
  readonly field: string;
  /** What stands around the first difference. */
  readonly first: string;
  readonly second: string;
}

/** What differs between two builds; undefined where they are the same, byte for byte, or where the first has failed. */
export function differenceOf(
  { compiled: first, template }: CompileResult,
  { fields, error = "an error" }: Rebuild,
): FieldDifference | undefined {
  if (!first) return undefined;
  if (!fields) return { field: "result", first: "compiled", second: error };
  const { contract } = first;
  for (const field of FIELDS) {
    const second = template.metadata.verbatim ? fields[field] : separateDotted(fields[field], contract);
    if (first[field] !== second) return { field, ...excerpts(first[field], second) };
  }
  return undefined;
}

/** Invariant 8: the same files give the same fields, byte for byte. */
export function notReproducible(
  { template }: CompileResult,
  { field, first, second }: FieldDifference,
  { moments }: Rebuild,
): Diagnostic {
  return {
    rule: "not-reproducible",
    severity: "error",
    message: `Two builds give a different ${field}: \`${first}\`, then \`${second}\`.`,
    template: template.name,
    at: moments[0] ?? { file: template.body.file },
    hint: `Nothing that a template prints may depend on the time, on chance or on the order in which things happen.${others(moments)}`,
  };
}

/** What is the same today, and won't be one day. */
export function timeInBody(
  { template }: CompileResult,
  { field, first, second }: FieldDifference,
  { moments }: Rebuild,
): Diagnostic {
  return {
    rule: "time-in-body",
    severity: "warning",
    message: `The time of the build stays in ${field}: built today it has \`${first}\`, and built later \`${second}\`.`,
    template: template.name,
    at: moments[0] ?? { file: template.body.file },
    hint: `Let the application pass it as a variable.${others(moments)}`,
  };
}

function others(moments: readonly SourcePosition[]): string {
  const [, ...more] = moments;
  if (more.length === 0) return "";
  return ` The time, or chance, is asked for in other places too: ${more.map(({ file, line }) => `${file}:${line}`).join(", ")}.`;
}

const BEFORE = 30;
const AFTER = 30;

function excerpts(first: string, second: string): { readonly first: string; readonly second: string } {
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  const excerpt = (text: string): string => text.slice(Math.max(0, start - BEFORE), start + AFTER);
  return { first: excerpt(first), second: excerpt(second) };
}
