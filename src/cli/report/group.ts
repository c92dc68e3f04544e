import type { Diagnostic, Severity } from "../../diagnostic.js";

/** A finding with all templates that it occurs in. */
export interface GroupedDiagnostic extends Omit<Diagnostic, "template"> {
  /** Sorted; empty if the finding is not about a template. */
  readonly templates: readonly string[];
}

/**
 * Merges identical diagnostics at the same position, such as those that a shared part causes in each template that includes it.
 * Sorted by file and position; diagnostics without a position come first.
 */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): GroupedDiagnostic[] {
  return groupBy(diagnostics, keyOf).map(merged).toSorted(inOrder);
}

/** Groups items with the same key, in the order of each group's first item. */
export function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups.values()];
}

/** Diagnostics without a line are never merged across templates. */
function keyOf({ rule, severity, message, hint, at, template }: Diagnostic): string {
  const place = at?.line === undefined ? ["", template, at?.file] : [at.file, at.line, at.column];
  return JSON.stringify([rule, severity, withoutIncludePath(message), hint, ...place]);
}

function merged(all: readonly [Diagnostic, ...Diagnostic[]]): GroupedDiagnostic {
  const { template: _, ...rest } = all[0];
  const templates = [...new Set(all.flatMap(({ template }) => template ?? []))].toSorted();
  return { ...rest, message: templates.length > 1 ? withoutIncludePath(rest.message) : rest.message, templates };
}

/** Removes the include path, which differs per template: `(receipt.mjml → _shared/footer.mjml)`. */
function withoutIncludePath(message: string): string {
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

/** Compares by code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export type Cause = readonly [GroupedDiagnostic, ...GroupedDiagnostic[]];

/** The findings that a report shows, for every output format. */
export interface ShownFindings {
  /** In the order in which they were reported. */
  readonly diagnostics: readonly GroupedDiagnostic[];
  /** The same findings grouped by cause, errors first. */
  readonly causes: readonly Cause[];
  /** All findings of the level and above, including those over the maximum. */
  readonly loud: readonly GroupedDiagnostic[];
  /** The number of causes over the maximum. */
  readonly cut: number;
}

const RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/**
 * @param level Findings below this level are not shown.
 * @param max Maximum number of causes.
 */
export function selectListed(
  diagnostics: readonly GroupedDiagnostic[],
  { level, max }: { readonly level: Severity; readonly max: number },
): ShownFindings {
  const loud = diagnostics.filter(({ severity }) => RANKS[severity] <= RANKS[level]);
  const causes = causesOf(loud.toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity]));
  const listed = causes.slice(0, max);
  const chosen = new Set(listed.flat());
  return {
    diagnostics: loud.filter((each) => chosen.has(each)),
    causes: listed,
    loud,
    cut: causes.length - listed.length,
  };
}

/** Groups findings by cause, in the order of each cause's first finding. Errors with different hints are separate causes. */
export function causesOf(groups: readonly GroupedDiagnostic[]): Cause[] {
  return groupBy(groups, ({ severity, rule, message, cause, hint }) =>
    JSON.stringify([severity, rule, cause ?? [message, severity === "error" && hint]]),
  );
}
