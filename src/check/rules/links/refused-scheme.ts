import type { BuiltInRule } from "../../rule.js";
import { schemeOf } from "../../lib/urls.js";
import { forEachAddress, shortUrl } from "../../lib/addresses.js";

const REFUSED = ["javascript", "vbscript", "data", "blob", "about", "view-source"];

export const refusedScheme: BuiltInRule = {
  id: "refused-scheme",
  severity: "error",
  summary: "A link has a scheme that email clients strip, such as `javascript:`.",
  details: "A link begins with `javascript:`, `data:` or another scheme that email clients strip.",
  why:
    "Email clients and filters remove such URLs because they could run code. The link does nothing, and the email " +
    "looks suspicious.",
  fix: "Link to a page with `https://`.",
  examples: {
    wrong: ['<a ‸href="javascript:window.print()">Print</a>'],
    right: ['<a href="https://shop.example/print">Print</a>'],
  },
  checkTemplate: forEachAddress((form, { use }) => {
    const scheme = schemeOf(form);
    if (use !== "link" || scheme === undefined || !REFUSED.includes(scheme)) return undefined;
    return {
      message: `The link ${shortUrl(form)} does nothing: email clients strip ${scheme}: URLs.`,
      hint: "Link to a page with https://.",
    };
  }),
};
