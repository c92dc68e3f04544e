import type { TagTable } from "../../mustache/tokens.js";
import type { VariablesModule } from "../../template/variables-module.js";
import { findImbalance } from "../invariants/balance.js";
import type { Engine, EngineOutput } from "../engine.js";
import { Findings, withTags } from "../findings.js";
import { tokensIn } from "../sections.js";
import { chainNote } from "../source/chain.js";
import { locator } from "../source/locate.js";
import type { MappedText } from "../source/mapped-text.js";
import { PartReader } from "../source/parts.js";
import { SiteTable } from "../source/sites.js";
import { titleText } from "../text/derive.js";
import { tagsOutsideComments } from "../whitespace.js";
import { filledCases, placeCases } from "./case-marks.js";
import { checkAttributeTags, checkFailure, type CheckOptions } from "./attribute-tags.js";
import { checkSuffixes, moveSuffixes, suffixedClasses } from "./class-suffixes.js";
import { elementsOf, inlinedTags, tagsOf, takeDocument, titleOf } from "./document.js";
import type { MjmlElement } from "./element.js";
import { elementNames } from "./element-names.js";
import { placeGaps } from "./gaps.js";
import { closeVoidElements, openEmptyElements } from "./html-attributes.js";
import { stableIds } from "./ids.js";
import { type IncludeOptions, readMjml, resolveIncludes } from "./includes.js";
import { checkInlinedStyles, keepWhatIsNotInlined } from "./inline-styles.js";
import { setLanguage } from "./language.js";
import { loadMjml, type MjmlJson, type MjmlLibrary } from "./library.js";
import { checkLoopedColumns } from "./looped-columns.js";
import { checkRawHalves } from "./raw-halves.js";
import { checkSections } from "./sections.js";
import { expandShortColours } from "./short-colours.js";
import { placeElements, placeFrame } from "./sites.js";
import { toJson } from "./to-json.js";
import { checkUnplaced, emptiableTags, knownContract } from "./unplaced-values.js";
import { validateMjml } from "./validate.js";
import { checkWidths } from "./widths.js";

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
    root: template.root,
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

function expectedTags(
  document: MjmlElement,
  texts: readonly MappedText[],
  { html, unprinted }: Pick<Rendered, "html" | "unprinted">,
): number[] {
  const written = new Set(texts.flatMap(({ text }) => tagsOutsideComments(text)));
  const kept = new Set(tokensIn(html).map(({ tag }) => tag));
  for (const tag of [...inlinedTags(document), ...unprinted]) if (!kept.has(tag)) written.delete(tag);
  const inOrder = tagsOf(document).filter((tag) => written.has(tag));
  // Tags outside any element come last: they are lost, and reported as such.
  return [...new Set([...inOrder, ...written])];
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

interface RenderOptions extends IncludeOptions {
  /** Set in a sited compile. */
  readonly sites: SiteTable | undefined;
  readonly readVariables: () => Promise<VariablesModule | undefined>;
}

/** Undefined if MJML fails because of tags, which has been reported. */
async function renderOrReport(document: MjmlElement, options: CheckOptions): Promise<string | undefined> {
  try {
    return stableIds(await options.render(toJson(document)));
  } catch (error) {
    if (await checkFailure(document, options)) return undefined;
    throw error;
  }
}

async function render(
  document: MjmlElement,
  library: MjmlLibrary,
  { tags, findings, sites, readVariables }: RenderOptions,
): Promise<Rendered> {
  if (sites) placeElements(document, sites);
  const rewritesHtml = elementsOf(document).some(({ tagName }) => tagName === "mj-html-attributes");
  if (rewritesHtml) closeVoidElements(document);
  keepWhatIsNotInlined(document);
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
    checkContract: (contract) => [
      ...checkSuffixes(classes, rendered, contract),
      ...checkUnplaced(placed.unplaced, document, rendered, contract),
    ],
  };
}
