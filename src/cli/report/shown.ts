import type { Severity } from "../../diagnostic.js";
import type { GroupedDiagnostic } from "./group.js";

export type Cause = readonly [GroupedDiagnostic, ...GroupedDiagnostic[]];

/** The findings that a report shows, whatever its format. */
export interface ShownFindings {
  /** In the order in which they were found. */
  readonly diagnostics: readonly GroupedDiagnostic[];
  /** The same by what they say, errors first. */
  readonly causes: readonly Cause[];
  /** All of the level and above: more than `diagnostics` where the maximum leaves some out. */
  readonly loud: readonly GroupedDiagnostic[];
  /** How many causes the maximum leaves out. */
  readonly cut: number;
}

const RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/**
 * @param level Findings below it are left out.
 * @param max Causes that are shown at most.
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

/** What says the same in one place or many, in the order of the first. What to do about an error may differ. */
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
