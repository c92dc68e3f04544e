import { plural } from "../check-report.js";
import { DiffBlock } from "./diff-block.js";
import type { ChangeEntry, ErrorEntry, PlanDocument } from "./document.js";
import { code, details, escaped } from "./markup.js";
import { requestsInWords, resultInWords, summaryOf } from "./phrases.js";
import { resultSections } from "./result-sections.js";
import { errorSections, isNamed, type Section, sectionsOf } from "./sections.js";

/** Maximum number of names or rows in a list; smaller numbers are tried if the page is too long even without diffs. */
const NAMES = [Infinity, 100, 20, 5];
/** Longer lists of names are collapsed. */
const OPEN_NAMES_MAX = 12;
/** The share of the space for diffs that is reserved for templates that are not held back, if they need it. */
const RESERVED = 1 / 4;

export interface MarkdownOptions {
  /** Maximum length of the page. */
  readonly bytes: number;
  /** The command that shows complete diffs. */
  readonly seeAll: string;
}

/**
 * The plan and its result in GitHub's Markdown, for a job summary or a comment on GitHub or GitLab. If there isn't enough space,
 * long diffs are shortened first, and state how many lines are not shown.
 */
export function planMarkdown(document: PlanDocument, { bytes, seeAll }: MarkdownOptions): string {
  const diffs = new Map(document.changes.map((change) => [change, new DiffBlock(change, seeAll)]));
  const shortest = new Map([...diffs].map(([change, diff]) => [change, diff.fit(0)]));
  for (const names of NAMES) {
    const room = bytes - Buffer.byteLength(planPage(document, names, shortest));
    if (room >= 0) return planPage(document, names, fitted(diffs, room));
  }
  return cut(planPage(document, 5, shortest), bytes);
}

/** A page for templates with errors, for which there is no plan. */
export function errorsMarkdown(title: string, errors: readonly ErrorEntry[], bytes: number): string {
  const blocks = [
    `### Templates: ${escaped(title)}`,
    `**Nothing was applied: ${plural(errors.length, "error")}.**`,
    ...errorSections(errors).map((section) => sectionBlock(section, Infinity, new Map())),
  ];
  return cut(`${blocks.join("\n\n")}\n`, bytes);
}

type DiffTexts = ReadonlyMap<ChangeEntry, string>;

/** Fits diffs into the space; those of templates held back come first. */
function fitted(diffs: ReadonlyMap<ChangeEntry, DiffBlock>, room: number): DiffTexts {
  const held = [...diffs].filter(([change]) => change.held);
  const others = [...diffs].filter(([change]) => !change.held);
  const otherNeeds = needsOf(others, room);
  const heldRoom = room - Math.min(sum(otherNeeds), Math.floor(room * RESERVED));
  const heldShares = shareOut(needsOf(held, heldRoom), heldRoom);
  const shares = [...heldShares, ...shareOut(otherNeeds, room - sum(heldShares))];
  return new Map([...held, ...others].map(([change, diff], index) => [change, diff.fit(shares[index] ?? 0)]));
}

/** The sizes that diffs need. Diffs that will certainly be shortened are only estimated, to avoid rendering them. */
function needsOf(diffs: readonly (readonly [ChangeEntry, DiffBlock])[], room: number): number[] {
  const estimates = diffs.map(([, diff]) => diff.needAtLeast);
  const limits = shareOut(estimates, room);
  return diffs.map(([, diff], index) => {
    const estimate = estimates[index] ?? 0;
    return estimate > (limits[index] ?? 0) ? estimate : diff.need;
  });
}

/**
 * Distributes space fairly: needs below an equal share are met in full, and what they leave goes to the others.
 *
 * @example
 * shareOut([10, 500, 70], 180); // [10, 100, 70]
 *
 * @returns A share for each need, not larger than the need.
 */
export function shareOut(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  let left = room;
  const smallestFirst = [...needs.keys()].toSorted((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  for (const [position, index] of smallestFirst.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (needs.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function planPage(document: PlanDocument, names: number, diffs: DiffTexts): string {
  const { result, environment, base } = document;
  const requests = requestsInWords(document);
  const blocks = [
    `### Templates: ${escaped(environment?.name ?? `compared with ${base}`)}`,
    ...(result === undefined ? [] : [`**${escaped(resultInWords(document))}**`]),
    ...resultSections(document).map((section) => sectionBlock(section, names, diffs)),
    result === undefined ? `**${escaped(summaryOf(document))}**` : escaped(summaryOf(document)),
    ...(requests === undefined || result !== undefined ? [] : [escaped(requests)]),
    ...sectionsOf(document)
      .toSorted((a, b) => urgency(b) - urgency(a))
      .map((section) => sectionBlock(section, names, diffs)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** On a page, unlike on a terminal, what needs a decision comes first. */
function urgency({ sign }: Section): number {
  return sign === "✗" ? 2 : sign === "!" ? 1 : 0;
}

function sectionBlock(
  { sign, title, names, rows, changes, held = 0, hint }: Section,
  most: number,
  diffs: DiffTexts,
): string {
  const isAlone = changes.length === 1 && changes[0]?.templates[0] === title;
  const blocks = [`**${sign === "-" ? "−" : sign} ${isAlone ? code(title) : escaped(title)}**`];
  if (rows.length > 0)
    blocks.push(
      shortList(rows, most)
        .map((row) => `- ${escaped(row)}`)
        .join("\n"),
    );
  if (names.length > 0) blocks.push(nameList(names, most));
  for (const change of changes) {
    if (isNamed(change, held)) blocks.push(nameList(change.templates, most));
    blocks.push(diffs.get(change) ?? "");
  }
  if (hint !== undefined) blocks.push(escaped(hint));
  return blocks.join("\n\n");
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
