import { BODY_MAX, DESCRIPTION_MAX, SUBJECT_MAX } from "../../api/limits.js";
import type { Rule } from "../rule.js";

const LIMITS = [
  ["description", DESCRIPTION_MAX],
  ["subject", SUBJECT_MAX],
  ["html_body", BODY_MAX],
  ["text_body", BODY_MAX],
] as const;

/** How much of a limit may be used without a word. */
const NEAR = 0.9;

export const lengthNearLimit: Rule = {
  id: "length-near-limit",
  checkTemplate({ template, compiled }) {
    return LIMITS.filter(([field, limit]) => compiled[field].length > limit * NEAR).map(([field, limit]) => ({
      severity: "warning",
      message: `${field} has ${compiled[field].length} of the ${limit} characters that the service takes.`,
      at: { file: template.body.file },
    }));
  },
};
