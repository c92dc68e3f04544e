import { replaceTags } from "../../../mustache/scan.js";
import { nearest } from "../../../text/nearest.js";
import type { Rule } from "../../rule.js";
import { decoded, hostInText, hostOf, isUnknown, schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isImage } from "./addresses.js";

export const malformedAddress: Rule = {
  id: "malformed-address",
  summary: "A URL is malformed, so it leads nowhere or to the wrong place.",
  severity: "error",
  checkTemplate: forEachAddress((form, address) => {
    const reason = whyMalformed(form);
    if (reason !== undefined)
      return {
        message: `${shown(form)} is not a valid URL: ${reason}.`,
        hint: "Fix it: whoever opens it gets an error, or nothing at all.",
      };
    const plain = withTagsAsLetters(form);
    const warnings = isImage(address) ? [...WARNINGS, ...IMAGE_WARNINGS] : WARNINGS;
    const [, problem, hint] = warnings.find(([pattern]) => pattern.test(plain)) ?? [];
    return problem === undefined || hint === undefined
      ? undefined
      : { severity: "warning", message: `${shown(form)} ${problem}.`, hint };
  }),
};

export function isMalformed(address: string): boolean {
  return whyMalformed(address) !== undefined;
}

function whyMalformed(address: string): string | undefined {
  if (address === "" || isUnknown(address)) return undefined;
  const scheme = schemeOf(address);
  if (scheme === "mailto") return whyMalformedMail(address);
  if (scheme === "tel" || scheme === "sms") return whyMalformedNumber(address);
  if (scheme !== undefined && !/^https?$/.test(scheme)) return whyUnknownScheme(scheme, address);
  const beginning = BEGINNINGS.find(([pattern]) => pattern.test(address))?.[1];
  return beginning ?? (scheme === undefined ? undefined : whyMalformedWeb(address));
}

/** The URL with a letter in the place of each tag, which is valid anywhere. */
function withTagsAsLetters(address: string): string {
  return replaceTags(address, () => "x");
}

/** Why a `mailto:` is not valid. */
function whyMalformedMail(address: string): string | undefined {
  const [to = "", query = ""] = address.slice("mailto:".length).split(/\?(.*)/s);
  const plain = withTagsAsLetters(to);
  if (/^(?:\s|%20|\/\/)/.test(to)) return "it has a space or slashes after the colon";
  if (withTagsAsLetters(query).includes("?")) return 'its parameters are separated by "?" instead of "&"';
  if (/&\w+=/.test(plain)) return 'its first parameter follows "&" instead of "?"';
  if (plain.trim() === "") return query.trim() === "" ? "it has no recipient" : undefined;
  const wrong = plain.split(",").find((recipient) => !RECIPIENT.test(decoded(recipient).trim()));
  return wrong === undefined || to.includes("{{")
    ? undefined
    : `"${decoded(wrong).trim()}" is not a valid email address`;
}

const RECIPIENT = /^[^\s@<>()[\]",;:]+@[^\s@<>()[\]",;:]+\.[^\s@<>()[\]",;:.]+$/;

/** Why a `tel:` or `sms:` is not valid (RFC 3966). */
function whyMalformedNumber(address: string): string | undefined {
  const number = decoded(address.replace(/^[a-z]+:/i, "").split(/[;?&]/)[0] ?? "");
  const isNumber = address.includes("{{") || /^\+?[\s().*#-]*\d[\d\s().*#-]*$/.test(number);
  return isNumber ? undefined : `"${number}" is not a valid phone number`;
}

function whyUnknownScheme(scheme: string, address: string): string | undefined {
  if (OTHER_SCHEMES.test(scheme)) return undefined;
  const meant = /^e?-?mail$/.test(scheme) && address.includes("@") ? "mailto" : nearest(scheme, COMMON_SCHEMES);
  return meant === undefined ? undefined : `"${scheme}:" looks like a typo of "${meant}:"`;
}

const COMMON_SCHEMES = ["http", "https", "mailto", "tel", "sms", "javascript"];
/** Schemes that are similar to these but not typos. An application's own, such as `slack:`, is similar to none. */
const OTHER_SCHEMES = /^(?:javascript|vbscript|s?ftps?|data|file|cid|sips?|mms|smsto|xmpp)$/;

const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:https?:\/\/)+https?(?::|\/\/)/i, "it starts with two schemes"],
  [/^https?(?::(?!\/\/[^/?#]|\{\{)|;|\/\/)/i, 'it does not start with "https://" and a host'],
  [/^:\/\//, "its scheme is missing"],
];

/** Not top-level domains, but easily typed instead of one. */
const MISTYPED_DOMAIN = /\.(?:con|cmo|ocm|comm|coom|vom|xom|ogr|orgg|nte|nett|[a-z])$/;

function whyMalformedWeb(address: string): string | undefined {
  const plain = withTagsAsLetters(address);
  const authority = /^https?:\/\/([^/?#]*)/i.exec(plain)?.[1] ?? "";
  if (/\s/.test(plain)) return "it contains a space";
  const invalid = /["“”‘’<>\\^`]/.exec(plain)?.[0];
  if (invalid !== undefined) return `it contains ${invalid}`;
  if (/&amp;|&#38;/.test(plain)) return "its & is escaped twice";
  if (/^\.|\.\.|[,;!$*()]/.test(authority) || !URL.canParse(plain)) return `"${authority}" is not a valid host`;
  const host = hostOf(address);
  const [user] = authority.split(/@(?=[^@]*$)/);
  if (host !== undefined && user !== authority && hostInText(user ?? "") !== undefined)
    return `it leads to ${host}; what comes before the "@" only looks like the host`;
  const ending = MISTYPED_DOMAIN.exec(host ?? "")?.[0];
  return ending === undefined ? undefined : `${ending} is not a top-level domain`;
}

/** What is wrong with a valid URL, following the URL in the message. */
const WARNINGS: readonly (readonly [pattern: RegExp, problem: string, hint: string])[] = [
  [/^mailto:[^?]*\?.*\s/is, "contains a space, where some email clients stop", "Encode spaces as %20."],
  [/^ftps?:/i, "uses ftp:, which browsers no longer open", "Use https://."],
  [
    /^https?:[^?#]*&utm_\w+=/i,
    "has its utm parameters in the path",
    'Put "?" before the first parameter, and "&" before the others.',
  ],
  [
    /^https?:[^?#]*\?[^:#]*\?[\w.-]+=/i,
    'has a second "?", which becomes part of a value',
    'Separate parameters with "&".',
  ],
  [
    /^https?:.*%(?![\da-f]{2}|x)/i,
    'contains a "%" that encodes nothing, which servers may reject',
    "Encode a literal % as %25.",
  ],
  [
    /^https?:.*[/=](?:undefined|null|NaN|\[object(?:%20|\+)Object\]|%5Bobject(?:%20|\+)Object%5D)(?=$|[/?#&])/i,
    "contains what programs print for a missing value",
    "Write the value, or a tag.",
  ],
];

const IMAGE_WARNINGS: typeof WARNINGS = [
  [
    /^https?:\/\/[^/]+\/[^?#]*\.html?(?:[?#]|$)/i,
    "is a page, so clients show a broken image",
    "Use the URL of the image.",
  ],
  [
    /\/[^?#]*\.(?:pgn|npg|pngg|gfi|giff|jepg|jpge|jgp|pjg|jpgg|jpegg|wepb|sgv)(?:[?#]|$)/i,
    "looks like it has a typo in the file extension",
    "Use .png, .jpg, .gif, .webp or .svg.",
  ],
];
