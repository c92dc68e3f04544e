import type { Severity } from "../../diagnostic.js";
import type { GroupedDiagnostic } from "./group.js";

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
export function selectShown(
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
  const causes = new Map<string, [GroupedDiagnostic, ...GroupedDiagnostic[]]>();
  for (const group of groups) {
    const { severity, rule, message, cause, hint } = group;
    const key = JSON.stringify([severity, rule, cause ?? [message, severity === "error" && hint]]);
    const known = causes.get(key);
    if (known) known.push(group);
    else causes.set(key, [group]);
  }
  return [...causes.values()];
}
