import type { Diagnostic } from "../diagnostic.js";
import type { Template } from "../project/template.js";

/**
 * Turns markup errors into warnings for verbatim HTML: it was made elsewhere and is in use already, so email clients cope
 * with it.
 */
export function tolerated(diagnostics: readonly Diagnostic[], { metadata }: Pick<Template, "metadata">): Diagnostic[] {
  const isTolerated = ({ rule }: Diagnostic): boolean => metadata.verbatim === true && rule.startsWith("markup-");
  return diagnostics.map((found) => (isTolerated(found) ? { ...found, severity: "warning" } : found));
}
