import wrapAnsi from "wrap-ansi";
import { linesOf, type LinePart, type ShownLine } from "./lines.js";
import { type Output, visible } from "../../output.js";
import type { ChangeEntry, DifferenceEntry, HunkEntry, PlanDocument } from "./document.js";
import { formatSize, labelOf, requestsInWords, resultInWords, planSummary } from "./phrases.js";
import { isNamed, resultSections, type PlanSection, sectionsOf } from "./sections.js";

export interface Screen extends Pick<Output, "style" | "columns"> {
  /** Whether to show complete diffs. Default: false. */
  readonly isWhole?: boolean;
}

const signColours = {
  "+": "green",
  "~": "yellow",
  "→": "yellow",
  "-": "red",
  "=": "dim",
  "!": "magenta",
  "?": "cyan",
  "·": "dim",
  "✗": "red",
  "✓": "green",
} as const satisfies Record<PlanSection["sign"], string>;

const indent = "    ";

/** After this many rows of diffs, only the size of further changes is shown. */
const DIFFS_MAX = 150;
/** Maximum number of removed lines, and of added lines, to show per hunk. */
const SIDE_MAX = 6;
/** Maximum number of rows for a long line. */
const ROWS_MAX = 3;

/**
 * Prints a plan on the terminal. With `--json`, pass the document to `output.json` as well. Long diffs are folded unless
 * `isWhole` is set.
 */
export function printPlan(document: PlanDocument, output: Output, { isWhole = false } = {}): void {
  const { style, columns } = output;
  output.print(planText(document, { style, columns, isWhole }));
}

/** Prints the result of a plan: a document from `withResult`. */
export function printResult(document: PlanDocument, output: Output): void {
  const isWhole = document.result !== undefined && document.result.next === undefined;
  output.print();
  for (const block of sectionsText(resultSections(document), output)) output.print(block);
  for (const row of wrapped(resultInWords(document), output))
    output.print(output.style(isWhole ? "green" : "bold", row));
}

/** The plan for the terminal: long diffs are folded, and the summary comes last. */
export function planText(document: PlanDocument, screen: Screen): string {
  const requests = requestsInWords(document);
  const end = [
    ...wrapped(planSummary(document), screen).map((row) => screen.style("bold", row)),
    ...(requests === undefined ? [] : wrapped(requests, screen)),
  ];
  return [...sectionsText(sectionsOf(document), screen), end.join("\n")].join("\n");
}

/** Renders each section as a block of rows; longer blocks are followed by an empty row. */
function sectionsText(sections: readonly PlanSection[], screen: Screen): string[] {
  let left = screen.isWhole ? Number.POSITIVE_INFINITY : DIFFS_MAX;
  return sections.map((section, index) => {
    const rows = sectionRows(section, screen, left > 0);
    if (section.changes.length > 0) left -= rows.length;
    const isFollowed = rows.length > 1 || sections[index + 1]?.sign !== section.sign;
    return [...rows, ...(isFollowed ? [""] : [])].join("\n");
  });
}

function sectionRows(
  { sign, title, names, rows, changes, held = 0, hint }: PlanSection,
  screen: Screen,
  isWhole: boolean,
): string[] {
  const { style } = screen;
  const sizes = changes.map((change) => [change, ...change.variants].map(formatSize).join("; "));
  const isOne = !isWhole && held === 0 && names.length === 0;
  const [first = "", ...others] = wrapped(`${sign} ${isOne ? [title, ...sizes].join("  ") : title}`, screen);
  return [
    first.replace(sign, style(signColours[sign], sign)),
    ...others.map((row) => `  ${row}`),
    ...rows.flatMap((row) => wrapped(row, screen, indent)),
    // Names come before the diffs, so that diffs are next to the summary even if there are many names.
    ...wrapped(names.join(", "), screen, indent).map((row) => style("dim", row)),
    ...(isOne
      ? []
      : changes.flatMap((change, index) => [
          ...(isNamed(change, held) ? wrapped(change.templates.join(", "), screen, indent) : []),
          ...(isWhole ? changeRows(change, screen) : [`${indent}${sizes[index] ?? ""}`]),
        ])),
    ...(hint === undefined ? [] : wrapped(hint, screen, indent).map((row) => style("cyan", row))),
  ];
}

function changeRows(change: ChangeEntry, screen: Screen): string[] {
  return [change, ...change.variants].flatMap((difference) =>
    differenceRows(difference, change.templates.length, screen),
  );
}

/** Renders hunks under a line with their field and source files. */
function differenceRows({ templates, hunks }: DifferenceEntry, all: number, screen: Screen): string[] {
  let label = "";
  return hunks.flatMap((hunk) => {
    const own = labelOf(hunk, templates, all);
    const isNew = own !== label;
    label = own;
    return [
      ...(isNew ? wrapped(own, screen, indent).map((row) => screen.style("cyan", row)) : [`${indent}  ⋯`]),
      ...hunkLines(hunk, screen),
    ];
  });
}

/** Renders a hunk: wraps long lines, folds long hunks, and highlights the words that differ. */
function hunkLines(hunk: HunkEntry, { style, columns, isWhole = false }: Screen): string[] {
  const width = Math.max(20, columns - 6);
  return linesOf(hunk, { lines: isWhole ? Infinity : SIDE_MAX, width }).flatMap((line) =>
    wrapParts(line.parts, width, isWhole ? Infinity : ROWS_MAX).map((parts, row) => {
      const sign = row === 0 ? line.sign : " ";
      return `${indent}${style(lineColours[line.sign], sign)} ${parts.map((part) => paint(part, line, style)).join("")}`;
    }),
  );
}

const lineColours = { "-": "red", "+": "green" } as const;

function paint({ text, differs }: LinePart, { sign, parts }: ShownLine, style: Output["style"]): string {
  const isHighlighted = differs && parts.length > 1;
  return style(isHighlighted ? [lineColours[sign], "inverse"] : lineColours[sign], text);
}

/** Wraps a line's parts into at most `most` rows; the last row ends with `…` if the line is cut. */
function wrapParts(parts: readonly LinePart[], columns: number, most: number): LinePart[][] {
  const rows = wrapAnsi(parts.map(({ text }) => text).join(""), columns - 1, { hard: true, trim: false }).split("\n");
  const left = [...parts];
  const wrappedParts = rows.slice(0, most).map((row) => {
    const inRow: LinePart[] = [];
    for (let rest = row.length, part = left.shift(); part !== undefined; part = left.shift()) {
      inRow.push({ ...part, text: part.text.slice(0, rest) });
      rest -= part.text.length;
      if (rest < 0) left.unshift({ ...part, text: part.text.slice(rest) });
      if (rest <= 0) break;
    }
    return inRow;
  });
  if (rows.length > most) wrappedParts.at(-1)?.push({ text: "…", differs: false });
  return wrappedParts;
}

/** Wraps text into indented rows between words. */
function wrapped(text: string, { columns }: Pick<Screen, "columns">, start = ""): string[] {
  if (text === "") return [];
  const rows = wrapAnsi(visible(text), columns - start.length).split("\n");
  return rows.map((row) => start + row);
}
