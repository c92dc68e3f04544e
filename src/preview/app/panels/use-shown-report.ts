import { useRef } from "react";
import type { Problem, TemplateReport } from "../../contract.js";
import { useReport } from "../state/data.js";

/**
 * The template's report. While it is checked anew, the findings of the last check stay, so that lists do not shrink and grow
 * with every save; the numbers of their elements were those of another html.
 */
export const useShownReport = (): TemplateReport | undefined => {
  const report = useReport();
  const last = useRef<readonly [name: string, problems: readonly Problem[]]>(undefined);
  if (report && !report.isPartial) last.current = [report.name, report.problems];
  const kept = last.current?.[0] === report?.name ? last.current : undefined;
  const shown = useRef<readonly [of: TemplateReport | undefined, shown: TemplateReport | undefined]>([
    undefined,
    undefined,
  ]);
  if (shown.current[0] !== report) {
    const isKept = report?.isPartial && kept && !report.problems.some(({ severity }) => severity === "error");
    shown.current = [report, isKept ? { ...report, problems: kept[1].map(withoutPlace) } : report];
  }
  return shown.current[1];
};

const withoutPlace = (problem: Problem): Problem => {
  const { place, ...others } = problem;
  return place === undefined ? problem : others;
};
