import { nearest } from "../../../nearest.js";
import type { Rule } from "../../rule.js";
import { isUnknown, schemeOf, withoutTags } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { whyMalformedMail, whyMalformedNumber } from "./mail-and-phone.js";

export const malformedAddress: Rule = {
  id: "malformed-address",
  summary: "An address is mistyped, so that it leads nowhere or elsewhere.",
  severity: "error",
  checkTemplate: forEachAddress((form) => {
    const reason = whyMalformed(form);
    return reason === undefined
      ? undefined
      : {
          message: `${shown(form)} is not an address: ${reason}.`,
          hint: "Mend it: whoever opens it gets an error, or nothing at all.",
        };
  }),
};

export function isMalformed(address: string): boolean {
  return whyMalformed(address) !== undefined;
}

const WEB = ["http", "https"];
const KNOWN = [...WEB, "mailto", "tel", "sms", "ftp", "data", "javascript", "vbscript", "file", "cid"];

/** Mustache tags are taken for what fits. */
function whyMalformed(address: string): string | undefined {
  if (address === "" || isUnknown(address)) return undefined;
  const scheme = schemeOf(address);
  if (scheme === "mailto") return whyMalformedMail(address);
  if (scheme === "tel" || scheme === "sms") return whyMalformedNumber(address);
  if (scheme !== undefined && !WEB.includes(scheme)) return whyUnknownScheme(scheme, address);
  return whyMistypedBeginning(address) ?? (scheme === undefined ? undefined : whyMalformedWeb(address));
}

function whyUnknownScheme(scheme: string, address: string): string | undefined {
  if (KNOWN.includes(scheme)) return undefined;
  const meant = nearest(scheme, KNOWN);
  // A scheme of an application, such as `slack:`, is nobody's typing error.
  if (meant === undefined || APP_SCHEMES.includes(scheme)) return undefined;
  const looksSo = WEB.includes(meant) ? /^[a-z]+:\/?\/?\w/i.test(address) : address.includes(":");
  return looksSo ? `"${scheme}:" is no scheme, most likely "${meant}:" is meant` : undefined;
}

/** Near enough to a scheme of the web to be taken for one, and meant as they are. */
const APP_SCHEMES = ["sftp", "ftps", "htcpcp", "sip", "mms", "smsto", "sips", "cida", "xmpp"];

const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:https?:\/\/)+https?(?::|\/\/)/i, "it begins with two schemes"],
  [/^https?\/\//i, "the colon is missing after the scheme"],
  [/^https?;/i, "it has a semicolon after the scheme instead of a colon"],
  [/^https?::/i, "it has two colons after the scheme"],
  [/^https?:\\/i, "it has backslashes instead of slashes"],
  [/^https?:\/(?!\/)/i, "it has one slash after the scheme instead of two"],
  [/^https?:(?!\/|\{\{)/i, "the two slashes are missing after the scheme"],
  [/^https?:\/\/(?:[/?#]|$)/i, "it has no host"],
  [/^:\/\//i, "its scheme is missing"],
  [/^https?:\/\/www(?:[^.\w{-]|\.?(?:[/?#]|$))/i, "its host is only www"],
];

function whyMistypedBeginning(address: string): string | undefined {
  return BEGINNINGS.find(([pattern]) => pattern.test(address))?.[1];
}

function whyMalformedWeb(address: string): string | undefined {
  const plain = withoutTags(address, "x");
  const authority = /^https?:\/\/([^/?#]*)/i.exec(plain)?.[1] ?? "";
  if (/\s/.test(plain)) return "it has a space in it";
  const strange = /["“”‘’<>\\^`]/.exec(plain)?.[0];
  if (strange !== undefined) return `an address has no ${strange}`;
  if (/&amp;|&#38;/.test(plain)) return "its & is written as &amp; twice over";
  if (/^\.|\.\.|,|;|[!$*()]/.test(authority)) return `"${authority}" is no host`;
  return URL.canParse(plain) ? undefined : `"${authority}" is no host`;
}
