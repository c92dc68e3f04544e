/**
 * The first stretch of a text that readers see: sections are no text, and what is printed unescaped may be an element.
 *
 * @example
 * firstShown("{{#items}}\n Total {{/items}}"); // "Total"
 */
export function firstShown(text: string): string | undefined {
  return text
    .split(UNSEEN)
    .map((part) => part.trim())
    .find((part) => part !== "");
}

const UNSEEN = /\{\{\s*[#^/!>{&][^}]*\}\}\}?/;
