import { roleOf, sectionsOpened, tagsIn, type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { VariablesModule } from "../../project/variables-module.js";
import { findImbalance } from "../invariants/balance.js";
import type { Engine, EngineOutput } from "../engine.js";
import { Findings, withTags } from "../findings.js";
import { chainNote, locator, type MappedText, siteAttribute, SiteTable, removeSites } from "../source/mapped-text.js";
import { PartReader } from "../source/assemble.js";
import { titleText } from "../text/derive.js";
import { tagsOutsideComments } from "../bodies.js";
import { filledCases, placeCases, stableIds } from "./empty-values.js";
import { checkAttributeTags, checkFailure, type AttributeTagOptions } from "./attribute-tags.js";
import {
  checkSuffixes,
  checkUnplaced,
  emptiableTags,
  knownContract,
  moveSuffixes,
  suffixedClasses,
} from "./class-suffixes.js";
import {
  attributeValue,
  defaultElements,
  elementNames,
  elementsOf,
  inlinedTags,
  type MjmlElement,
  positionOf,
  tagsOf,
  takeDocument,
  titleOf,
  toJson,
} from "./document.js";
import { placeGaps } from "./gaps.js";
import { type IncludeOptions, readMjml, resolveIncludes } from "./includes.js";
import { checkInlinedStyles, keepUninlinableRules } from "./inline-styles.js";
import { loadMjml, type MjmlJson, type MjmlLibrary } from "./library.js";
import { checkSections } from "./sections.js";
import { checkWidths, validateMjml } from "./validate.js";
import { languageConflicts, languageOf } from "../../project/language.js";
import type { Metadata } from "../../project/template.js";
import { type OpenTag, scanMarkup, VOID_ELEMENTS } from "../../text/markup/scan.js";

/**
 * Compiles MJML with the `mjml` package, which receives a tree instead of a string: files are read, assembled and checked
 * here, so that every element has a file and line, and nothing is dropped silently.
 */
export const compileMjml: Engine = async (template, context, readVariables) => {
  const library = loadMjml(template, context);
  const findings = new Findings();
  const tags: TagTable = [];
  const parts = new PartReader(template.root, findings);
  const options: IncludeOptions = {
    parts,
    tags,
    findings,
    texts: [],
    elementNames: elementNames(library),
    isEndingTag: (tagName) => library.components[tagName]?.endingTag ?? false,
  };

  const sites = context.sited ? new SiteTable() : undefined;
  const document = takeDocument(await readMjml([template.body], options), template.body, findings);
  let rendered = NOTHING;
  if (document) {
    setLanguage(document, template.metadata, findings);
    await resolveIncludes(document, options);
    check(document, library, options);
    if (!findings.hasErrors) await placeGaps(document, { ...options, template, context });
    if (!findings.hasErrors) rendered = await render(document, library, { ...options, sites, readVariables });
  }
  const { html, unprinted, checkContract } = rendered;
  const title = document && titleOf(document);
  return {
    html,
    tags,
    expected: document ? expectedTags(document, options.texts, { html, unprinted }) : [],
    ...(title !== undefined && { title: await titleText(title) }),
    locate: locator(options.texts),
    ...(sites && { places: sites.places }),
    ...(checkContract && { checkContract }),
    sources: [template.body.file, ...parts.sources],
    diagnostics: withTags(findings.diagnostics, tags),
  };
};

interface Rendered extends Pick<EngineOutput, "html" | "checkContract"> {
  /** The numbers of tags that need not be printed. */
  readonly unprinted: ReadonlySet<number>;
}

const NOTHING: Rendered = { html: "", unprinted: new Set() };

/** Sets the language of template.json on `<mjml>`, unless it has one. MJML copies it to the body. */
function setLanguage(document: MjmlElement, metadata: Metadata, findings: Findings): void {
  for (const { message, attribute } of languageConflicts(document.attributes, metadata))
    findings.warning(
      "language-missing",
      message,
      positionOf(document, attribute.start),
      "Use the same language in both.",
    );
  const { start } = document;
  const missing = Object.entries(languageOf(metadata)).filter(([name]) => attributeValue(document, name) === undefined);
  document.attributes = [
    ...document.attributes,
    ...missing.map(([name, value]) => ({ name, value, start, valueStart: start })),
  ];
}

function check(document: MjmlElement, library: MjmlLibrary, { tags, findings }: IncludeOptions): void {
  validateMjml(document, library, { tags, findings });
  // If sections don't match, their positions are meaningless.
  if (findings.has("mustache-syntax")) return;
  checkSections(document, tags, findings);
  checkInlinedStyles(document, tags, findings);
  checkLoopedColumns(document, tags, findings);
  checkWidths(document, findings);
  for (const { tagName, content, source } of elementsOf(document)) {
    if (!content || tagName === "mj-raw" || tagName === "mj-style") continue;
    const problem = findImbalance(content.text, tags);
    if (!problem) continue;
    const at = source.mapped.positionAt(content.start + problem.offset);
    findings.error("markup-unbalanced", problem.message + chainNote(source.chain), at, problem.hint);
  }
}

const ROWS: readonly string[] = ["mj-section", "mj-group"];

/**
 * Warns of columns without a width in a Mustache section: MJML divides the row by the number of columns in the source, not
 * by the number that is shown.
 */
function checkLoopedColumns(document: MjmlElement, tags: TagTable, findings: Findings): void {
  const hasDefault = defaultElements(document).some(
    (element) => /^mj-(?:column|all)$/.test(element.tagName) && attributeValue(element, "width") !== undefined,
  );
  if (hasDefault) return;
  for (const { tagName, children } of elementsOf(document)) {
    if (!ROWS.includes(tagName)) continue;
    let depth = 0;
    for (const child of children) {
      depth += child.tagName === "mj-raw" ? sectionsOpened(child.content?.text ?? "", tags) : 0;
      const mayHaveWidth = ["width", "mj-class"].some((name) => attributeValue(child, name) !== undefined);
      if (depth === 0 || child.tagName !== "mj-column" || mayHaveWidth) continue;
      const message = `MJML computes the width of this <mj-column> from the columns in the source, not from those that are shown${chainNote(child.source.chain)}.`;
      const hint =
        "Give it a width, or put the section around a whole <mj-section>, which Outlook shows correctly for any number.";
      findings.warning("mjml-column-width", message, positionOf(child), hint);
    }
  }
}

interface RenderOptions extends IncludeOptions {
  /** Set in a sited compile. */
  readonly sites: SiteTable | undefined;
  readonly readVariables: () => Promise<VariablesModule | undefined>;
}

async function render(
  document: MjmlElement,
  library: MjmlLibrary,
  { tags, findings, sites, readVariables }: RenderOptions,
): Promise<Rendered> {
  if (sites) placeElements(document, sites);
  const rewritesHtml = elementsOf(document).some(({ tagName }) => tagName === "mj-html-attributes");
  if (rewritesHtml) closeVoidElements(document);
  keepUninlinableRules(document);
  expandShortColours(document, library, tags);
  const renderPlainly = (tree: MjmlJson) => library.render(tree);
  const written = await renderOrReport(document, { library, render: renderPlainly, tags, findings });
  if (written === undefined) return NOTHING;
  const classes = suffixedClasses(written, document);
  const renderTree = async (tree: MjmlJson) =>
    filledCases(moveSuffixes(stableIds(await renderPlainly(tree)), classes, tags));
  const marked = moveSuffixes(written, classes, tags);
  const html = filledCases(marked);
  const unprinted = await checkAttributeTags(document, html, { library, render: renderTree, tags, findings });
  checkRawHalves(document, html, { tags, findings });
  const rendered = { text: html, tags: [...tags] };
  const placed = placeCases(marked, tags, emptiableTags(rendered, knownContract(await readVariables())));
  const whole = rewritesHtml ? openEmptyElements(placed.html) : placed.html;
  return {
    html: sites ? placeFrame(whole, document, sites) : whole,
    unprinted,
    checkContract(contract, contractFindings) {
      checkSuffixes(classes, rendered, contract, contractFindings);
      checkUnplaced(placed.unplaced, document, rendered, contract, contractFindings);
    },
  };
}

/** Undefined if MJML fails because of tags, which has been reported. */
async function renderOrReport(document: MjmlElement, options: AttributeTagOptions): Promise<string | undefined> {
  try {
    return stableIds(await options.render(toJson(document)));
  } catch (error) {
    if (await checkFailure(document, options)) return undefined;
    throw error;
  }
}

/** Gives every element of the body its site, including HTML elements in its content. */
function placeElements(document: MjmlElement, sites: SiteTable): void {
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
function placeFrame(html: string, document: MjmlElement, sites: SiteTable): string {
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

/**
 * Expands short colours in Mustache sections, as MJML does for colours that are whole values:
 * `{{#dark}}#000{{/dark}}{{^dark}}#fff{{/dark}}` becomes `{{#dark}}#000000{{/dark}}{{^dark}}#ffffff{{/dark}}`.
 */
function expandShortColours(document: MjmlElement, { components }: MjmlLibrary, tags: TagTable): void {
  const isColour = (name: string) =>
    Object.values(components).some((component) => component?.allowedAttributes?.[name] === "color");
  for (const element of elementsOf(document)) {
    if (!element.attributes.some(({ name, value }) => SHORT.test(value) && isColour(name))) continue;
    element.attributes = element.attributes.map((attribute) =>
      isColour(attribute.name) ? { ...attribute, value: expanded(attribute.value, tags) } : attribute,
    );
  }
}

const SHORT = /\uE001#\w{3}\uE000/;

function expanded(value: string, tags: TagTable): string {
  const prints = Array.from(value.matchAll(TOKEN)).some(([, number]) => roleOf(tags[Number(number)]) === "prints");
  return prints ? value : value.replaceAll(/(?<=\uE001)#(\w)(\w)(\w)(?=\uE000)/g, "#$1$1$2$2$3$3");
}

/**
 * An element may begin in one mj-raw and end in another. If the whole is not balanced, one of these is the cause, and its
 * source position is only known here.
 */
function checkRawHalves(
  document: MjmlElement,
  html: string,
  { tags, findings }: { tags: TagTable; findings: Findings },
): void {
  const halves = elementsOf(document).filter(
    ({ tagName, content }) => tagName === "mj-raw" && content && findImbalance(content.text, tags),
  );
  const problem = halves.length > 0 ? findImbalance(html, tags) : undefined;
  if (!problem) return;
  const written = /^<[^\s>]+/.exec(html.slice(problem.offset))?.[0] ?? "";
  const half = halves.find(({ content }) => content?.text.includes(written)) ?? halves[0];
  if (!half?.content) return;
  const { mapped, chain } = half.source;
  const at = mapped.positionAt(half.content.start + Math.max(0, removeSites(half.content.text).indexOf(written)));
  findings.error("markup-unbalanced", problem.message + chainNote(chain), at, problem.hint);
}

function expectedTags(
  document: MjmlElement,
  texts: readonly MappedText[],
  { html, unprinted }: Pick<Rendered, "html" | "unprinted">,
): number[] {
  const written = new Set(texts.flatMap(({ text }) => tagsOutsideComments(text)));
  const kept = new Set(tagsIn(html));
  for (const tag of [...inlinedTags(document), ...unprinted]) if (!kept.has(tag)) written.delete(tag);
  const inOrder = tagsOf(document).filter((tag) => written.has(tag));
  // Tags outside any element come last: they are lost, and reported as such.
  return [...new Set([...inOrder, ...written])];
}

/*
 * With mj-html-attributes, MJML reads and writes the body as XML: an open `<br>` would swallow what follows, and an empty
 * `<p></p>` would become `<p/>`, which HTML reads as an opening tag.
 */

/** Closes the void elements in all HTML of the tree. */
function closeVoidElements(element: MjmlElement): void {
  if (element.content) {
    const text = replaceTags(element.content.text, (tag, written) =>
      VOID_ELEMENTS.has(tag.name) && !tag.selfClosing ? `${written.slice(0, -1)} />` : written,
    );
    element.content = { ...element.content, text };
  }
  for (const child of element.children) closeVoidElements(child);
}

/** Expands the empty tags that XML wrote. */
function openEmptyElements(html: string): string {
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
