import { type OpenTag, scanMarkup, VOID_ELEMENTS } from "../../text/markup/scan.js";
import type { MjmlElement } from "./element.js";

/*
 * With mj-html-attributes, MJML reads and writes the body as XML: an open `<br>` would swallow what follows, and an empty
 * `<p></p>` would become `<p/>`, which HTML reads as an opening tag.
 */

/** Closes the void elements in all HTML of the tree. */
export function closeVoidElements(element: MjmlElement): void {
  if (element.content) {
    const text = replaceTags(element.content.text, (tag, written) =>
      VOID_ELEMENTS.has(tag.name) && !tag.selfClosing ? `${written.slice(0, -1)} />` : written,
    );
    element.content = { ...element.content, text };
  }
  for (const child of element.children) closeVoidElements(child);
}

/** Expands the empty tags that XML wrote. */
export function openEmptyElements(html: string): string {
  return replaceTags(html, (tag, written) =>
    tag.selfClosing && !VOID_ELEMENTS.has(tag.name) ? `${written.replace(/\s*\/>$/, ">")}</${tag.name}>` : written,
  );
}

function replaceTags(text: string, replace: (tag: OpenTag, written: string) => string): string {
  let replaced = "";
  let from = 0;
  for (const piece of scanMarkup(text).pieces) {
    if (piece.kind !== "open") continue;
    replaced += text.slice(from, piece.start) + replace(piece, text.slice(piece.start, piece.end));
    from = piece.end;
  }
  return replaced + text.slice(from);
}
