import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import { restore, type TagTable } from "../mustache/tokens.js";
import type { Template } from "../project/template.js";

/** Collects the diagnostics of one template's files. */
export class Findings {
  readonly diagnostics: Diagnostic[] = [];

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === "error");
  }

  has(rule: string): boolean {
    return this.diagnostics.some((diagnostic) => diagnostic.rule === rule);
  }

  error(rule: string, message: string, at: SourcePosition, hint?: string): void {
    this.diagnostics.push({ rule, severity: "error", message, at, ...(hint !== undefined && { hint }) });
  }

  warning(rule: string, message: string, at: SourcePosition, hint?: string): void {
    this.diagnostics.push({ rule, severity: "warning", message, at, ...(hint !== undefined && { hint }) });
  }

  /** Without duplicates, sorted by file and position: the order must not depend on parallel work. */
  sorted(): Diagnostic[] {
    const once = new Map(this.diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
    return [...once.values()].sort(inOrder);
  }

  add(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.diagnostics.push(diagnostic);
  }
}

/** Diagnostics about a tokenised text, with the tags restored. */
export function withTags(diagnostics: readonly Diagnostic[], tags: TagTable): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    message: restore(diagnostic.message, tags, "html"),
    ...(diagnostic.hint !== undefined && { hint: restore(diagnostic.hint, tags, "html") }),
  }));
}

function inOrder(a: Diagnostic, b: Diagnostic): number {
  const [first, second] = [a.at?.file ?? "", b.at?.file ?? ""];
  if (first !== second) return first < second ? -1 : 1;
  return (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0);
}

/**
 * Turns markup errors into warnings for verbatim HTML: it was made elsewhere and is in use already, so email clients cope
 * with it.
 */
export function relaxVerbatimMarkup(
  diagnostics: readonly Diagnostic[],
  { metadata }: Pick<Template, "metadata">,
): Diagnostic[] {
  const isTolerated = ({ rule }: Diagnostic): boolean => metadata.verbatim === true && rule.startsWith("markup-");
  return diagnostics.map((found) => (isTolerated(found) ? { ...found, severity: "warning" } : found));
}
