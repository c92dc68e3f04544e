import type { GroupedDiagnostic } from "./group.js";
import { isFixable, type Severity } from "../../diagnostic.js";
import type { Output } from "../output.js";
import { type CheckReport, plural, summary } from "./check-report.js";
import { placeOf, prettyGroups, severityColours } from "./diagnostics.js";
import type { Cause } from "./shown.js";
import { table } from "./table.js";

/** So few are shown with their sources anyway. */
const FEW = 10;

/**
 * What `check` prints for a person: errors first, a line for each cause, the rules by how much they found, and what to do next.
 */
export function pretty(report: CheckReport, style: Output["style"], frames = false): string {
  const { fixed = [], shown, folder } = report;
  const hasFrames = frames || shown.loud.length <= FEW;
  const parts = [
    fixed
      .map(({ rule, at }) => `${style("green", "fixed")} ${at ? placeOf(at, folder) : ""} ${style("dim", rule)}`)
      .join("\n"),
    hasFrames
      ? prettyGroups(shown.causes.flat(), folder, style)
      : shown.causes.map((cause) => lineOf(cause, folder, style)).join("\n"),
    hasFrames
      ? ""
      : `${byRule(shown.loud)}\nRead why a rule matters with --explain RULE, and see all of its places with --rule RULE --frames.`,
    [summary(report), ...next(report)].join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function lineOf([first, ...others]: Cause, folder: string, style: Output["style"]): string {
  const { severity, rule, message, cause = message, at, templates } = first;
  const place = at === undefined ? templates.join(", ") : placeOf(at, folder);
  const files = new Set([first, ...others].flatMap((each) => each.at?.file ?? []));
  const inFiles = files.size > 1 ? ` in ${files.size} files` : "";
  const more = others.length === 0 ? "" : ` (and ${others.length} more${inFiles})`;
  return [
    style(severityColours[severity], severity.padEnd(LONGEST)),
    style("cyan", place),
    others.length === 0 ? message : `${cause}${more}`,
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

function next({ diagnostics, fixed, shown: { loud, cut } }: CheckReport) {
  const hidden = diagnostics.length - loud.length;
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
