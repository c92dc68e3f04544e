import type { Output } from "../../output.js";
import type { PlanDocument } from "./document.js";
import { resultInWords } from "./phrases.js";
import { resultSections } from "./result-sections.js";
import { planText, sectionsText } from "./terminal.js";
import { wrapWords } from "./wrap.js";

export type { PlanDocument } from "./document.js";
export { errorEntries } from "./error-entries.js";
export { heldFlag, type LettingFlag, lettingFlag } from "./held-flag.js";
export { errorsMarkdown, planMarkdown } from "./markdown.js";
export { planDocument } from "./plan-document.js";
export { planProgress } from "./progress.js";
export { withResult } from "./result.js";

/**
 * Prints a plan on the terminal. With `--json`, pass the document to `output.json` as well. Long diffs are folded unless
 * `isWhole` is set.
 */
export function printPlan(document: PlanDocument, output: Output, { isWhole = false } = {}): void {
  const { style, columns } = output;
  output.print(planText(document, { style, columns, isWhole }));
}

/** Prints the result of a plan: a document from `withResult`. */
export function printResult(document: PlanDocument, output: Output): void {
  const isWhole = document.result !== undefined && document.result.next === undefined;
  output.print();
  for (const block of sectionsText(resultSections(document), output)) output.print(block);
  const summary = wrapWords(resultInWords(document).split(" "), { indent: "", columns: output.columns });
  for (const row of summary) output.print(output.style(isWhole ? "green" : "bold", row));
}
