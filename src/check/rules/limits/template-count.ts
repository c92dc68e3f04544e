import { TEMPLATES_PER_DOMAIN } from "../../../api/limits.js";
import type { BuiltInRule } from "../../rule.js";

/** From this number on, a warning is given. */
const NEAR = TEMPLATES_PER_DOMAIN - 10;

export const templateCount: BuiltInRule = {
  id: "template-count",
  severity: "warning",
  isSilencedByComments: false,
  summary: "There are nearly as many templates as a domain can have, or more.",
  details: "The project has nearly as many templates as a domain can have (200), or more.",
  why: "The service rejects any more.",
  fix: "Remove templates that nothing sends, or split them across domains.",
  *checkAll({ results: { length } }) {
    if (length >= NEAR)
      yield {
        severity: length > TEMPLATES_PER_DOMAIN ? "error" : "warning",
        message: `There are ${length} templates; the limit is ${TEMPLATES_PER_DOMAIN} per domain.`,
        hint: "Remove templates that nothing sends, or split them across domains.",
      };
  },
};
