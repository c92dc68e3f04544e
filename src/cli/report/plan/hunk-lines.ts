import type { Part } from "../../../sync/diff/compare-words.js";
import type { Output } from "../../output.js";
import type { HunkEntry } from "./document.js";
import { linesOf, type ShownLine } from "./lines.js";
import { wrapParts } from "./wrap.js";

/** How to print to the terminal. */
export interface Screen extends Pick<Output, "style" | "columns"> {
  /** Whether to show complete diffs. Default: false. */
  readonly isWhole?: boolean;
}

/** Maximum number of removed lines, and of added lines, to show per hunk. */
const SIDE_MAX = 6;
/** Maximum number of rows for a long line. */
const ROWS_MAX = 3;

const colours = { "-": "red", "+": "green" } as const;

/** Renders a hunk for the terminal: wraps long lines, folds long hunks, and highlights the words that differ. */
export function hunkLines(hunk: HunkEntry, { style, columns, isWhole = false }: Screen): string[] {
  const width = Math.max(20, columns - 6);
  return linesOf(hunk, { lines: isWhole ? Number.POSITIVE_INFINITY : SIDE_MAX, width }).flatMap((line) =>
    wrapParts(line.parts, width, isWhole ? Number.POSITIVE_INFINITY : ROWS_MAX).map((parts, row) => {
      const sign = row === 0 ? line.sign : " ";
      return `    ${style(colours[line.sign], sign)} ${parts.map((part) => paint(part, line, style)).join("")}`;
    }),
  );
}

function paint({ text, differs }: Part, { sign, parts }: ShownLine, style: Output["style"]): string {
  const isHighlighted = differs && parts.length > 1;
  return style(isHighlighted ? [colours[sign], "inverse"] : colours[sign], text);
}
