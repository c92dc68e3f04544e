import { visible } from "../../output.js";
import { plural } from "../check-report.js";
import { groupBy } from "../group.js";
import type { ChangeEntry, DifferenceEntry, ErrorEntry, HunkEntry, PlanDocument } from "./document.js";
import { isFoldedAt, linesOf } from "./lines.js";
import { formatSize, labelOf, requestsInWords, resultInWords, planSummary } from "./phrases.js";
import { errorSections, isNamed, resultSections, type PlanSection, sectionsOf } from "./sections.js";

/** Longer lists of names are collapsed. */
const OPEN_NAMES_MAX = 12;
/** Diffs of up to this many lines are expanded. */
const OPEN_LINES_MAX = 16;
/** Maximum line width in characters. */
const WIDTH = 120;
/** Factor by which diffs are shortened until the page fits. */
const SHRINK = 0.7;
/** A lower bound for the average size of a line, to skip rendering pages that can't fit. */
const LINE_BYTES = 12;

export interface MarkdownOptions {
  /** Maximum length of the page. */
  readonly bytes: number;
  /** The command that shows complete diffs. */
  readonly seeAll: string;
}

interface Extent {
  /** Maximum number of hunks per change, and of lines on each side of a hunk. */
  readonly lines: number;
  /** Maximum number of names or rows in a list. */
  readonly names: number;
}

/**
 * The plan and its result in GitHub's Markdown, for a job summary or a comment on GitHub or GitLab. If there isn't enough space,
 * long diffs are shortened first, and state how many lines are not shown; then lists are.
 */
export function planMarkdown(document: PlanDocument, { bytes, seeAll }: MarkdownOptions): string {
  for (const extent of extents(document)) {
    if (shownLines(document, extent) * LINE_BYTES > bytes) continue;
    const page = planPage(document, extent, seeAll);
    if (Buffer.byteLength(page) <= bytes) return page;
  }
  return cut(planPage(document, { lines: 0, names: 5 }, seeAll), bytes);
}

/** The extents to try, largest first. */
function* extents({ changes }: PlanDocument): Generator<Extent> {
  const hunks = changes.map(hunksOf);
  let lines = Math.max(
    0,
    ...hunks.map(({ length }) => length),
    ...hunks.flat().flatMap(({ removed, added }) => [removed.length, added.length]),
  );
  for (; lines > 0; lines = Math.floor(lines * SHRINK)) yield { lines, names: Infinity };
  for (const names of [Infinity, 100, 20]) yield { lines: 0, names };
}

/** A page for templates with errors, for which there is no plan. */
export function errorsMarkdown(title: string, errors: readonly ErrorEntry[], bytes: number): string {
  const blocks = [
    `### Templates: ${escaped(title)}`,
    `**Nothing was applied: ${plural(errors.length, "error")}.**`,
    ...errorSections(errors).map((section) => sectionBlock(section, { lines: 0, names: Infinity }, "")),
  ];
  return cut(`${blocks.join("\n\n")}\n`, bytes);
}

function planPage(document: PlanDocument, extent: Extent, seeAll: string): string {
  const { result, environment, base } = document;
  const requests = requestsInWords(document);
  const blocks = [
    `### Templates: ${escaped(environment?.name ?? `compared with ${base}`)}`,
    ...(result === undefined ? [] : [`**${escaped(resultInWords(document))}**`]),
    ...resultSections(document).map((section) => sectionBlock(section, extent, seeAll)),
    result === undefined ? `**${escaped(planSummary(document))}**` : escaped(planSummary(document)),
    ...(requests === undefined || result !== undefined ? [] : [escaped(requests)]),
    ...sectionsOf(document)
      .toSorted((a, b) => urgency(b) - urgency(a))
      .map((section) => sectionBlock(section, extent, seeAll)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** On a page, unlike on a terminal, what needs a decision comes first. */
function urgency({ sign }: PlanSection): number {
  return sign === "✗" ? 2 : sign === "!" ? 1 : 0;
}

function sectionBlock(
  { sign, title, names, rows, changes, held = 0, hint }: PlanSection,
  extent: Extent,
  seeAll: string,
): string {
  const isAlone = changes.length === 1 && changes[0]?.templates[0] === title;
  const blocks = [`**${sign === "-" ? "−" : sign} ${isAlone ? code(title) : escaped(title)}**`];
  if (rows.length > 0)
    blocks.push(
      shortList(rows, extent.names)
        .map((row) => `- ${escaped(row)}`)
        .join("\n"),
    );
  if (names.length > 0) blocks.push(nameList(names, extent.names));
  for (const change of changes) {
    if (isNamed(change, held)) blocks.push(nameList(change.templates, extent.names));
    blocks.push(diffBlock(change, extent, seeAll));
  }
  if (hint !== undefined) blocks.push(escaped(hint));
  return blocks.join("\n\n");
}

/** A change's diff; if it is shortened, a sentence counts the lines that are not shown. */
function diffBlock(change: ChangeEntry, { lines }: Extent, seeAll: string): string {
  const differences = [change, ...change.variants];
  const all = linesIn(hunksOf(change), Infinity);
  const rest = all - linesIn(hunksOf(change).slice(0, lines), lines);
  const more =
    rest === 0
      ? []
      : [
          `${rest === 1 ? "1 changed line is" : `${rest} changed lines are`} not shown. To see all, run: ${code(seeAll)}`,
        ];
  const size = differences.map(formatSize).join("; ");
  if (lines === 0) return [escaped(size), ...more].join("\n\n");
  let left = lines;
  const blocks = differences.flatMap((difference) => {
    const hunks = difference.hunks.slice(0, left);
    left -= hunks.length;
    return differenceBlocks({ ...difference, hunks }, change.templates.length, lines);
  });
  return [details(size, blocks.join("\n\n"), all <= OPEN_LINES_MAX), ...more].join("\n\n");
}

/** Groups hunks with the same label into one block. */
function differenceBlocks({ templates, hunks }: DifferenceEntry, all: number, lines: number): string[] {
  const label = (hunk: HunkEntry) => labelOf(hunk, templates, all);
  return groupBy(hunks, label).map(
    (labelled) =>
      `${code(label(labelled[0]))}\n\n${fencedDiff(labelled.map((hunk) => hunkText(hunk, lines)).join("\n\n"))}`,
  );
}

function hunkText(hunk: HunkEntry, lines: number): string {
  return linesOf(hunk, { lines, width: WIDTH })
    .map(({ sign, parts }) => `${sign} ${parts.map(({ text }) => text).join("")}`)
    .join("\n");
}

function hunksOf({ hunks, variants }: ChangeEntry): HunkEntry[] {
  return [...hunks, ...variants.flatMap((variant) => variant.hunks)];
}

function shownLines({ changes }: PlanDocument, { lines }: Extent): number {
  return changes.reduce((sum, change) => sum + linesIn(hunksOf(change).slice(0, lines), lines), 0);
}

/** The number of changed lines in hunks of which each side shows at most this many. */
function linesIn(hunks: readonly HunkEntry[], most: number): number {
  const shown = (side: readonly string[]): number => (isFoldedAt(side, most) ? most : side.length);
  return hunks.reduce((sum, { removed, added }) => sum + shown(removed) + shown(added), 0);
}

function nameList(names: readonly string[], most: number): string {
  const text = shortList(names, most)
    .map((name) => code(name))
    .join(", ");
  return names.length <= OPEN_NAMES_MAX ? text : details(`${names.length} templates`, text, false);
}

function shortList(texts: readonly string[], most: number): string[] {
  if (texts.length <= most) return [...texts];
  return [...texts.slice(0, most), `… ${texts.length - most} more`];
}

/** Cuts the page as a last resort, for very long names. */
function cut(text: string, bytes: number): string {
  const all = Buffer.from(text);
  if (all.length <= bytes) return text;
  const lines = all
    .subarray(0, Math.max(0, bytes - 100))
    .toString("utf8")
    .split("\n")
    .slice(0, -1);
  return `${lines.join("\n")}\n\n… The rest is too long to show.\n`;
}

/**
 * Characters that Markdown or HTML may interpret as markup, a mention or a link. Others, such as `(` and `-`, only act together with
 * these, or at the start of a line, where text never is.
 */
const active = /[\\`*_{}[\]<>#|~&@$^]/g;

/** Escapes text for Markdown, and for HTML within Markdown, on one line. */
function escaped(text: string): string {
  return visible(text).replace(active, (character) => `&#${character.codePointAt(0)};`);
}

function code(text: string): string {
  const shown = visible(text);
  const ticks = "`".repeat(longestRun(shown) + 1);
  const space = shown.startsWith("`") || shown.endsWith("`") || shown === "" ? " " : "";
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** Formats a diff as a fenced code block, with a fence that the text can't close. */
function fencedDiff(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}diff\n${text}\n${fence}`;
}

function details(summary: string, text: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${escaped(summary)}</summary>\n\n${text}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
