/** What a reader can see or click: without comments, styles and the head. */
export function visiblePart(html: string): string {
  return html.replaceAll(/<(style|head)\b.*?<\/\1>|<!--.*?-->/gis, " ");
}

/** The words of a piece of html, on one line. */
export function wordsOf(html: string): string {
  return decodeEntities(visiblePart(html).replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Numbers, and the names that addresses and codes have. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (ENTITIES[name] ?? all) : String.fromCodePoint(Number(decimal));
  });
}
