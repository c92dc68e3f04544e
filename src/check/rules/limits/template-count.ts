import { TEMPLATES_PER_DOMAIN } from "../../../api/limits.js";
import type { Rule } from "../../rule.js";

/** From how many on it is time to make room. */
const NEAR = TEMPLATES_PER_DOMAIN - 10;

export const templateCount: Rule = {
  id: "template-count",
  summary: "There are nearly, or more than, as many templates as the service takes in a domain.",
  severity: "warning",
  checkAll({ results: { length } }) {
    if (length < NEAR) return [];
    const isTooMany = length > TEMPLATES_PER_DOMAIN;
    return [
      {
        severity: isTooMany ? "error" : "warning",
        message: `There are ${length} templates; the service takes ${TEMPLATES_PER_DOMAIN} in a domain.`,
        hint: "Remove templates that nothing sends, or divide them among domains.",
      },
    ];
  },
};
