import { forEachProbedUrl } from "../../lib/probed-urls.js";
import type { BuiltInRule } from "../../rule.js";
import { shortUrl } from "../../lib/addresses.js";

export const redirectedAddress: BuiltInRule = {
  id: "redirected-address",
  severity: "info",
  needsNetwork: true,
  summary: "A link or an image redirects to another site.",
  details: "With `--network`: a URL redirects to another site.",
  why:
    "Spam filters look at where a link ends, and people see a different site from the one that the email named. " +
    "Redirects within a site are fine.",
  fix: "Use the URL that it redirects to, unless the redirect is intended.",
  checkAll: forEachProbedUrl(({ form, probe }) => {
    if (probe.kind === "failed" || probe.movedTo === undefined || probe.status >= 400) return undefined;
    return {
      message: `${shortUrl(form)} redirects to ${shortUrl(probe.movedTo)}, which is another site.`,
      hint: "Use the URL that it redirects to, unless the redirect is intended.",
    };
  }),
};
