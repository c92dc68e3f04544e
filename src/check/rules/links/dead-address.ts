import { forEachProbedUrl } from "../../lib/probed-urls.js";
import type { BuiltInRule } from "../../rule.js";
import { shortUrl, isImage } from "../../lib/addresses.js";

/** Statuses of pages that exist but require a login, or reject robots. */
const UNWILLING = [401, 403, 405, 406, 407, 408, 425, 429, 999];

export const deadAddress: BuiltInRule = {
  id: "dead-address",
  severity: "error",
  needsNetwork: true,
  summary: "A link or an image can't be opened.",
  details: "With `--network`: a link or an image can't be opened.",
  why:
    "Its server responds with 404 or another error, does not respond, or does not exist. Each URL without " +
    "variables is requested once, a few at a time, for 10 seconds at most, first with HEAD. Pages that require a " +
    "login (401, 403) or reject robots (405, 429) count as fine; images don't. Errors that may be temporary are " +
    "warnings.",
  fix: "Open the URL in a browser, and fix it.",
  checkAll: forEachProbedUrl(({ form, address, probe }) => {
    if (probe.kind === "failed")
      return {
        message: `${shortUrl(form)} can't be opened: ${probe.reason}.`,
        hint: "Open it in a browser.",
        ...(probe.isPassing && { severity: "warning" }),
      };
    const { status } = probe;
    if (status < 400 || (UNWILLING.includes(status) && !isImage(address))) return undefined;
    const isGone = status === 404 || status === 410;
    return {
      message: `${shortUrl(form)} can't be opened: its server responds with ${status}.`,
      hint: isGone ? "Fix the URL." : "Open it in a browser where you are not signed in.",
      ...(!isGone && { severity: "warning" }),
    };
  }),
};
