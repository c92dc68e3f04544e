import type { Rule } from "../../rule.js";
import { hostOf, schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isMalformed } from "./malformed-address.js";
import { whyPrivate } from "./private-hosts.js";

export const unreachableAddress: Rule = {
  id: "unreachable-address",
  summary: "A URL is on your own machine, or in a private network.",
  severity: "error",
  checkTemplate: forEachAddress((form) => {
    const reason = whyUnreachable(form);
    if (reason === undefined) return undefined;
    return {
      message: `Recipients can't reach ${shown(form)}: it ${reason}.`,
      hint: "Use the public URL, beginning with https://, or take its host from a variable.",
    };
  }),
};

/** Why recipients can't reach a URL. A name and a port without a scheme are a host, too. */
export function whyUnreachable(address: string): string | undefined {
  const scheme = schemeOf(address);
  if (scheme === "file" || /^[a-z]:[\\/]/i.test(address)) return "is a file on one machine";
  if ((scheme !== undefined && !/^(?:https?|ftp|wss?)$/.test(scheme)) || isMalformed(address)) return undefined;
  const host = hostOf(address) ?? /^([a-z0-9-]+):\d+(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  return host === undefined ? undefined : whyPrivate(host);
}
