import { nearest } from "../../../nearest.js";
import type { Rule } from "../../rule.js";
import { decoded, hostInText, hostOf, isUnknown, schemeOf } from "./address-parts.js";
import { forEachAddress, shown } from "./address-rule.js";
import { isImage } from "./addresses.js";

export const malformedAddress: Rule = {
  id: "malformed-address",
  summary: "An address is mistyped, so that it leads nowhere or elsewhere.",
  severity: "error",
  checkTemplate: forEachAddress((form, address) => {
    const reason = whyMalformed(form);
    if (reason !== undefined)
      return {
        message: `${shown(form)} is not an address: ${reason}.`,
        hint: "Mend it: whoever opens it gets an error, or nothing at all.",
      };
    const plain = withTagsAsLetters(form);
    const doubts = isImage(address) ? [...DOUBTS, ...DOUBTS_ABOUT_IMAGES] : DOUBTS;
    const [, doubt, hint] = doubts.find(([pattern]) => pattern.test(plain)) ?? [];
    return doubt === undefined || hint === undefined
      ? undefined
      : { severity: "warning", message: `${shown(form)}: ${doubt}.`, hint };
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

/** Mustache tags are taken for what fits. */
function withTagsAsLetters(address: string): string {
  return address.replace(/\{\{[^]*?\}\}\}?/g, "x");
}

/** Why a `mailto:` does not begin a mail to somebody. */
function whyMalformedMail(address: string): string | undefined {
  const [to = "", query = ""] = address.slice("mailto:".length).split(/\?(.*)/s);
  const plain = withTagsAsLetters(to);
  if (/^(?:\s|%20|\/\/)/.test(to)) return "it has a space or slashes after the colon";
  if (withTagsAsLetters(query).includes("?")) return 'what follows its first "?" is divided by "&", not by another "?"';
  if (/&\w+=/.test(plain)) return 'what it brings along, such as a subject, begins with "?", not with "&"';
  if (plain.trim() === "") return query.trim() === "" ? "it names nobody to write to" : undefined;
  const wrong = plain.split(",").find((recipient) => !RECIPIENT.test(decoded(recipient).trim()));
  return wrong === undefined || to.includes("{{") ? undefined : `"${decoded(wrong).trim()}" is no mail address`;
}

const RECIPIENT = /^[^\s@<>()[\]",;:]+@[^\s@<>()[\]",;:]+\.[^\s@<>()[\]",;:.]+$/;

/** Why a `tel:` or `sms:` calls nobody (RFC 3966). */
function whyMalformedNumber(address: string): string | undefined {
  const number = decoded(address.replace(/^[a-z]+:/i, "").split(/[;?&]/)[0] ?? "");
  const isNumber = address.includes("{{") || /^\+?[\s().*#-]*\d[\d\s().*#-]*$/.test(number);
  return isNumber ? undefined : `"${number}" is no telephone number`;
}

function whyUnknownScheme(scheme: string, address: string): string | undefined {
  if (OTHER_SCHEMES.test(scheme)) return undefined;
  const meant = /^e?-?mail$/.test(scheme) && address.includes("@") ? "mailto" : nearest(scheme, COMMON_SCHEMES);
  return meant === undefined ? undefined : `"${scheme}:" is no scheme, most likely "${meant}:" is meant`;
}

const COMMON_SCHEMES = ["http", "https", "mailto", "tel", "sms", "javascript"];
/** Those that are near to these, and meant as they are; one of an application, such as `slack:`, is near to none. */
const OTHER_SCHEMES = /^(?:javascript|vbscript|s?ftps?|data|file|cid|sips?|mms|smsto|xmpp)$/;

const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:https?:\/\/)+https?(?::|\/\/)/i, "it begins with two schemes"],
  [/^https?(?::(?!\/\/[^/?#]|\{\{)|;|\/\/)/i, 'it does not begin with "https://" and a host'],
  [/^:\/\//, "its scheme is missing"],
];

/** None of them is one; their neighbours on the keyboard are. */
const MISTYPED_ENDING = /\.(?:con|cmo|ocm|comm|coom|vom|xom|ogr|orgg|nte|nett|[a-z])$/;

function whyMalformedWeb(address: string): string | undefined {
  const plain = withTagsAsLetters(address);
  const authority = /^https?:\/\/([^/?#]*)/i.exec(plain)?.[1] ?? "";
  if (/\s/.test(plain)) return "it has a space in it";
  const strange = /["“”‘’<>\\^`]/.exec(plain)?.[0];
  if (strange !== undefined) return `an address has no ${strange}`;
  if (/&amp;|&#38;/.test(plain)) return "its & is written as &amp; twice over";
  if (/^\.|\.\.|[,;!$*()]/.test(authority) || !URL.canParse(plain)) return `"${authority}" is no host`;
  const host = hostOf(address);
  const [user] = authority.split(/@(?=[^@]*$)/);
  if (host !== undefined && user !== authority && hostInText(user ?? "") !== undefined)
    return `it leads to ${host}, and what stands before the "@" only looks like its host`;
  const ending = MISTYPED_ENDING.exec(host ?? "")?.[0];
  return ending === undefined ? undefined : `no domain ends in ${ending}`;
}

/** What is an address, and most likely not the one that is meant. */
const DOUBTS: readonly (readonly [pattern: RegExp, doubt: string, hint: string])[] = [
  [
    /^mailto:[^?]*\?.*\s/is,
    "a mailto: has no spaces, and some mail programs stop at the first",
    "Write %20 for a space.",
  ],
  [/^ftps?:/i, "browsers open no ftp: addresses any more", "Write https://."],
  [
    /^https?:[^?#]*&utm_\w+=/i,
    "its utm parameter is a part of the path",
    'Parameters begin with "?", and only the next with "&".',
  ],
  [
    /^https?:[^?#]*\?[^:#]*\?[\w.-]+=/i,
    'it has two "?", and the second one is a part of a value',
    "Divide parameters by &.",
  ],
  [
    /^https?:.*%(?![\da-f]{2}|x)/i,
    'a "%" in it encodes nothing, and servers may refuse it',
    "Write %25 for the sign itself.",
  ],
  [
    /^https?:.*[/=](?:undefined|null|NaN|\[object(?:%20|\+)Object\]|%5Bobject(?:%20|\+)Object%5D)(?=$|[/?#&])/i,
    "it has what programs print for a value that is not there",
    "Write what is meant, or a tag.",
  ],
];

const DOUBTS_ABOUT_IMAGES: typeof DOUBTS = [
  [
    /^https?:\/\/[^/]+\/[^?#]*\.html?(?:[?#]|$)/i,
    "it leads to a page, and clients show a broken image",
    "Write the address of the image.",
  ],
  [
    /\/[^?#]*\.(?:pgn|npg|pngg|gfi|giff|jepg|jpge|jgp|pjg|jpgg|jpegg|wepb|sgv)(?:[?#]|$)/i,
    "its ending is a mistyped one",
    "Write .png, .jpg, .gif, .webp or .svg.",
  ],
];
