/** What a recipient can see or click: without comments, styles and the head. */
export function visiblePart(html: string): string {
  return html.replaceAll(/<(style|head)\b.*?<\/\1>|<!--.*?-->/gis, " ");
}

/** The text of a piece of HTML, on one line. */
export function wordsOf(html: string): string {
  return decodeEntities(visiblePart(html).replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Decodes numeric references, and the named ones in URLs and codes. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (ENTITIES[name] ?? all) : String.fromCodePoint(Number(decimal));
  });
}
