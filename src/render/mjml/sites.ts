import { siteAttribute, type SiteTable } from "../source/sites.js";
import { attributeValue, elementsOf, type MjmlElement } from "./document.js";

/** Gives every element of the body its site, including HTML elements in its content. */
export function placeElements(document: MjmlElement, sites: SiteTable): void {
  for (const part of document.children) {
    for (const element of elementsOf(part)) {
      const { tagName, content, source } = element;
      const isRaw = tagName === "mj-raw";
      if (part.tagName === "mj-body" && !isRaw) element.site = sites.siteOf(source.mapped, element.start);
      if (!content || (part.tagName === "mj-head" && !isRaw)) continue;
      element.content = { ...content, text: sites.mark(content.text, source.mapped, content.start) };
    }
  }
}

/** Gives sites to elements that MJML writes around the body: the source has their language, title and preheader. */
export function placeFrame(html: string, document: MjmlElement, sites: SiteTable): string {
  const written = elementsOf(document);
  const framed = FRAME.flatMap(([tagName, opening]) => {
    const element = written.findLast((each) => each.tagName === tagName);
    return element ? [{ element, opening }] : [];
  });
  const fonts = written.flatMap((element) =>
    element.tagName === "mj-font" ? [{ element, opening: linkTo(attributeValue(element, "href") ?? "") }] : [],
  );
  return [...framed, ...fonts].reduce((placed, { element, opening }) => {
    const match = opening.exec(placed);
    if (!match) return placed;
    const at = match.index + match[0].length;
    return placed.slice(0, at) + siteAttribute(sites.siteOf(element.source.mapped, element.start)) + placed.slice(at);
  }, html);
}

function linkTo(href: string): RegExp {
  return new RegExp(`<link(?= href="${href.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}")`);
}

/** Elements, and the beginnings of the tags that MJML writes for them. */
const FRAME: readonly (readonly [tagName: string, opening: RegExp])[] = [
  ["mjml", /<html(?= lang=)/],
  ["mj-head", /<head(?=>)/],
  ["mj-title", /<title(?=>)/],
  ["mj-preview", /<body\b[^>]*>\s*<div(?= style="display:\s*none)/],
];
