import { replaceTags } from "../../mustache/scan.js";
import { nearest } from "../../text/nearest.js";

const SCHEME = /^([a-z][a-z0-9+-]*):/i;
/** Schemes without a host: `tel:112` is not a host and a port. */
const WITHOUT_HOST = /^(?:tel|sms|callto|facetime|geo|mailto|cid|data|javascript|vbscript|whatsapp|urn|blob|about):/i;
const HOST_AND_PORT = /^[a-z0-9-]+:\d+(?:[/?#]|$)/i;
const AUTHORITY = /^(?:[a-z][a-z0-9+-]*:)?\/\/([^/?#]*)/i;

/** Whether the URL begins with a tag, so that its scheme and host are unknown. */
export function isUnknown(address: string): boolean {
  return address.startsWith("{{");
}

/**
 * The scheme, in lower case and without the colon; undefined if there is none.
 *
 * @example
 * schemeOf("HTTPS://a.example"); // "https"
 * schemeOf("localhost:3000/pay"); // undefined
 */
export function schemeOf(address: string): string | undefined {
  if (HOST_AND_PORT.test(address) && !WITHOUT_HOST.test(address)) return undefined;
  return SCHEME.exec(address)?.[1]?.toLowerCase();
}

/** The host, in lower case and without user and port; undefined if there is none, or a tag is part of it. */
export function hostOf(address: string): string | undefined {
  const authority = AUTHORITY.exec(address)?.[1];
  if (authority === undefined || authority === "" || authority.includes("{{")) return undefined;
  const host = authority
    .replace(/^[^@]*@/, "")
    .replace(/:\d*$/, "")
    .toLowerCase();
  return host.replace(/^\[|\]$|\.$/g, "") || undefined;
}

/** The host, or the domain of the recipient of a `mailto:`. */
export function domainOf(address: string): string | undefined {
  return hostOf(address) ?? /^mailto:[^@?]*@([^?,;\s]+)/i.exec(address)?.[1]?.toLowerCase();
}

/** Top-level domains that are not file extensions: `order.pdf`, `Node.js` and `README.md` are not hosts. */
const TOP_LEVEL_DOMAINS = new Set(
  "com net org info biz edu gov mil int io co app dev ai shop store online site cloud tech me tv example eu uk de fr nl it es pt pl cz at ch be dk se no fi ie us ca au nz jp cn in br mx ru kr za".split(
    " ",
  ),
);
const WHOLE = /\bhttps?:\/\/[^\s<>"')]*[^\s<>"'),.;:!?]/i;
const BARE = /^(?:www\.)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+([\p{L}]{2,}))(?::\d+)?(?:\/\S*)?$/u;

/**
 * The host that a string names: it is a URL or a host, or contains a full URL.
 *
 * @example
 * hostInText("Open https://shop.example/orders now"); // "shop.example"
 * hostInText("shop.example"); // "shop.example"
 * hostInText("Built with Node.js"); // undefined
 */
export function hostInText(text: string): string | undefined {
  const whole = WHOLE.exec(text)?.[0];
  if (whole !== undefined) return hostOf(whole);
  const [, host, ending] = BARE.exec(text) ?? [];
  const isKnown = /^www\./i.test(text) || (ending !== undefined && TOP_LEVEL_DOMAINS.has(ending.toLowerCase()));
  return isKnown ? host?.toLowerCase() : undefined;
}

/** Whether two hosts belong to the same site: they are equal, or one is a subdomain of the other. */
export function isSameSite(one: string, other: string): boolean {
  const [a = "", b = ""] = [one, other].map((host) => host.replace(/^www\d?\./, ""));
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** Whether a domain is reserved for examples (RFC 2606), so that nobody can own it. */
export function isExampleDomain(host: string): boolean {
  return /(?:^|\.)example\.(?:com|net|org)$/.test(host);
}

/** The string without its percent-encoding, or unchanged if that is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function isMalformed(address: string): boolean {
  return whyMalformed(address) !== undefined;
}

/** Why a URL leads nowhere, following "it is not a valid URL"; undefined if it is valid. */
export function whyMalformed(address: string): string | undefined {
  if (address === "" || isUnknown(address)) return undefined;
  const scheme = schemeOf(address);
  if (scheme === "mailto") return whyMalformedMail(address);
  if (scheme === "tel" || scheme === "sms") return whyMalformedNumber(address);
  if (scheme !== undefined && !/^https?$/.test(scheme)) return whyUnknownScheme(scheme, address);
  const beginning = BEGINNINGS.find(([pattern]) => pattern.test(address))?.[1];
  return beginning ?? (scheme === undefined ? undefined : whyMalformedWeb(address));
}

/** The URL with a letter in the place of each tag, which is valid anywhere. */
export function withTagsAsLetters(address: string): string {
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

/** Why recipients can't reach a URL. A name and a port without a scheme are a host, too. */
export function whyUnreachable(address: string): string | undefined {
  const scheme = schemeOf(address);
  if (scheme === "file" || /^[a-z]:[\\/]/i.test(address)) return "is a file on one machine";
  if ((scheme !== undefined && !/^(?:https?|ftp|wss?)$/.test(scheme)) || isMalformed(address)) return undefined;
  const host = hostOf(address) ?? /^([a-z0-9-]+):\d+(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  return host === undefined ? undefined : whyPrivate(host);
}

/**
 * Why recipients can't reach a host, as the end of a sentence; undefined if they can.
 *
 * @example
 * whyPrivate("192.168.1.10"); // "is an address in a private network"
 */
export function whyPrivate(host: string): string | undefined {
  return KINDS.find(([pattern]) => pattern.test(host))?.[1];
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:localhost|.*\.localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|::1|::)$/, "is on the machine that opens it"],
  [
    /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|f[cd][0-9a-f]{2}:.*|fe80:.*)$/,
    "is an address in a private network",
  ],
  [/\.(?:local|internal|intranet|lan|corp|home|home\.arpa|localdomain)$/, "is a host in a private network"],
  [/(?:^|\.)(?:test|invalid)$/, "is on a domain that is reserved for tests"],
  [
    /(?:^|\.)(?:ngrok\.io|ngrok\.app|ngrok\.dev|ngrok-free\.(?:app|dev)|trycloudflare\.com|loca\.lt|localtunnel\.me|serveo\.net|lvh\.me|nip\.io|sslip\.io)$/,
    "is a tunnel to a developer's machine",
  ],
  [/^(?!0x)(?=[\d-]*[a-z])[a-z0-9-]+$/, "is a host name that only a private network knows"],
];
