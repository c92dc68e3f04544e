import type { Diagnostic } from "../diagnostic.js";
import type { Template } from "../template/template.js";

/**
 * Findings about a template. In html that is taken as it is written, what mail clients make the best of is no error: it
 * was made elsewhere, and is sent already.
 */
export function tolerated(diagnostics: readonly Diagnostic[], { metadata }: Pick<Template, "metadata">): Diagnostic[] {
  const isTolerated = ({ rule }: Diagnostic): boolean => metadata.verbatim === true && rule.startsWith("markup-");
  return diagnostics.map((found) => (isTolerated(found) ? { ...found, severity: "warning" } : found));
}
