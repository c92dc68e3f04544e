const SCHEME = /^([a-z][a-z0-9+-]*):/i;
/** Schemes that no port can be mistaken for, so that `tel:112` is no host with a port. */
const WITHOUT_HOST = /^(?:tel|sms|callto|facetime|geo|mailto|cid|data|javascript|vbscript|whatsapp|urn|blob|about):/i;
const HOST_AND_PORT = /^[a-z0-9-]+:\d+(?:[/?#]|$)/i;
const AUTHORITY = /^(?:[a-z][a-z0-9+-]*:)?\/\/([^/?#]*)/i;

/** Whether a tag at its beginning decides what it is. */
export function isUnknown(address: string): boolean {
  return address.startsWith("{{");
}

/**
 * In lower case, without the colon; undefined where there is none.
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
 * In lower case, without a user and a port; undefined where there is none or a tag decides a part of it.
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

/** The host, or the domain that a `mailto:` writes to. */
export function domainOf(address: string): string | undefined {
  return hostOf(address) ?? /^mailto:[^@?]*@([^?,;\s]+)/i.exec(address)?.[1]?.toLowerCase();
}

/** Endings that are nothing but a domain's: `order.pdf`, `Node.js` and `README.md` are no addresses. */
const ENDINGS = new Set(
  "com net org info biz edu gov mil int io co app dev ai shop store online site cloud tech me tv example eu uk de fr nl it es pt pl cz at ch be dk se no fi ie us ca au nz jp cn in br mx ru kr za".split(
    " ",
  ),
);
const WHOLE = /\bhttps?:\/\/[^\s<>"')]*[^\s<>"'),.;:!?]/i;
const BARE = /^(?:www\.)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+([\p{L}]{2,}))(?::\d+)?(?:\/\S*)?$/u;

/**
 * The host that a text names, if it is an address or has a whole one in it.
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
  const isKnown = /^www\./i.test(text) || (ending !== undefined && ENDINGS.has(ending.toLowerCase()));
  return isKnown ? host?.toLowerCase() : undefined;
}

/**
 * Whether two hosts are of the same site: equal, or one within the other.
 *
 * @example
 * isSameSite("www.shop.example", "shop.example"); // true
 */
export function isSameSite(one: string, other: string): boolean {
  const [a = "", b = ""] = [one, other].map((host) => host.replace(/^www\d?\./, ""));
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** Domains that are reserved for examples (RFC 2606): nobody's, and never anybody's. */
export function isExampleDomain(host: string): boolean {
  return /(?:^|\.)example\.(?:com|net|org)$/.test(host);
}

/** With what is encoded by percent signs as it is meant. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
