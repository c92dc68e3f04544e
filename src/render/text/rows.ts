import type { DomNode, FormatCallback, RecursiveCallback } from "html-to-text";
import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import { roleOf } from "../sections.js";
import { descendants, isBlank, isBlock, tagsInText, textOf } from "./dom.js";

type Builder = Parameters<FormatCallback>[2];

const BETWEEN_CELLS = "  ";

/** Blocks that may be in a cell of data; any other makes it a part of the page. */
const LINES: readonly string[] = ["p", "div", "br"];

/** Characters that a cell of data with several lines may have. */
const LONGEST_CELL = 80;

/** Line breaks that a block asks for before itself count for nothing where it begins with another block. */
const ON_ITS_OWN = { trailingLineBreaks: 2, blockTransform: (text: string) => (text === "" ? "" : `\n${text}`) };

/**
 * Prints a table's row: on one line where it is data, `Tea  2  €4`; its cells below each other where the table only
 * lays the page out.
 */
export function rowFormatter(tags: TagTable): FormatCallback {
  return (row, walk, builder) => {
    const cells = row.children.filter(isCell);
    const isData = cells.length > 1 && cells.every((cell) => holdsData(cell, tags));
    builder.openBlock();
    for (const [index, child] of row.children.entries()) {
      if (!isCell(child)) {
        walk([child], builder);
      } else if (isData) {
        printData(child, walk, builder);
        const goesOn = row.children.slice(index + 1).some((next) => textOf(next) !== "" || next.data?.match(TOKEN));
        if (textOf(child) !== "" && goesOn) builder.addLiteral(BETWEEN_CELLS);
      } else {
        builder.openBlock();
        walk(child.children, builder);
        builder.closeBlock(ON_ITS_OWN);
      }
    }
    builder.closeBlock(isData ? { blockTransform: (text) => text.replace(/ {3,}/g, BETWEEN_CELLS) } : ON_ITS_OWN);
  };
}

function printData(cell: DomNode, walk: RecursiveCallback, builder: Builder): void {
  const { children } = innermost(cell);
  if (!children.some((child) => isBlock(child) || descendants(child).some(isBlock))) return walk(children, builder);
  builder.openBlock({ leadingLineBreaks: 0 });
  walk(children, builder);
  builder.closeBlock({ trailingLineBreaks: 0, blockTransform: onOneLine });
}

function onOneLine(text: string): string {
  return text.trim().replace(/[ ,]*\n\s*/g, ", ");
}

function isCell({ name }: DomNode): boolean {
  return name === "td" || name === "th";
}

function holdsData(cell: DomNode, tags: TagTable): boolean {
  const blocks = descendants(innermost(cell)).filter(isBlock);
  if (blocks.length === 0) return true;
  // Lines that may be hidden or repeat don't make one line.
  if (tagsInText(cell).some((tag) => roleOf(tags[tag]) !== "prints")) return false;
  return textOf(cell).length <= LONGEST_CELL && blocks.every(({ name }) => LINES.includes(name ?? ""));
}

/** What a cell holds, when all that it holds is one paragraph. */
function innermost(cell: DomNode): DomNode {
  const [only, ...others] = cell.children.filter((child) => !isBlank(child));
  return only && others.length === 0 && (only.name === "p" || only.name === "div") ? innermost(only) : cell;
}
