import type { Diagnostic } from "../../diagnostic.js";

/** One finding, with all the templates that it was made in. */
export interface GroupedDiagnostic extends Omit<Diagnostic, "template"> {
  /** Sorted; empty where it is about none in particular. */
  readonly templates: readonly string[];
}

/**
 * One entry for what is the same finding at the same place: what a line of a shared part causes in each template that
 * includes it. Sorted by file and place, what has none first.
 *
 * @example
 * groupDiagnostics(found).map(({ rule, templates }) => [rule, templates]); // [["image-alt", ["receipt", "welcome"]]]
 */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): GroupedDiagnostic[] {
  const groups = new Map<string, { readonly first: Diagnostic; readonly all: Diagnostic[] }>();
  for (const diagnostic of diagnostics) {
    const key = keyOf(diagnostic);
    const group = groups.get(key) ?? { first: diagnostic, all: [] };
    group.all.push(diagnostic);
    groups.set(key, group);
  }
  return [...groups.values()].map(merged).toSorted(inOrder);
}

/** What is only known about a template as a whole is each template's own. */
function keyOf({ rule, severity, message, hint, at, template }: Diagnostic): string {
  const place = at?.line === undefined ? ["", template, at?.file] : [at.file, at.line, at.column];
  return JSON.stringify([rule, severity, withoutWay(message), hint, ...place]);
}

function merged({
  first,
  all,
}: {
  readonly first: Diagnostic;
  readonly all: readonly Diagnostic[];
}): GroupedDiagnostic {
  const { template: _, ...rest } = first;
  const templates = [...new Set(all.flatMap(({ template }) => template ?? []))].toSorted();
  return { ...rest, message: templates.length > 1 ? withoutWay(rest.message) : rest.message, templates };
}

/** Each template has its own way to a part: `(receipt.mjml → _shared/footer.mjml)`. */
function withoutWay(message: string): string {
  return message.replace(/ \([^()]* → [^()]*\)(?=\.?$)/, "");
}

function inOrder(a: GroupedDiagnostic, b: GroupedDiagnostic): number {
  return (
    compare(a.at?.file ?? "", b.at?.file ?? "") ||
    (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
    (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
    compare(a.rule, b.rule)
  );
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
