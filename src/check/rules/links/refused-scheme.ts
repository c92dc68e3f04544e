import type { Rule } from "../../rule.js";
import { schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

const REFUSED = ["javascript", "vbscript", "data", "blob", "about", "view-source"];

export const refusedScheme: Rule = {
  id: "refused-scheme",
  summary: "A link has a scheme that mail clients take away, such as `javascript:`.",
  severity: "error",
  checkTemplate: forEachAddress((form, { use }) => {
    const scheme = schemeOf(form);
    if (use !== "link" || scheme === undefined || !REFUSED.includes(scheme)) return undefined;
    return {
      message: `The link ${shown(form)} does nothing: mail clients take ${scheme}: addresses away.`,
      hint: "Link to a page with https://.",
    };
  }),
};
