import { decodeEntities, visiblePart, wordsOf } from "./html-words.js";

/** Something to click. */
export interface Link {
  readonly address: string;
  readonly words: string;
}

export function linksInHtml(html: string): Link[] {
  const anchors = visiblePart(html).matchAll(/<a\s(?:[^>]*?\s)?href\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>(.*?)<\/a>/gis);
  return Array.from(anchors, ([, double, single, inner = ""]) => ({
    address: decodeEntities(double ?? single ?? ""),
    words: wordsOf(inner),
  })).filter(({ address }) => /^https?:/i.test(address));
}

export function linksInText(text: string): Link[] {
  const addresses = text.matchAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?')\]]/gi);
  return Array.from(addresses, ([address]) => ({ address, words: address }));
}

/** @throws {Error} No link matches, or links to several URLs do. */
export function findLink(links: readonly Link[], which: string | RegExp | undefined): string {
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
