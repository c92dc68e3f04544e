import type { Problem, TemplateReport } from "../../src/preview/contract.js";

/**
 * Whether the report is of a finished check. A template that does not compile has not been checked: its error goes away
 * as soon as it compiles.
 */
export const isChecked = ({ isPartial, isBroken }: TemplateReport): boolean => !isPartial && !isBroken;

/** A report of a running check, with the findings of the last finished one. */
export const withFormer = (report: TemplateReport, checked: TemplateReport | undefined): TemplateReport => {
  const isKept = report.isPartial && !report.problems.some(({ severity }) => severity === "error");
  return isKept && checked ? { ...report, problems: checked.problems.map(withoutPlace) } : report;
};

const withoutPlace = (problem: Problem): Problem => {
  const { place, ...others } = problem;
  return place === undefined ? problem : others;
};
