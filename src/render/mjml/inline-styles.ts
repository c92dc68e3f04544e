import { scanMarkup } from "../../text/markup/scan.js";
import { roleOf, type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { countsElements, splitCss } from "../html/css.js";
import { chainNote } from "../source/mapped-text.js";
import { elementsOf, isInlined, type MjmlElement, positionOf, tagsOf } from "./document.js";

/** Checks that the CSS of `<mj-style inline="inline">` matches the same elements however the template is filled. */
export function checkInlinedStyles(document: MjmlElement, tags: TagTable, findings: Findings): void {
  const elements = elementsOf(document);
  const sheets = elements.filter(isInlined);
  if (sheets.length === 0) return;
  if (tagsOf(document).some((tag) => roleOf(tags[tag]) !== "prints")) {
    for (const { content, source } of sheets) {
      const selector = splitCss(content?.text ?? "").selectors.find(countsElements);
      if (!content || selector === undefined) continue;
      const message = `"${selector}" counts elements, and sections change their number when the template is filled${chainNote(source.chain)}.`;
      const at = source.mapped.positionAt(content.start + Math.max(0, content.text.indexOf(selector)));
      findings.error("inline-styles", message, at, "Give the elements a separate class.");
    }
  }
  for (const element of elements) {
    for (const { name, start } of classesWithTags(element)) {
      const message = `Styles are inlined when the template is compiled, so ${name} can't contain a Mustache tag${chainNote(element.source.chain)}.`;
      const hint = 'Put the section around the element, or remove inline="inline".';
      findings.error("inline-styles", message, positionOf(element, start), hint);
    }
  }
}

/** An attribute that selectors match, and its offset in its source. */
interface ClassAttribute {
  readonly name: string;
  readonly start: number;
}

function classesWithTags({ tagName, attributes, content }: MjmlElement): ClassAttribute[] {
  const own = attributes.filter(({ name }) => name === "css-class");
  const html = content && tagName !== "mj-style" ? scanMarkup(content.text).pieces : [];
  const inside = html.flatMap((piece) =>
    piece.kind === "open" ? piece.attributes.filter(({ name }) => /^(?:class|id)$/i.test(name)) : [],
  );
  return [
    ...own,
    ...inside.map((attribute) => ({ ...attribute, start: attribute.start + (content?.start ?? 0) })),
  ].filter(({ value }) => value.search(TOKEN) >= 0);
}

/** Moves rules that can't be inlined (media queries, `:hover`, fonts), which MJML would drop, into separate style elements. */
export function keepUninlinableRules(element: MjmlElement): void {
  element.children = element.children.flatMap((child) => {
    keepUninlinableRules(child);
    if (!child.content || !isInlined(child)) return [child];
    const { inlined, kept } = splitCss(child.content.text);
    if (kept === "") return [child];
    const withContent = (text: string) => ({ ...child, content: { text, start: child.content?.start ?? 0 } });
    return [withContent(inlined), { ...withContent(kept), attributes: [] }];
  });
}
