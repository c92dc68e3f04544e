import type { SourcePosition } from "../../../diagnostic.js";
import { writtenCss } from "../../css/written-css.js";
import type { EmailDocument } from "../../document/email-document.js";

const COMMENT_OR_ATTRIBUTE = /\/\*[^]*?\*\/|\[[^\]]*\]/g;
const SELECTORS = /[^{};]*\{/g;
const CLASS = /\.(-?[a-z_][\w-]*)/gi;

/**
 * The classes of stylesheets of which the html has nothing: their rules were put into style attributes.
 *
 * @param styled The classes that the html has a style for.
 * @returns Where each was written first.
 */
export function inlinedClasses(document: EmailDocument, styled: ReadonlySet<string>): Map<string, SourcePosition> {
  const found = new Map<string, SourcePosition>();
  for (const { kind, text, at } of writtenCss(document)) {
    if (kind !== "sheet") continue;
    const plain = text.replaceAll(COMMENT_OR_ATTRIBUTE, (each) => each.replaceAll(/[^\n]/g, " "));
    for (const selectors of plain.matchAll(SELECTORS))
      for (const { 1: name = "", index } of selectors[0].matchAll(CLASS))
        if (!styled.has(name) && !found.has(name)) found.set(name, at(selectors.index + index));
  }
  return found;
}
