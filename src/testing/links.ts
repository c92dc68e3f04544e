export interface Link {
  readonly address: string;
  readonly words: string;
}

function linksInHtml(html: string): Link[] {
  const anchors = visiblePart(html).matchAll(/<a\s(?:[^>]*?\s)?href\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>(.*?)<\/a>/gis);
  return Array.from(anchors, ([, double, single, inner = ""]) => ({
    address: decodeEntities(double ?? single ?? ""),
    words: visibleText(inner),
  })).filter(({ address }) => /^https?:/i.test(address));
}

function linksInText(text: string): Link[] {
  const addresses = text.matchAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?')\]]/gi);
  return Array.from(addresses, ([address]) => ({ address, words: address }));
}

/** @throws {Error} No link matches, or links to several URLs do. */
function findLink(links: readonly Link[], which: string | RegExp | undefined): string {
  const only =
    which === undefined
      ? (onlyAddress(links) ?? onlyAddress(links.filter(hasToken)))
      : onlyAddress(links.filter((link) => matchesLink(link, which)));
  if (only !== undefined) return only;
  const all = links.map(({ address, words }) => `\n- ${words}: ${address}`).join("");
  const criterion = which === undefined ? "" : ` that matches ${String(which)}`;
  if (links.some((link) => which === undefined || matchesLink(link, which)))
    throw new Error(`The message has several links${criterion}. Select one, as in link("…"):${all}`);
  throw new Error(`The message has no link${criterion}.${all === "" ? "" : ` Its links:${all}`}`);
}

function matchesLink({ address, words }: Link, which: string | RegExp): boolean {
  return [address, words].some((text) =>
    typeof which === "string" ? text.includes(which) : text.search(which) !== -1,
  );
}

/** The one URL that all of them lead to. */
function onlyAddress(links: readonly Link[]): string | undefined {
  const [only, ...others] = new Set(links.map(({ address }) => address));
  return others.length === 0 ? only : undefined;
}

/** Whether a link is for this recipient only: part of its URL is too random for a name. */
function hasToken({ address }: Link): boolean {
  if (!URL.canParse(address)) return false;
  const { pathname, search, hash } = new URL(address);
  return `${pathname}${search}${hash}`
    .split(/[/?&=#.]/)
    .some((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part));
}

/**
 * @param pattern What to look for instead of numbers; its first group is the code, if it has one.
 * @throws {Error} There is no code, or there are several.
 */
function findCode(text: string, pattern: RegExp | undefined): string {
  const [only, ...others] = new Set(pattern === undefined ? usualCodes(text) : matchesOf(text, pattern));
  if (only === undefined) throw new Error("The message contains no code.");
  if (others.length === 0) return only;
  throw new Error("The message contains several codes. Select one with a pattern, as in code(/code: (\\w+)/).");
}

function matchesOf(text: string, pattern: RegExp): string[] {
  const global = new RegExp(pattern, `${pattern.flags.replace("g", "")}g`);
  return Array.from(text.matchAll(global), ([all, group]) => group ?? all);
}

/** Numbers of 4 to 8 digits, also in two halves as in `123 456`; if there are none, mixes of digits and capitals. */
function usualCodes(text: string): string[] {
  const words = text.replaceAll(/https?:\/\/\S+/gi, " ");
  const alone = (code: string) =>
    Array.from(
      words.matchAll(new RegExp(String.raw`(?<![\w.,/#€$£+-])(?:${code})(?![\w/€%-]|[.,]\d)`, "g")),
      ([match]) => match,
    );
  const numbers = alone(String.raw`\d{3}[ -]\d{3}|\d{4,8}`).filter((number) => !/^(?:19|20)\d\d$/.test(number));
  if (numbers.length > 0) return numbers.map((number) => number.replace(/\D/, ""));
  return alone("[0-9A-Z]{4,8}").filter((code) => /\d/.test(code) && /[A-Z]/.test(code));
}

/** What a recipient can see or click: without comments, styles and the head. */
export function visiblePart(html: string): string {
  return html.replaceAll(/<(style|head)\b.*?<\/\1>|<!--.*?-->/gis, " ");
}

/** The text of a piece of HTML, on one line. */
export function visibleText(html: string): string {
  return decodeEntities(visiblePart(html).replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Decodes numeric references, and the named ones in URLs and codes. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (ENTITIES[name] ?? all) : String.fromCodePoint(Number(decimal));
  });
}

/** What a recipient can click or enter: the `link` and `code` of a message. */
export function linkAndCode(subject: string, read: (part: "html" | "text") => string | undefined) {
  return {
    link(which?: string | RegExp): string {
      const html = read("html");
      return findLink(html === undefined ? linksInText(read("text") ?? "") : linksInHtml(html), which);
    },
    code: (pattern?: RegExp): string =>
      findCode(`${subject}\n${read("text") ?? visibleText(read("html") ?? "")}`, pattern),
  };
}
