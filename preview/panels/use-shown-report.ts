import { useRef } from "react";
import type { TemplateReport } from "../../src/preview/contract.js";
import { useReport } from "../state/data.js";
import { isChecked, withFormer } from "./former-findings.js";

/**
 * The template's report. While the template is checked again, the findings of the last check stay, so that lists do not
 * shrink and grow with every save. Their element numbers are dropped, because they belong to the previous HTML.
 */
export const useShownReport = (): TemplateReport | undefined => {
  const report = useReport();
  const checked = useRef<TemplateReport>(undefined);
  const shown = useRef<readonly [of: TemplateReport | undefined, shown: TemplateReport | undefined]>([
    undefined,
    undefined,
  ]);
  if (shown.current[0] !== report) {
    if (report && report.name !== checked.current?.name) checked.current = undefined;
    if (report && isChecked(report)) checked.current = report;
    shown.current = [report, report && withFormer(report, checked.current)];
  }
  return shown.current[1];
};
