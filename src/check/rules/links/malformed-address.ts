import { nearest } from "../../../nearest.js";
import type { Rule } from "../../rule.js";
import { hostOf, isUnknown, schemeOf, withoutTags } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isImage } from "./addresses.js";
import { mistypedImageEnding } from "./image-ending.js";
import { whyMalformedMail, whyMalformedNumber } from "./mail-and-phone.js";
import { hostInText } from "./text-address.js";

export const malformedAddress: Rule = {
  id: "malformed-address",
  summary: "An address is mistyped, so that it leads nowhere or elsewhere.",
  severity: "error",
  checkTemplate: forEachAddress((form, { use }) => {
    const reason = whyMalformed(form);
    if (reason !== undefined)
      return {
        message: `${shown(form)} is not an address: ${reason}.`,
        hint: "Mend it: whoever opens it gets an error, or nothing at all.",
      };
    const doubt = whyDoubtful(form) ?? (isImage({ use }) ? doubtOfImage(form) : undefined);
    return doubt && { severity: "warning", message: `${shown(form)}: ${doubt.reason}.`, hint: doubt.hint };
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
  if (/^e?-?mail$/.test(scheme) && address.includes("@"))
    return `"${scheme}:" is no scheme, most likely "mailto:" is meant`;
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

/** None of them is a domain; their neighbours on the keyboard are. */
const MISTYPED_ENDINGS = [
  ["con", "com"],
  ["cmo", "com"],
  ["ocm", "com"],
  ["comm", "com"],
  ["coom", "com"],
  ["vom", "com"],
  ["xom", "com"],
  ["ogr", "org"],
  ["orgg", "org"],
  ["nte", "net"],
  ["nett", "net"],
].map(([ending = "", meant = ""]) => [new RegExp(`\\.${ending}$`), ending, meant] as const);

function whyMalformedWeb(address: string): string | undefined {
  const plain = withoutTags(address, "x");
  const authority = /^https?:\/\/([^/?#]*)/i.exec(plain)?.[1] ?? "";
  if (/\s/.test(plain)) return "it has a space in it";
  const strange = /["“”‘’<>\\^`]/.exec(plain)?.[0];
  if (strange !== undefined) return `an address has no ${strange}`;
  if (/&amp;|&#38;/.test(plain)) return "its & is written as &amp; twice over";
  if (/^\.|\.\.|,|;|[!$*()]/.test(authority)) return `"${authority}" is no host`;
  const host = hostOf(address);
  const user = /^https?:\/\/([^/?#]*)@/i.exec(address)?.[1];
  if (host !== undefined && user !== undefined && hostInText(user) !== undefined)
    return `it leads to ${host}, and what stands before the "@" only looks like its host`;
  const [, ending = "", meant = ""] = MISTYPED_ENDINGS.find(([pattern]) => pattern.test(host ?? "")) ?? [];
  if (meant !== "") return `no domain ends in .${ending}, most likely .${meant} is meant`;
  if (/\.[a-z]$/.test(host ?? "")) return `no domain ends in one letter, as "${host}" does`;
  return URL.canParse(plain) ? undefined : `"${authority}" is no host`;
}

const NO_FTP = "browsers open no ftp: addresses any more";

function doubtOfWeb(plain: string): { readonly reason: string; readonly hint: string } | undefined {
  if (/^ftps?:/i.test(plain)) return { reason: NO_FTP, hint: "Write https://." };
  if (!/^https?:/i.test(plain)) return undefined;
  const lost = /^[^?#]*&(utm_\w+=)/i.exec(plain)?.[1];
  if (lost !== undefined)
    return {
      reason: `"${lost}" is a part of the path`,
      hint: 'Parameters begin with "?", and only the next with "&".',
    };
  const query = /\?([^#]*)/.exec(plain)?.[1] ?? "";
  if (/^[^:]*\?[\w.-]+=/.test(query))
    return { reason: 'it has two "?", and the second one is a part of a value', hint: "Divide parameters by &." };
  if (/%(?![\da-f]{2}|x)/i.test(plain))
    return { reason: 'a "%" in it encodes nothing, and servers may refuse it', hint: "Write %25 for the sign itself." };
  return undefined;
}

/** What is an address, and most likely not the one that is meant. */
function whyDoubtful(address: string): { readonly reason: string; readonly hint: string } | undefined {
  if (isUnknown(address)) return undefined;
  const plain = withoutTags(address, "x");
  if (/^mailto:[^?]*\?.*\s/is.test(plain))
    return {
      reason: "a mailto: has no spaces, and some mail programs stop at the first",
      hint: "Write %20 for a space.",
    };
  const doubt = doubtOfWeb(plain);
  if (doubt) return doubt;
  const missing = MISSING_VALUE.exec(plain)?.[1];
  if (missing === undefined || !/^https?:/i.test(plain)) return undefined;
  return {
    reason: `"${missing}" in it is what programs print for a value that is not there`,
    hint: "Write what is meant, or a tag.",
  };
}

function doubtOfImage(address: string): { readonly reason: string; readonly hint: string } | undefined {
  if (/^https?:\/\/[^/]+\/[^?#]*\.html?(?:[?#]|$)/i.test(address))
    return { reason: "it leads to a page, and clients show a broken image", hint: "Write the address of the image." };
  const { ending, meant } = mistypedImageEnding(address) ?? {};
  return ending === undefined
    ? undefined
    : { reason: `no image has the ending .${ending}`, hint: `Did you mean .${meant}?` };
}

/** As a whole segment of a path, or the value of a parameter. */
const MISSING_VALUE = /[/=](undefined|null|NaN|\[object(?:%20|\+)Object\]|%5Bobject(?:%20|\+)Object%5D)(?=$|[/?#&])/;
