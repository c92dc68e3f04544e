import type { ChangeEntry, DifferenceEntry, HunkEntry, PlanDocument } from "./document.js";
import { type LineLimits, linesOf } from "./lines.js";
import { code, escaped, fenced } from "./markup.js";
import { labelOf, requestsInWords, resultInWords, sizeInWords, summaryOf } from "./phrases.js";
import { resultSections } from "./result-sections.js";
import { isNamed, type Section, sectionsOf } from "./sections.js";

/** What a comment on GitHub may have in characters; bytes are never fewer. */
const BYTES_MAX = 65_536;

/** How much is shown, from all to hardly anything; the longest is cut first, and the summary and what is held never. */
const levels = [
  { lines: 400, width: 120, names: Infinity },
  { lines: 60, width: 120, names: Infinity },
  { lines: 20, width: 120, names: Infinity },
  { lines: 8, width: 120, names: Infinity },
  { lines: 3, width: 120, names: Infinity },
  { lines: 0, width: 0, names: Infinity },
  { lines: 0, width: 0, names: 100 },
  { lines: 0, width: 0, names: 20 },
] as const satisfies readonly Level[];

interface Level extends LineLimits {
  /** Of one list. */
  readonly names: number;
}

/** Diffs of so many lines stand open. */
const OPEN_LINES_MAX = 16;
/** Longer lists of names are folded. */
const OPEN_NAMES_MAX = 12;

/**
 * The plan, and what became of it, in GitHub's Markdown: for a job's summary, and for a comment on GitHub or GitLab. At most
 * 65,536 bytes: where that is not enough, long diffs are cut first.
 */
export function planMarkdown(document: PlanDocument): string {
  for (const level of levels) {
    if (leastBytes(document, level) > BYTES_MAX) continue;
    const text = atLevel(document, level);
    if (Buffer.byteLength(text) <= BYTES_MAX) return text;
  }
  return cut(atLevel(document, { lines: 0, width: 0, names: 5 }));
}

/** Lines and hunks are hardly shorter than this, on average: what won't fit need not be written to see that. */
const LINE_BYTES = 12;
const HUNK_BYTES = 40;

function leastBytes({ changes }: PlanDocument, { lines }: Level): number {
  const hunks = changes.flatMap((change) => [change, ...change.variants]).flatMap((difference) => difference.hunks);
  const shown = (side: readonly string[]): number => Math.min(side.length, lines);
  const all = hunks.reduce((sum, { removed, added }) => sum + shown(removed) + shown(added), 0);
  return lines === 0 ? 0 : all * LINE_BYTES + hunks.length * HUNK_BYTES;
}

function atLevel(document: PlanDocument, level: Level): string {
  const { result, environment, base } = document;
  const requests = requestsInWords(document);
  const blocks = [
    `### Templates: ${escaped(environment?.name ?? `compared with ${base}`)}`,
    ...(result === undefined ? [] : [`**${escaped(resultInWords(document))}**`]),
    ...resultSections(document).map((section) => sectionBlock(section, level)),
    result === undefined ? `**${escaped(summaryOf(document))}**` : escaped(summaryOf(document)),
    ...(requests === undefined || result !== undefined ? [] : [escaped(requests)]),
    ...sectionsOf(document)
      .toSorted((a, b) => urgency(b) - urgency(a))
      .map((section) => sectionBlock(section, level)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** On a page, other than on a terminal, what has to be decided stands at the top. */
function urgency({ sign }: Section): number {
  return sign === "✗" ? 2 : sign === "!" ? 1 : 0;
}

function sectionBlock({ sign, title, names, rows, changes, held = 0, hint }: Section, level: Level): string {
  const isAlone = changes.length === 1 && changes[0]?.templates[0] === title;
  const blocks = [`**${sign === "-" ? "−" : sign} ${isAlone ? code(title) : escaped(title)}**`];
  if (rows.length > 0)
    blocks.push(
      shortList(rows, level)
        .map((row) => `- ${escaped(row)}`)
        .join("\n"),
    );
  if (names.length > 0) blocks.push(nameList(names, level));
  for (const change of changes) {
    if (isNamed(change, held)) blocks.push(nameList(change.templates, level));
    blocks.push(changeBlock(change, level));
  }
  if (hint !== undefined) blocks.push(escaped(hint));
  return blocks.join("\n\n");
}

function nameList(names: readonly string[], level: Level): string {
  const text = shortList(names, level)
    .map((name) => code(name))
    .join(", ");
  return names.length <= OPEN_NAMES_MAX ? text : details(`${names.length} templates`, text, false);
}

function shortList(texts: readonly string[], { names }: Level): string[] {
  if (texts.length <= names) return [...texts];
  return [...texts.slice(0, names), `… ${texts.length - names} more`];
}

function changeBlock(change: ChangeEntry, level: Level): string {
  const differences = [change, ...change.variants];
  const size = differences.map(sizeInWords).join("; ");
  if (level.lines === 0) return escaped(size);
  const blocks = differences.map((difference) => differenceBlock(difference, change.templates.length, level));
  const hunks = differences.flatMap((difference) => difference.hunks);
  const lines = hunks.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  return details(size, blocks.join("\n\n"), lines <= OPEN_LINES_MAX);
}

/** Hunks that stand under one label are one block. */
function differenceBlock({ templates, hunks }: DifferenceEntry, all: number, level: Level): string {
  const byLabel = new Map<string, HunkEntry[]>();
  for (const hunk of hunks) {
    const label = labelOf(hunk, templates, all);
    byLabel.set(label, [...(byLabel.get(label) ?? []), hunk]);
  }
  return [...byLabel]
    .map(
      ([label, those]) =>
        `${code(label)}\n\n${fenced(those.map((hunk) => hunkText(hunk, level)).join("\n\n"), "diff")}`,
    )
    .join("\n\n");
}

function hunkText(hunk: HunkEntry, level: Level): string {
  return linesOf(hunk, level)
    .map(({ sign, parts }) => `${sign} ${parts.map(({ text }) => text).join("")}`)
    .join("\n");
}

function details(summary: string, text: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${escaped(summary)}</summary>\n\n${text}\n\n</details>`;
}

/** The last resort, for names of hundreds of characters. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= BYTES_MAX) return text;
  const lines = bytes
    .subarray(0, BYTES_MAX - 100)
    .toString("utf8")
    .split("\n")
    .slice(0, -1);
  return `${lines.join("\n")}\n\n… the rest is left out for its length.\n`;
}
