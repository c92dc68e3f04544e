import type { Rule } from "../../rule.js";
import { hostOf } from "../links/address-parts.js";
import { forEachAddress, shown } from "../links/address-rule.js";
import { whyPrivate } from "../links/private-hosts.js";

export const numericHost: Rule = {
  id: "numeric-host",
  summary: "An address has a number instead of a domain.",
  severity: "warning",
  checkTemplate: forEachAddress((form) => {
    const host = hostOf(form);
    if (host === undefined || whyPrivate(host) !== undefined) return undefined;
    if (!NUMBERS.test(host)) return undefined;
    return {
      message: `${shown(form)} names its host by a number: filters punish that, because phishing does it.`,
      hint: "Write the host's domain.",
    };
  }),
};

/** Browsers take one to four numbers, each of them decimal, octal or hexadecimal. */
const NUMBERS = /^(?:\d{6,}|0x[0-9a-f]+|(?:\d+|0x[0-9a-f]+)(?:\.(?:\d+|0x[0-9a-f]+)){1,3}|[0-9a-f]*:[0-9a-f:]+)$/;
