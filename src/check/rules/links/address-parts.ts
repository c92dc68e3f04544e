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

/**
 * The host, in lower case and without user and port; undefined if there is none, or a tag is part of it.
 *
 * @example
 * hostOf("https://ada@shop.example:8080/x"); // "shop.example"
 * hostOf("https://{{tenant}}.shop.example"); // undefined
 */
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
 * The host that a text names: the text is a URL or a host, or contains a full URL.
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

/**
 * Whether two hosts belong to the same site: they are equal, or one is a subdomain of the other.
 *
 * @example
 * isSameSite("www.shop.example", "shop.example"); // true
 */
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
