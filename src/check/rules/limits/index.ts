import type { Rule } from "../../rule.js";
import { filledSubject } from "./filled-subject.js";
import { gmailClipping } from "./gmail-clipping.js";
import { gmailStyles } from "./gmail-styles.js";
import { lengthNearLimit } from "./length-near-limit.js";
import { templateCount } from "./template-count.js";

export const limitsRules: readonly Rule[] = [lengthNearLimit, gmailClipping, gmailStyles, filledSubject, templateCount];
