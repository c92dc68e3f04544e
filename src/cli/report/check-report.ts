import { existsSync } from "node:fs";
import path from "node:path";
import { upwards } from "../../files.js";
import type { RuleInfo } from "../../check/rule.js";
import type { GroupedDiagnostic, ShownFindings } from "./group.js";
import type { Severity } from "../../diagnostic.js";

/** The result of `check`, for every output format. */
export interface CheckReport {
  readonly folder: string;
  readonly diagnostics: readonly GroupedDiagnostic[];
  /** The findings to print. */
  readonly shown: ShownFindings;
  /** Names of the templates that all rules ran on, sorted. */
  readonly checked: readonly string[];
  /** Names of templates that could not be loaded or compiled, so that most rules did not run; sorted. */
  readonly unchecked: readonly string[];
  /** All rules that can report findings. */
  readonly rules: readonly RuleInfo[];
  /** The requested rules, if `--rule` was used. */
  readonly only?: readonly string[];
  /** The commit or baseline that the findings were compared with, and the number of findings it already has. */
  readonly base?: { readonly ref: string; readonly known: number };
  /** The findings that `--fix` has fixed. */
  readonly fixed?: readonly GroupedDiagnostic[];
}

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function countSeverities(diagnostics: readonly { readonly severity: Severity }[]): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}

/** "2 errors, 1 warning"; undefined if there are none. */
export function formatCounts(counts: SeverityCounts): string | undefined {
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const noun = severity === "info" ? "note" : severity;
    return counts[severity] === 0 ? [] : [plural(counts[severity], noun)];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** The last lines of a report: how many templates were checked, the number of findings, and what could not be checked. */
export function summary({ diagnostics, checked, unchecked, only, base, fixed }: CheckReport): string {
  const count = formatCounts(countSeverities(diagnostics));
  const all = checked.length + unchecked.length;
  if (all === 0)
    return count === undefined ? "There are no templates to check." : `No templates were checked: ${count}.`;
  const scope = unchecked.length === 0 ? plural(all, "template") : `${checked.length} of ${plural(all, "template")}`;
  const nothing = base ? "no new findings" : only ? "no findings of these rules" : "no findings";
  const lines = [`${scope} checked: ${count ?? nothing}.`];
  if (fixed) lines.unshift(`Fixed: ${fixed.length === 0 ? "nothing" : plural(fixed.length, "finding")}.`);
  if (unchecked.length > 0)
    lines.push(`Not fully checked, because of errors when compiling: ${listed(unchecked, 10)}.`);
  if (only) lines.push(`Rules run: ${only.join(", ")}.`);
  if (base && base.known > 0) lines.push(`Not reported: ${plural(base.known, "finding")} already in ${base.ref}.`);
  return lines.join("\n");
}

/** "receipt, welcome and 3 more templates" */
export function listed(names: readonly string[], most = 3): string {
  const more = names.length - most;
  if (more > 1) return `${names.slice(0, most).join(", ")} and ${more} more templates`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A relative path with `/`, as in URLs and reports. */
export function relativeTo(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, "/");
}

/** The repository's folder, for services that need paths relative to the repository instead of the project. */
export function repositoryOf(folder: string): string {
  return [...upwards(folder)].find((each) => existsSync(path.join(each, ".git"))) ?? folder;
}
