import type { Rule } from "../../rule.js";
import { hostOf, schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isMalformed } from "./malformed-address.js";
import { whyPrivate } from "./private-hosts.js";

export const unreachableAddress: Rule = {
  id: "unreachable-address",
  summary: "An address is on one's own machine, or in a private network.",
  severity: "error",
  checkTemplate: forEachAddress((form) => {
    const reason = whyUnreachable(form);
    if (reason === undefined) return undefined;
    return {
      message: `${shown(form)} leads nowhere for whoever gets the mail: it ${reason}.`,
      hint: "Write the public address, beginning with https://, or take its host from a variable.",
    };
  }),
};

/** Also for what has no scheme: a name and a port are a host. */
export function whyUnreachable(address: string): string | undefined {
  const scheme = schemeOf(address);
  if (scheme === "file" || /^[a-z]:[\\/]/i.test(address)) return "is a file of one machine";
  if ((scheme !== undefined && !/^(?:https?|ftp|wss?)$/.test(scheme)) || isMalformed(address)) return undefined;
  const host = hostOf(address) ?? /^([a-z0-9-]+):\d+(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  return host === undefined ? undefined : whyPrivate(host);
}
