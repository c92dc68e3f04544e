/** Elements that run a script, or show a page that may run one. */
const ACTIVE_ELEMENTS = new Set("script handler iframe frame object embed applet".split(" "));

/*
 * XML allows no "<" in a tag, an entity's value or a default, so every pattern stops at the next one. This way each
 * takes linear time, and nothing before a tag can hide it.
 */
const TAG = /<(?:[^\s<>"'/!?=:]+:)?([^\s<>"'/!?=:]+)/g;
const REST_OF_TAG = /[^<>"']+|"[^"<]*"|'[^'<]*'/y;
const ATTRIBUTE = /(?<![^\s"'/])([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
/** A parameter entity; or an entity's value, with the character that ends it. */
const ENTITY = /<!ENTITY\s+(?:(%)|[^\s<"'%]+\s+(?:"([^"<]*)(["<])|'([^'<]*)(['<])))/g;
const ACTIVE_DEFAULT = /<!ATTLIST[^<]*(?:\son[a-z]+\s|script:)/i;
const STYLE_SHEET = /<\?xml-stylesheet\s([^<?&]*)(\?>)?/g;

const HANDLER = /^on[a-z]+$/i;
const SCRIPT_URL = /(?:^|;)(?:java|vb)script:/i;
/** Attributes that contain a URL, or set one. */
const URL_ATTRIBUTE = /(?:^|:)(?:href|src|action|data|values|to|from|by|attributeName)$/i;

/** What would run code when a browser opens the SVG, as a noun phrase; undefined if nothing would. */
export function scriptInSvg(bytes: Buffer): string | undefined {
  const text = decode(bytes);
  for (const [, data = "", end] of text.matchAll(STYLE_SHEET))
    // XSLT creates another document, which may contain scripts.
    if (end === undefined || /xsl|xml/i.test(data)) return "an XSLT style sheet";
  for (const [, parameter, double, doubleEnd, single, singleEnd] of text.matchAll(ENTITY))
    if (parameter !== undefined || (doubleEnd ?? singleEnd) === "<" || /[&%]/.test(double ?? single ?? ""))
      return "an entity that hides markup";
  if (ACTIVE_DEFAULT.test(text)) return "a script as an attribute's default";
  for (const { 0: begin, 1: name = "", index } of text.matchAll(TAG)) {
    if (ACTIVE_ELEMENTS.has(name.toLowerCase())) return `<${name.toLowerCase()}>`;
    const active = activeAttribute(attributesAt(text, index + begin.length));
    if (active !== undefined) return active;
  }
  return undefined;
}

/** In steps: one pattern for a whole tag would need a stack as deep as the number of steps. */
function attributesAt(text: string, start: number): string {
  let end = start;
  REST_OF_TAG.lastIndex = start;
  while (REST_OF_TAG.test(text)) end = REST_OF_TAG.lastIndex;
  return text.slice(start, end);
}

function activeAttribute(attributes: string): string | undefined {
  for (const [, name = "", double, single] of attributes.matchAll(ATTRIBUTE)) {
    const value = unescaped(double ?? single ?? "");
    // An animation sets the attribute that it names.
    const handler = [name, name === "attributeName" ? value : ""].find((each) => HANDLER.test(each));
    if (handler !== undefined) return `an "${handler.toLowerCase()}" handler`;
    // Browsers ignore white space and control characters in a URL's scheme.
    if (SCRIPT_URL.test(value.replaceAll(/[\0- ]/g, ""))) return "a script as a URL";
    if (URL_ATTRIBUTE.test(name) && /&(?!amp;)[^#\s&;]+;/.test(value)) return "an entity in a URL";
  }
  return undefined;
}

const AMPERSAND = 0x26;
const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Decodes references to characters other than "&", so that every reference that remains is to an entity that the file
 * declares.
 */
function unescaped(value: string): string {
  if (!value.includes("&")) return value;
  return value
    .replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (reference, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (code === AMPERSAND) return "&amp;";
      return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
    })
    .replaceAll(/&(lt|gt|quot|apos);/g, (_, name: string) => CHARACTERS[name] ?? "");
}

/** UTF-16, with and without a byte order mark. In all other encodings that browsers support, markup is ASCII. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || second === 0) return bytes.toString("utf16le");
  if ((first === 0xfe && second === 0xff) || first === 0)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString("utf16le");
  return bytes.toString();
}
