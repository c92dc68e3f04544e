import type { Rule } from "../../rule.js";
import { listRunTogether } from "./list-run-together.js";
import { optionalVariable } from "./optional-variable.js";
import { printedZero } from "./printed-zero.js";
import { rawVariable } from "./raw-variable.js";
import { sameForEach } from "./same-for-each.js";
import { sectionOverValue } from "./section-over-value.js";
import { sectionTwice } from "./section-twice.js";
import { sectionsBreakHtml } from "./sections-break-html.js";
import { shadowedVariable } from "./shadowed-variable.js";
import { unusedVariable } from "./unused-variable.js";
import { valueBreaksHtml } from "./value-breaks-html.js";
import { variableInAddress } from "./variable-in-address.js";
import { variableInComment } from "./variable-in-comment.js";
import { variableInCss } from "./variable-in-css.js";
import { variableInMarkup } from "./variable-in-markup.js";
import { variableInScript } from "./variable-in-script.js";
import { variableWithoutExample } from "./variable-without-example.js";

export const variablesRules: readonly Rule[] = [
  unusedVariable,
  variableWithoutExample,
  optionalVariable,
  sectionOverValue,
  sectionTwice,
  sameForEach,
  listRunTogether,
  shadowedVariable,
  printedZero,
  rawVariable,
  variableInAddress,
  variableInCss,
  variableInMarkup,
  variableInScript,
  variableInComment,
  sectionsBreakHtml,
  valueBreaksHtml,
];
