import type { GroupedDiagnostic } from "./group.js";
import { isFixable, type Severity } from "../../diagnostic.js";
import type { Output } from "../output.js";
import { type CheckReport, plural, summary } from "./check-report.js";
import { type Cause, causesOf, placeOf, prettyGroups, severityColours } from "./diagnostics.js";
import { table } from "./table.js";

/** How much of the findings a person gets to read. */
export interface Shown {
  /** Findings below this are only counted. */
  readonly level: Severity;
  /** Causes that are listed at most. */
  readonly max: number;
  /** Each finding with its source, instead of one line for each cause. */
  readonly frames: boolean;
}

export const USUALLY_SHOWN: Shown = { level: "warning", max: 100, frames: false };

/** So few are shown with their sources anyway. */
const FEW = 10;

const RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/**
 * What `check` prints for a person: errors first, a line for each cause, the rules by how much they found, and what to do next.
 */
export function pretty(report: CheckReport, style: Output["style"], shown: Shown = USUALLY_SHOWN): string {
  const { fixed = [], diagnostics, folder } = report;
  const loud = diagnostics
    .filter(({ severity }) => RANKS[severity] <= RANKS[shown.level])
    .toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity]);
  const causes = causesOf(loud);
  const hasFrames = shown.frames || loud.length <= FEW;
  const listed = causes.slice(0, shown.max);
  const parts = [
    fixed
      .map(({ rule, at }) => `${style("green", "fixed")} ${at ? placeOf(at, folder) : ""} ${style("dim", rule)}`)
      .join("\n"),
    hasFrames
      ? prettyGroups(listed.flat(), folder, style)
      : listed.map((cause) => lineOf(cause, folder, style)).join("\n"),
    hasFrames ? "" : `${byRule(loud)}\nRead why a rule matters with --explain RULE.`,
    [
      summary(report),
      ...next(report, { hidden: diagnostics.length - loud.length, cut: causes.length - listed.length }),
    ].join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function lineOf([first, ...others]: Cause, folder: string, style: Output["style"]): string {
  const { severity, rule, message, at, templates } = first;
  const place = at === undefined ? templates.join(", ") : placeOf(at, folder);
  const files = new Set([first, ...others].flatMap((each) => each.at?.file ?? []));
  const inFiles = files.size > 1 ? ` in ${files.size} files` : "";
  const more = others.length === 0 ? "" : ` (and ${others.length} more${inFiles})`;
  return [
    style(severityColours[severity], severity.padEnd(LONGEST)),
    style("cyan", place),
    `${message}${more}`,
    style("dim", rule),
  ].join("  ");
}

const LONGEST = "warning".length;

/** Which rules found most. */
function byRule(groups: readonly GroupedDiagnostic[]): string {
  const rules = new Map<string, Record<Column, number>>();
  for (const group of groups) {
    const counts = rules.get(group.rule) ?? { error: 0, warning: 0, info: 0, fixable: 0 };
    counts[group.severity] += 1;
    if (isFixable(group, { unsafe: false })) counts.fixable += 1;
    rules.set(group.rule, counts);
  }
  const rows = [...rules].toSorted(([, a], [, b]) => b.error - a.error || b.warning - a.warning || b.info - a.info);
  const columns = COLUMNS.filter(([column]) => rows.some(([, counts]) => counts[column] > 0));
  return table([
    ["RULE", ...columns.map(([, heading]) => heading)],
    ...rows.map(([rule, counts]) => [rule, ...columns.map(([column]) => String(counts[column] || ""))]),
  ]);
}

type Column = Severity | "fixable";

const COLUMNS: readonly (readonly [Column, heading: string])[] = [
  ["error", "ERRORS"],
  ["warning", "WARNINGS"],
  ["info", "NOTES"],
  ["fixable", "FIXABLE"],
];

function next({ diagnostics, fixed }: CheckReport, { hidden, cut }: { readonly hidden: number; readonly cut: number }) {
  const fixable = (unsafe: boolean) => diagnostics.filter((each) => isFixable(each, { unsafe })).length;
  const safely = fixable(false);
  const unsafely = fixable(true) - safely;
  return [
    ...(cut > 0 ? [`Not listed: ${plural(cut, "more cause")}. List more with --max N.`] : []),
    ...(hidden > 0 ? [`Not shown: ${plural(hidden, "finding")} of a lower level. Show all with --level info.`] : []),
    ...(safely > 0 && !fixed ? [`Fixable: ${plural(safely, "finding")}. Fix with --fix.`] : []),
    ...(unsafely > 0 && !fixed
      ? [`Fixable with changes that readers may see: ${plural(unsafely, "finding")}. Fix with --fix --unsafe.`]
      : []),
  ];
}
