import type { Part } from "../../../sync/diff/words.js";
import type { Output } from "../../output.js";
import type { HunkEntry } from "./document.js";
import { linesOf, type ShownLine } from "./lines.js";
import { wrapParts } from "./wrap.js";

/** What is printed on. */
export interface Screen extends Pick<Output, "style" | "columns"> {
  /** Whether diffs are shown to their last line. Default false. */
  readonly isWhole?: boolean;
}

/** Lines that go, and as many that come, which are shown of one place. */
const SIDE_MAX = 6;
/** Rows that a long line may take. */
const ROWS_MAX = 3;

const colours = { "-": "red", "+": "green" } as const;

/** A hunk on a terminal: long lines are broken, many are folded, the words that differ stand out. */
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
  const stands = differs && parts.length > 1;
  return style(stands ? [colours[sign], "inverse"] : colours[sign], text);
}
