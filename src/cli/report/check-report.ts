import { existsSync } from "node:fs";
import path from "node:path";
import type { RuleInfo } from "../../check/catalogue.js";
import type { GroupedDiagnostic } from "./group.js";
import type { Severity } from "../../diagnostic.js";
import type { ShownFindings } from "./shown.js";

/** What `check` has to say, whatever the format. */
export interface CheckReport {
  /** The project's. */
  readonly folder: string;
  /** All that was found. */
  readonly diagnostics: readonly GroupedDiagnostic[];
  /** What of it is printed. */
  readonly shown: ShownFindings;
  /** Names of the templates that everything was looked for in, sorted. */
  readonly checked: readonly string[];
  /** Names of those that could not be loaded or compiled, so that no more than that is known about them; sorted. */
  readonly unchecked: readonly string[];
  /** All that a finding may be of. */
  readonly rules: readonly RuleInfo[];
  /** The only rules that were asked for, where some were. */
  readonly only?: readonly string[];
  /** What the findings were compared with, and how many were there already. */
  readonly base?: { readonly ref: string; readonly known: number };
  /** What `--fix` has fixed. */
  readonly fixed?: readonly GroupedDiagnostic[];
}

export type Counts = Readonly<Record<Severity, number>>;

export function countSeverities(diagnostics: readonly { readonly severity: Severity }[]): Counts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}

/** "2 errors, 1 warning", or undefined where there is nothing. */
export function inWords(counts: Counts): string | undefined {
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const noun = severity === "info" ? "note" : severity;
    return counts[severity] === 0 ? [] : [plural(counts[severity], noun)];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** The last lines: how much was looked at, what came of it, and what could not be looked at. */
export function summary({ diagnostics, checked, unchecked, only, base, fixed }: CheckReport): string {
  const count = inWords(countSeverities(diagnostics));
  const all = checked.length + unchecked.length;
  if (all === 0) return count === undefined ? "There are no templates to check." : `No template was checked: ${count}.`;
  const looked = unchecked.length === 0 ? plural(all, "template") : `${checked.length} of ${plural(all, "template")}`;
  const nothing = base || only ? "nothing found of what was asked for" : "nothing found";
  const lines = [`${looked} checked: ${count ?? nothing}.`];
  if (fixed) lines.unshift(`Fixed: ${fixed.length === 0 ? "nothing" : plural(fixed.length, "finding")}.`);
  if (unchecked.length > 0)
    lines.push(`Not checked any further, for it does not compile: ${listed(unchecked, "template", 10)}.`);
  if (only) lines.push(`Only asked for: ${only.join(", ")}.`);
  if (base && base.known > 0) lines.push(`Left out: ${plural(base.known, "finding")} that ${base.ref} has, too.`);
  return lines.join("\n");
}

/** "receipt, welcome and 3 more templates" */
export function listed(names: readonly string[], noun: string, most = 3): string {
  const more = names.length - most;
  if (more > 1) return `${names.slice(0, most).join(", ")} and ${more} more ${noun}s`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** With `/`, as web addresses and reports have it. */
export function relativeTo(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, "/");
}

/** What paths are relative to for services that know the repository and not the project in it. */
export function repositoryOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at;
    if (at === path.dirname(at)) return folder;
  }
}
