import type { Rule } from "../../rule.js";
import { schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

const REFUSED = ["javascript", "vbscript", "data", "blob", "about", "view-source"];

export const refusedScheme: Rule = {
  id: "refused-scheme",
  summary: "A link has a scheme that email clients strip, such as `javascript:`.",
  severity: "error",
  checkTemplate: forEachAddress((form, { use }) => {
    const scheme = schemeOf(form);
    if (use !== "link" || scheme === undefined || !REFUSED.includes(scheme)) return undefined;
    return {
      message: `The link ${shown(form)} does nothing: email clients strip ${scheme}: URLs.`,
      hint: "Link to a page with https://.",
    };
  }),
};
