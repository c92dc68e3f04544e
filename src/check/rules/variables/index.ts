import type { Rule } from "../../rule.js";
import { optionalVariable } from "./optional-variable.js";
import { rawVariable } from "./raw-variable.js";
import { sectionsBreakHtml } from "./sections-break-html.js";
import { unusedVariable } from "./unused-variable.js";
import { valueBreaksHtml } from "./value-breaks-html.js";
import { variableInAddress } from "./variable-in-address.js";
import { variableInCss } from "./variable-in-css.js";
import { variableInMarkup } from "./variable-in-markup.js";
import { variableInScript } from "./variable-in-script.js";
import { variableWithoutExample } from "./variable-without-example.js";

export const variablesRules: readonly Rule[] = [
  unusedVariable,
  variableWithoutExample,
  optionalVariable,
  rawVariable,
  variableInAddress,
  variableInCss,
  variableInMarkup,
  variableInScript,
  sectionsBreakHtml,
  valueBreaksHtml,
];
