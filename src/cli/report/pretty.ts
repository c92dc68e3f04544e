import type { GroupedDiagnostic } from "./group.js";
import { isFixable, type Severity } from "../../diagnostic.js";
import type { Output } from "../output.js";
import { type CheckReport, plural, summary } from "./check-report.js";
import { placeOf, prettyGroups, severityColours } from "./diagnostics.js";
import type { Cause } from "./shown.js";
import { table } from "./table.js";

/** Up to this many findings are shown with code frames by default. */
const FRAMES_MAX = 10;

/**
 * The terminal output of `check`: one line per cause, errors first; a table of rules; and what to do next.
 */
export function pretty(report: CheckReport, style: Output["style"], frames = false): string {
  const { fixed = [], shown, folder } = report;
  const hasFrames = frames || shown.loud.length <= FRAMES_MAX;
  const parts = [
    fixed
      .map(({ rule, at }) => `${style("green", "fixed")} ${at ? placeOf(at, folder) : ""} ${style("dim", rule)}`)
      .join("\n"),
    hasFrames
      ? prettyGroups(shown.causes.flat(), folder, style)
      : shown.causes.map((cause) => lineOf(cause, folder, style)).join("\n"),
    hasFrames
      ? ""
      : `${byRule(shown.loud)}\nFor details about a rule, use --explain RULE. To see every place that it reports, use --rule RULE --frames.`,
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

/** A table of rules by number of findings. */
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
    ...(cut > 0 ? [`Not listed: ${plural(cut, "more cause")}. To list more, use --max N.`] : []),
    ...(hidden > 0 ? [`Not shown: ${plural(hidden, "finding")} of a lower level. To show all, use --level info.`] : []),
    ...(safely > 0 && !fixed ? [`Fixable: ${plural(safely, "finding")}. To fix, use --fix.`] : []),
    ...(unsafely > 0 && !fixed
      ? [`Fixable, but recipients may notice the change: ${plural(unsafely, "finding")}. To fix, use --fix --unsafe.`]
      : []),
  ];
}
