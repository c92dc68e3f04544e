import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult } from "../template/template.js";

const FIELDS = ["subject", "html_body", "text_body"] as const;

/**
 * Invariant 8: the same files give the same fields, byte for byte.
 *
 * @example
 * const findings = compareBuilds(await compileTemplate(template, context), await compileTemplate(template, context));
 */
export function compareBuilds(
  { template, compiled: first }: CompileResult,
  { compiled: second }: CompileResult,
): Diagnostic[] {
  if (!first) return [];
  const differing = second && FIELDS.find((name) => first[name] !== second[name]);
  if (second && differing === undefined) return [];
  return [
    {
      rule: "not-reproducible",
      severity: "error",
      message:
        second && differing
          ? describeDifference(differing, first[differing], second[differing])
          : "It compiles once, and the second time it doesn't.",
      template: template.name,
      at: { file: template.body.file },
      hint: "Nothing that a template prints may depend on the time, on chance or on the order in which things happen.",
    },
  ];
}

function describeDifference(field: string, first: string, second: string): string {
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  const excerpt = (text: string): string => text.slice(Math.max(0, start - 20), start + 20);
  return `Two builds give a different ${field}: "${excerpt(first)}", then "${excerpt(second)}".`;
}
