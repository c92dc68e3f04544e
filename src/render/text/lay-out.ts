import type { TagTable } from "../../mustache/tokens.js";
import { type IsList, type Line, toLines } from "./section-lines.js";

/**
 * Puts the sections of a derived text on lines of their own, and the blank lines where they separate paragraphs
 * whether a section is shown never, once or many times.
 */
export function layOut(text: string, tags: TagTable, isList: IsList): string {
  const output: string[] = [];
  /** For each section around, whether its items stay together. */
  const open: boolean[] = [];
  let waiting: Exclude<Line, { kind: "text" }>[] = [];
  let alwaysShown = false;
  for (const line of toLines(text, tags, isList)) {
    if (line.kind !== "text") {
      waiting.push(line);
      continue;
    }
    // A blank line belongs to the paragraph after it, and so goes into that paragraph's section. But before anything
    // that is always shown it belongs to the paragraph above, and the items of a list stay together.
    const between = waiting.flatMap((item) => (item.kind === "tag" ? [item] : []));
    const last = waiting.at(-1);
    const beginsList = last?.kind === "tag" && last.opens && !last.isParagraph;
    const isApart = output.length > 0 && !beginsList && waiting.some(({ kind }) => kind === "blank");
    const blank = isApart ? [""] : [];
    const tagLines = between.map((tag) => tag.text);
    const endsList = between.filter(({ opens }) => (opens ? open.push(beginsList) === 0 : open.pop())).length > 0;
    output.push(...(alwaysShown || endsList ? [...tagLines, ...blank] : [...blank, ...tagLines]), line.text);
    alwaysShown ||= open.length === 0;
    waiting = [];
  }
  const rest = waiting.flatMap((item) => (item.kind === "tag" ? [item.text] : []));
  return [...output, ...rest].join("\n").trim();
}
