import { isOffline, checkProbedUrls } from "../../lib/probed-urls.js";
import type { BuiltInRule } from "../../rule.js";
import { shortUrl } from "../../lib/addresses.js";

export const networkUnavailable: BuiltInRule = {
  id: "network-unavailable",
  severity: "warning",
  needsNetwork: true,
  isSilencedByComments: false,
  summary: "Links and images could not be checked, because the network could not be reached.",
  details: "With `--network`: none of the links and images could be opened, because the network could not be reached.",
  why: "Without this finding, unchecked links would look as if they were fine.",
  fix: "Check again when online, or leave out `--network`.",
  checkAll: checkProbedUrls(function* (probed) {
    const [first] = probed;
    if (!first || !isOffline(probed) || first.probe.kind !== "failed") return;
    const count = new Set(probed.map(({ form }) => form)).size;
    yield {
      message: `None of ${count} links and images could be opened, for example ${shortUrl(first.form)}: ${first.probe.reason}. They were not checked.`,
      hint: "Check again when online, or leave out `--network`.",
    };
  }),
};
