import type { Problem, TemplateReport } from "../../contract.js";

/** What keeps a template from compiling is over as soon as it compiles: that is no finding of a check. */
export const isChecked = ({ isPartial, isBroken }: TemplateReport): boolean => !isPartial && !isBroken;

/** A report of what is still being checked, with the findings of the last check. */
export const withFormer = (report: TemplateReport, checked: TemplateReport | undefined): TemplateReport => {
  const isKept = report.isPartial && !report.problems.some(({ severity }) => severity === "error");
  return isKept && checked ? { ...report, problems: checked.problems.map(withoutPlace) } : report;
};

const withoutPlace = (problem: Problem): Problem => {
  const { place, ...others } = problem;
  return place === undefined ? problem : others;
};
