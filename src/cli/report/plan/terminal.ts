import { hunkLines, type Screen } from "./hunk-lines.js";
import type { ChangeEntry, DifferenceEntry, PlanDocument } from "./document.js";
import { labelOf, requestsInWords, formatSize, summaryOf } from "./phrases.js";
import { isNamed, type Section, sectionsOf } from "./sections.js";
import { visible } from "./visible.js";
import { wrapWords } from "./wrap.js";

const colours = {
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
} as const satisfies Record<Section["sign"], string>;

const indent = "    ";

/** After this many rows of diffs, only the size of further changes is shown. */
const DIFFS_MAX = 150;

/** The plan for the terminal: long diffs are folded, and the summary comes last. */
export function planText(document: PlanDocument, screen: Screen): string {
  const requests = requestsInWords(document);
  const end = [
    ...wrapWords(summaryOf(document).split(" "), { indent: "", columns: screen.columns }).map((row) =>
      screen.style("bold", row),
    ),
    ...(requests === undefined ? [] : wrapWords(requests.split(" "), { indent: "", columns: screen.columns })),
  ];
  return [...sectionsText(sectionsOf(document), screen), end.join("\n")].join("\n");
}

/** Renders each section as a block of rows; longer blocks are followed by an empty row. */
export function sectionsText(sections: readonly Section[], screen: Screen): string[] {
  let left = screen.isWhole ? Number.POSITIVE_INFINITY : DIFFS_MAX;
  return sections.map((section, index) => {
    const rows = sectionRows(section, screen, left > 0);
    if (section.changes.length > 0) left -= rows.length;
    const isFollowed = rows.length > 1 || sections[index + 1]?.sign !== section.sign;
    return [...rows, ...(isFollowed ? [""] : [])].join("\n");
  });
}

function sectionRows(
  { sign, title, names, rows, changes, held = 0, hint }: Section,
  screen: Screen,
  isWhole: boolean,
): string[] {
  const { style } = screen;
  const sizes = changes.map((change) => [change, ...change.variants].map(formatSize).join("; "));
  const isOne = !isWhole && held === 0 && names.length === 0;
  const [first = "", ...others] = wrapped(`${sign} ${isOne ? [title, ...sizes].join("  ") : title}`, screen);
  return [
    first.replace(sign, style(colours[sign], sign)),
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

function wrapped(text: string, { columns }: Screen, start = ""): string[] {
  return wrapWords(visible(text).split(" "), { indent: start, columns });
}
