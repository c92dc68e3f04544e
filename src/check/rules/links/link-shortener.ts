import type { Rule } from "../../rule.js";
import { hostOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";

/** Those that SpamAssassin's own list begins with, and the most used besides. */
const SHORTENERS = new Set(
  "bit.ly bitly.com j.mp tinyurl.com goo.gl t.co ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly shorturl.at t.ly rb.gy tiny.cc bl.ink short.io adf.ly lnkd.in soo.gd s2r.co clicky.me u.to qr.ae x.co tr.im cli.gs snipurl.com".split(
    " ",
  ),
);

export const linkShortener: Rule = {
  id: "link-shortener",
  summary: "A link leads through a URL shortener, which spam filters punish.",
  severity: "warning",
  checkTemplate: forEachAddress((form, { use }) => {
    const host = hostOf(form)?.replace(/^www\./, "");
    if (use !== "link" || host === undefined || !SHORTENERS.has(host)) return undefined;
    return {
      message: `${shown(form)} hides where it leads behind ${host}: filters distrust such links, because spam has them.`,
      hint: "Link to the page itself.",
    };
  }),
};
