import { type Attribute, type OpenTag, type MarkupPiece, scanMarkup } from "../../text/markup/scan.js";
import { roleOf, tagsIn, type TagTable, TOKEN, tokensIn } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import type { MappedText } from "../source/mapped-text.js";
import { countsElements, splitCss, type SplitCss } from "./css.js";
import { createRequire } from "node:module";
import { ConfigurationError } from "../../errors.js";
import { resolvePeer } from "../peer.js";

export interface InlineOptions {
  readonly loadInliner: () => InlineCss;
  readonly tags: TagTable;
  readonly findings: Findings;
}

/** Marks a style element or a stylesheet link for inlining. */
export const INLINE = "data-inline";

/** Temporary attribute for the inliner: the number of an element. */
const MARK = "data-lettershop-element";

/** HTML with inlined styles. */
export interface InlinedHtml {
  readonly html: string;
  /** The numbers of the tags in the CSS: if no element matches their rule, they are not printed. */
  readonly cssTags: readonly number[];
}

/**
 * Moves the CSS of `<style data-inline>` into the style attributes of matching elements. Rules that can't be there (media
 * queries, `:hover`, fonts) stay in the style element. The inliner only computes the styles of each element; the HTML it
 * returns is not used, so it can't move or lose anything.
 */
export function inlineStyles(mapped: MappedText, options: InlineOptions): InlinedHtml {
  const { text } = mapped;
  const { pieces } = scanMarkup(text);
  const sheets = sheetsIn(pieces, text);
  if (sheets.length === 0 || options.findings.hasErrors) return { html: text, cssTags: [] };
  checkSheets(sheets, mapped, options);
  checkNames(pieces, mapped, options);
  if (options.findings.hasErrors) return { html: text, cssTags: [] };

  const elements = pieces.filter((piece) => piece.kind === "open");
  const css = sheets.map(({ split }) => split.inlined).join("\n");
  const styles = stylesFrom(options.loadInliner()(marked(text, elements), css));
  const edits = [
    ...elements.flatMap((element, index) => styleEdit(element, text, styles.get(index))),
    ...sheets.map((sheet) => remainder(sheet, text)),
  ];
  return {
    html: applied(text, edits),
    cssTags: sheets.flatMap(({ content }) => tagsIn(text.slice(content.start, content.end))),
  };
}

interface Sheet {
  readonly opening: OpenTag;
  readonly content: MarkupPiece;
  readonly closing: MarkupPiece | undefined;
  readonly split: SplitCss;
}

function sheetsIn(pieces: readonly MarkupPiece[], text: string): Sheet[] {
  return pieces.flatMap((opening, index): Sheet[] => {
    const content = pieces[index + 1];
    if (opening.kind !== "open" || opening.name !== "style" || !attributeOf(opening, INLINE)) return [];
    if (content?.kind !== "text") return [];
    return [{ opening, content, closing: pieces[index + 2], split: splitCss(text.slice(content.start, content.end)) }];
  });
}

/** Rules are split, and elements counted, before any section is filled. */
function checkSheets(sheets: readonly Sheet[], mapped: MappedText, { tags, findings }: InlineOptions): void {
  const isSection = (tag: number) => roleOf(tags[tag]) !== "prints";
  const inCss = sheets
    .flatMap(({ content }) => tagsIn(mapped.text.slice(content.start, content.end)))
    .filter(isSection);
  const [first] = inCss.map((tag) => tags[tag]);
  if (first) {
    const message = `A section (${first.text}) can't be in inlined CSS.`;
    const hint = "Put it into the HTML, around the elements that look different.";
    findings.error("inline-styles", message, first.at ?? mapped.positionAt(0), hint);
  }
  if (!tokensIn(mapped.text).some(({ tag }) => isSection(tag) && !inCss.includes(tag))) return;
  for (const { content, split } of sheets) {
    const selector = split.selectors.find(countsElements);
    if (selector === undefined) continue;
    const at = mapped.positionAt(Math.max(content.start, mapped.text.indexOf(selector, content.start)));
    const message = `"${selector}" counts elements, and sections change their number when the template is filled.`;
    findings.error("inline-styles", message, at, "Give the elements a separate class.");
  }
}

/** The rules that an element matches must be known at compile time. */
function checkNames(pieces: readonly MarkupPiece[], mapped: MappedText, { findings }: InlineOptions): void {
  const names = pieces.flatMap((piece) =>
    piece.kind === "open" ? piece.attributes.filter(({ name }) => /^(?:class|id)$/i.test(name)) : [],
  );
  for (const { name, value, start } of names) {
    if (value.search(TOKEN) < 0) continue;
    const message = `Styles are inlined when the template is compiled, so ${name} can't contain a Mustache tag.`;
    const hint = "Put the section around the element, or move its CSS to a style element without data-inline.";
    findings.error("inline-styles", message, mapped.positionAt(start), hint);
  }
}

/** The HTML for the inliner: every element has its number, and no style attribute. */
function marked(text: string, elements: readonly OpenTag[]): string {
  const edits = elements.flatMap((element, index) => {
    const at = element.start + 1 + element.name.length;
    const mark = { start: at, end: at, written: ` ${MARK}="${index}"` };
    const style = attributeOf(element, "style");
    return style ? [mark, { ...spanOf(style, text), written: '""' }] : [mark];
  });
  return applied(text, edits);
}

function stylesFrom(html: string): Map<number, string> {
  const elements = scanMarkup(html).pieces.filter((piece) => piece.kind === "open");
  return new Map(
    elements.map((element) => [
      Number(attributeOf(element, MARK)?.value ?? -1),
      attributeOf(element, "style")?.value ?? "",
    ]),
  );
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/** The original style comes last, so that it wins, whatever its tags are filled with. */
function styleEdit(element: OpenTag, text: string, inlined = ""): Edit[] {
  if (inlined === "") return [];
  const style = attributeOf(element, "style");
  if (style) return [{ ...spanOf(style, text), written: `"${inlined} ${style.value.replaceAll('"', "&quot;")}"` }];
  const at = element.start + 1 + element.name.length;
  return [{ start: at, end: at, written: ` style="${inlined}"` }];
}

/** The rest of a style element. */
function remainder({ opening, content, closing, split }: Sheet, text: string): Edit {
  const inlineAttribute = attributeOf(opening, INLINE);
  const start = inlineAttribute?.start ?? opening.end;
  const tag = text.slice(opening.start, start).trimEnd() + text.slice(start + INLINE.length, opening.end);
  const written = split.kept === "" ? "" : `${tag}\n${split.kept}\n</style>`;
  return { start: opening.start, end: closing?.end ?? content.end, written };
}

/** The position of a value, including its quotes. */
function spanOf({ value, valueStart }: Attribute, text: string): { start: number; end: number } {
  const quotes = Number(/["']/.test(text.charAt(valueStart - 1)));
  return { start: valueStart - quotes, end: valueStart + value.length + quotes };
}

function applied(text: string, edits: readonly Edit[]): string {
  let written = "";
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    written += text.slice(from, edit.start) + edit.written;
    from = edit.end;
  }
  return written + text.slice(from);
}

export function attributeOf(element: OpenTag, name: string): Attribute | undefined {
  return element.attributes.find((attribute) => attribute.name.toLowerCase() === name);
}

/** Moves CSS into the style attributes of HTML. */
type InlineCss = (html: string, css: string) => string;

/**
 * Loads the project's installed inliner.
 *
 * @throws {MissingPeerError} It is not installed.
 */
export function loadJuice(folder: string, neededBy: string): InlineCss {
  const file = resolvePeer("juice", folder, neededBy);
  const juice: unknown = createRequire(file)(file);
  if (!isJuice(juice)) {
    throw new ConfigurationError(`The installed juice (${file}) is not a supported version.`, {
      hint: "Run: npm install --save-dev juice@11",
    });
  }
  return (html, css) => juice.inlineContent(html, css, OPTIONS);
}

/** Inline styles only; other attributes are up to the template's author. */
const OPTIONS = {
  preserveImportant: true,
  applyWidthAttributes: false,
  applyHeightAttributes: false,
  applyAttributesTableElements: false,
  inlinePseudoElements: false,
  resolveCSSVariables: false,
};

interface Juice {
  inlineContent(html: string, css: string, options: typeof OPTIONS): string;
}

function isJuice(value: unknown): value is Juice {
  return typeof value === "function" && "inlineContent" in value && typeof value.inlineContent === "function";
}
