import type { Rule } from "./rule.js";
import { imageAlt } from "./rules/image-alt.js";
import { lengthNearLimit } from "./rules/length-near-limit.js";
import { preheaderMissing } from "./rules/preheader-missing.js";
import { subjectMissing } from "./rules/subject-missing.js";
import { templateCount } from "./rules/template-count.js";
import { unreachableAddress } from "./rules/unreachable-address.js";
import { unusedVariable } from "./rules/unused-variable.js";
import { variableWithoutExample } from "./rules/variable-without-example.js";

/** Every rule, in the order of their ids. */
export const RULES: readonly Rule[] = [
  imageAlt,
  lengthNearLimit,
  preheaderMissing,
  subjectMissing,
  templateCount,
  unreachableAddress,
  unusedVariable,
  variableWithoutExample,
];
