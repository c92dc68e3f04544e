import { tagsIn, type TagTable, TOKEN } from "../../mustache/tokens.js";
import { languageConflicts, languageOf } from "../../project/language.js";
import type { Metadata } from "../../project/template.js";
import { findImbalance } from "../invariants/balance.js";
import type { Engine } from "../engine.js";
import { Findings, relaxVerbatimMarkup, withTags } from "../findings.js";
import { type OpenTag, scanMarkup } from "../../text/markup/scan.js";
import { attributeOf, INLINE, inlineStyles, loadJuice } from "./inline-styles.js";
import { assemble, type AssembleOptions, PartReader } from "../source/assemble.js";
import { checkIgnoredMarkup, freeSections } from "../source/ignored-markup.js";
import { chainNote, locator, type MappedText, type Replacement, SiteTable } from "../source/mapped-text.js";
import { titleText } from "../text/derive.js";
import { tagsOutsideComments } from "../bodies.js";
import path from "node:path";

/** HTML stays unchanged, except that partials and stylesheets are inlined, unless it is verbatim. */
export const compileHtml: Engine = async (template, { folder, sited = false }) => {
  const findings = new Findings();
  const tags: TagTable = [];
  const parts = new PartReader(template.root, findings);
  const { verbatim = false } = template.metadata;
  const options = { parts, tags, findings, verbatim };
  const written = await assemble([template.body], options);
  const mapped = verbatim ? written : freeSections(await embedStylesheets(written, options), tags, findings);
  const { pieces } = scanMarkup(mapped.text);
  check(mapped, template.metadata, { tags, findings });
  const opening = pieces.findIndex((piece) => piece.kind === "open" && piece.name === "title");
  const title = pieces[opening + 1];
  const loadInliner = () => loadJuice(folder, `data-inline of "${template.name}"`);
  const sites = sited ? new SiteTable() : undefined;
  const marked = sites?.markAll(mapped) ?? mapped;
  const { html, cssTags } = verbatim
    ? { html: marked.text, cssTags: [] }
    : inlineStyles(marked, { loadInliner, tags, findings });
  const kept = new Set(tagsIn(html));
  const unused = cssTags.filter((tag) => !kept.has(tag));
  return {
    html,
    tags,
    ...(!verbatim && { expected: tagsOutsideComments(mapped.text).filter((tag) => !unused.includes(tag)) }),
    ...(opening >= 0 &&
      title?.kind === "text" && { title: await titleText(mapped.text.slice(title.start, title.end)) }),
    locate: locator([mapped]),
    ...(sites && { places: sites.places }),
    sources: [template.body.file, ...parts.sources],
    diagnostics: relaxVerbatimMarkup(withTags(findings.diagnostics, tags), template),
  };
};

function check(
  mapped: MappedText,
  metadata: Metadata,
  { tags, findings }: Pick<AssembleOptions, "tags" | "findings">,
): void {
  const { problems, pieces } = scanMarkup(mapped.text);
  const [unclosed] = problems;
  const problem = unclosed ?? (findings.hasErrors ? undefined : findImbalance(mapped.text, tags));
  if (problem) {
    const rule = unclosed ? "markup-unclosed" : "markup-unbalanced";
    const note = chainNote(mapped.chainAt(problem.offset));
    findings.error(rule, problem.message + note, mapped.positionAt(problem.offset), problem.hint);
  }
  checkIgnoredMarkup(mapped, tags, findings);
  const element = pieces.find((piece): piece is OpenTag => piece.kind === "open" && piece.name === "html");
  if (element) {
    for (const { message, attribute } of languageConflicts(element.attributes, metadata))
      findings.warning(
        "language-missing",
        message,
        mapped.positionAt(attribute.start),
        "Use the same language in both.",
      );
  } else if (Object.keys(languageOf(metadata)).length > 0) {
    const message = "The body has no <html> element for the language set in template.json.";
    findings.warning("language-missing", message, mapped.positionAt(0), "Wrap the body in <html> and <body>.");
  }
}

/** Replaces links to the project's own stylesheets with their content: email clients could not load them. */
async function embedStylesheets(mapped: MappedText, options: AssembleOptions): Promise<MappedText> {
  const { text } = mapped;
  const links = text.includes("<link") ? scanMarkup(text).pieces.filter((piece) => piece.kind === "open") : [];
  const replacements: Replacement[] = [];
  for (const link of links) {
    const href = ownStylesheet(link);
    if (href === undefined) continue;
    const { start, end } = link;
    const at = mapped.positionAt(start);
    const chain = mapped.chainAt(start);
    const folder = path.dirname(at.file);
    const file = await options.parts.read({ path: href, folder, writtenAs: `<link href="${href}">`, at, chain });
    const opening = attributeOf(link, INLINE) === undefined ? "<style>\n" : `<style ${INLINE}>\n`;
    if (!file) replacements.push({ start, end, by: "" });
    else
      replacements.push(
        { start, end, by: opening },
        { start: end, end, by: await assemble([...chain, file], options) },
        { start: end, end, by: "\n</style>" },
      );
  }
  return mapped.replaced(replacements);
}

/** The path of a stylesheet in the project; undefined for other stylesheets and other elements. */
function ownStylesheet(element: OpenTag): string | undefined {
  if (element.name !== "link" || attributeOf(element, "rel")?.value.toLowerCase() !== "stylesheet") return undefined;
  const href = attributeOf(element, "href")?.value ?? "";
  return href === "" || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href) || href.search(TOKEN) >= 0 ? undefined : href;
}
