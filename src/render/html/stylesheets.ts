import path from "node:path";
import { type OpenTag, scanMarkup } from "../../text/markup/scan.js";
import { TOKEN } from "../../mustache/tokens.js";
import { assemble, type AssembleOptions } from "../source/assemble.js";
import { type MappedText, MappedTextBuilder } from "../source/mapped-text.js";
import { attributeOf } from "./attributes.js";
import { INLINE } from "./inline-styles.js";

/** Replaces links to the project's own stylesheets with their content: email clients could not load them. */
export async function embedStylesheets(mapped: MappedText, options: AssembleOptions): Promise<MappedText> {
  const { text } = mapped;
  const links = text.includes("<link") ? scanMarkup(text).pieces.filter((piece) => piece.kind === "open") : [];
  const builder = new MappedTextBuilder();
  let from = 0;
  for (const link of links) {
    const href = ownStylesheet(link);
    if (href === undefined) continue;
    const at = mapped.positionAt(link.start);
    const chain = mapped.chainAt(link.start);
    const folder = path.dirname(at.file);
    const file = await options.parts.read({ path: href, folder, writtenAs: `<link href="${href}">`, at, chain });
    builder.appendPart(mapped, from, link.start);
    from = link.end;
    if (!file) continue;
    const isInline = attributeOf(link, INLINE) !== undefined;
    builder.appendWritten(isInline ? `<style ${INLINE}>\n` : "<style>\n", mapped, link.start);
    builder.appendPart(await assemble([...chain, file], options));
    builder.appendWritten("\n</style>", mapped, link.start);
  }
  builder.appendPart(mapped, from);
  return from === 0 ? mapped : builder.build();
}

/** The path of a stylesheet in the project; undefined for other stylesheets and other elements. */
function ownStylesheet(element: OpenTag): string | undefined {
  if (element.name !== "link" || attributeOf(element, "rel")?.value.toLowerCase() !== "stylesheet") return undefined;
  const href = attributeOf(element, "href")?.value ?? "";
  return href === "" || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href) || href.search(TOKEN) >= 0 ? undefined : href;
}
