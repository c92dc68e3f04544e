import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import { Flow, Gap, hasText, Margin, type Piece, toScriptCharacters, trimmed, visible } from "./pieces.js";
import { addressOf, namesItself, writeImages } from "./links.js";
import {
  displayOf,
  type Element,
  findElement,
  isApart,
  isBlank,
  type Node,
  styleOf,
  textIn,
  type WhiteSpace,
  whiteSpaceOf,
} from "./tree.js";
import { type Cell, printTable, type TextTableRow } from "./table.js";

const PARAGRAPHS = "p h1 h2 h3 h4 h5 h6 table blockquote ul ol menu dl pre hr section article figure".split(" ");
const LINES = (
  "address aside body caption center dd details div dt fieldset figcaption footer form header html legend li main " +
  "nav option summary tbody td tfoot th thead tr"
).split(" ");

/** The gap around an element, unless its style says otherwise. */
const GAPS: ReadonlyMap<string, Gap> = new Map([
  ...PARAGRAPHS.map((name) => [name, Gap.blankLine] as const),
  ...LINES.map((name) => [name, Gap.line] as const),
]);

/** Whether an element has lines of its own, unless its style says otherwise. */
export function isBlockName(name: string): boolean {
  return GAPS.has(name);
}

/** The gaps before and after an element. */
function gapsAround(element: Element, siblings: readonly Node[]): readonly [before: Gap, after: Gap] {
  const display = displayOf(element);
  const gap = GAPS.get(element.name) ?? Gap.none;
  if (display === "inline" || (display === "inline-table" && gap > Gap.line)) {
    return gap === Gap.none ? [gap, gap] : [Gap.line, Gap.line];
  }
  if (gap === Gap.none) {
    const isBox =
      display === "block" || (display === "inline-block" && element.name === "a" && !isInSentence(siblings));
    return isBox ? [Gap.line, Gap.line] : [Gap.none, Gap.none];
  }
  if (element.name === "p" || element.name === "div")
    return [gapAt(element, "top", gap), gapAt(element, "bottom", gap)];
  return [gap, gap];
}

function gapAt(element: Element, side: "top" | "bottom", defaultGap: Gap): Gap {
  const apart = isApart(element, side);
  return apart === undefined ? defaultGap : apart ? Gap.blankLine : Gap.line;
}

function isInSentence(siblings: readonly Node[]): boolean {
  return siblings.some((sibling) => typeof sibling === "string" && /[\p{L}\p{N}]/u.test(sibling.replace(TOKEN, "")));
}

const BULLET = "- ";

/**
 * The marks before the items of a list. Items are only numbered if their number is known: items in sections are shown
 * zero, one or many times.
 */
function listMarks(list: Element): (item: Element) => string {
  const items = list.children.filter((child) => typeof child !== "string" && child.name === "li");
  const isKnown = list.children.every((child) => typeof child !== "string" || child.search(TOKEN) < 0);
  if (list.name !== "ol" || !isKnown) return () => BULLET;
  const first = Number.parseInt(list.attributes["start"] ?? "1", 10) || 1;
  const width = `${first + items.length - 1}. `.length;
  const style = list.attributes["type"] ?? "1";
  return (item) => `${numberAs(style, first + items.indexOf(item))}. `.padStart(width);
}

function numberAs(style: string, number: number): string {
  const isLetter = (style === "a" || style === "A") && number >= 1 && number <= 26;
  return isLetter ? String.fromCharCode(style.charCodeAt(0) + number - 1) : String(number);
}

const HEADING = /^h[1-6]$/;

/** The limit in HTML. */
const MOST_COLUMNS = 1000;

/** Reads the visible content of a document as pieces of text with gaps between them. */
export class Walker {
  readonly #tags: TagTable;
  readonly #margin = new Margin();
  #flow: Flow;
  #whiteSpace: WhiteSpace = "collapsed";
  #isInItem = false;
  #isInLink = false;
  #arePicturesRead = false;

  constructor(tags: TagTable) {
    this.#tags = tags;
    this.#flow = new Flow(tags, this.#margin);
  }

  read(document: Element): readonly Piece[] {
    return this.#piecesOf(() => this.#children(document));
  }

  #piecesOf(write: () => void): readonly Piece[] {
    const around = this.#flow;
    this.#flow = new Flow(this.#tags, this.#margin);
    write();
    const { pieces } = this.#flow;
    this.#flow = around;
    return pieces;
  }

  #children({ children }: Element): void {
    if (this.#columns(children)) return;
    // Between blocks, whitespace only formats the source.
    const containsBlocks = this.#whiteSpace !== "collapsed" && children.some((child) => isBlock(child, children));
    for (const child of children) if (!containsBlocks || !isBlank(child)) this.#node(child, children);
  }

  #node(node: Node, siblings: readonly Node[]): void {
    if (typeof node === "string") {
      if (this.#whiteSpace === "kept") this.#flow.verbatim(node);
      else if (this.#whiteSpace === "lines") this.#flow.lines(node);
      else this.#flow.words(node);
    } else {
      const isSublist = this.#isInItem && (node.name === "ul" || node.name === "ol");
      const [before, after] = isSublist ? [Gap.line, Gap.line] : gapsAround(node, siblings);
      this.#flow.gap(before);
      const around = this.#whiteSpace;
      this.#whiteSpace = whiteSpaceOf(node) ?? around;
      this.#element(node);
      this.#whiteSpace = around;
      this.#flow.gap(after);
    }
  }

  #element(element: Element): void {
    switch (element.name) {
      case "br":
        return this.#flow.lineBreak();
      case "hr":
        return this.#flow.rule();
      case "a":
        return this.#link(element);
      case "img":
        return this.#picture(element);
      case "table":
        return this.#flow.add(trimmed(printTable(this.#rows(element))));
      case "ul":
      case "ol":
      case "menu":
        return this.#list(element);
      case "dd":
        return this.#margin.within("  ", "  ", () => this.#children(element));
      case "blockquote":
        return this.#margin.within("> ", "> ", () => this.#children(element));
      case "q":
        this.#flow.literal("“");
        this.#children(element);
        return this.#flow.literal("”");
      case "sup":
      case "sub":
        return this.#toScriptCharacters(element, element.name);
      default:
        if (HEADING.test(element.name)) this.#heading(element);
        else if (isRule(element)) this.#flow.rule();
        else this.#children(element);
    }
  }

  #link(link: Element): void {
    const image = findElement(link, (element) => alternativeOf(element) !== "");
    const { href = "" } = link.attributes;
    this.#isInLink = true;
    this.#flow.link(addressOf(href), alternativeOf(image), () => this.#children(link));
    this.#isInLink = false;
  }

  #picture(picture: Element): void {
    const alternative = alternativeOf(picture);
    if (alternative === "" || this.#isInLink) return;
    if (!this.#arePicturesRead || namesItself(alternative)) return this.#flow.picture(alternative);
    this.#flow.gap(Gap.space);
    this.#flow.words(alternative);
  }

  #list(list: Element): void {
    const marks = listMarks(list);
    for (const child of list.children) {
      if (isBlank(child)) continue;
      if (typeof child === "string" || child.name !== "li") {
        this.#node(child, list.children);
        continue;
      }
      const mark = marks(child);
      const around = this.#isInItem;
      this.#isInItem = true;
      const write = () => this.#flow.add(trimmed(this.#piecesOf(() => this.#children(child))));
      this.#flow.gap(Gap.line);
      this.#margin.within(mark, " ".repeat(mark.length), write);
      this.#flow.gap(Gap.line);
      this.#isInItem = around;
    }
  }

  /** If a heading consists of images only, their alternative texts are its content. */
  #heading(heading: Element): void {
    const around = this.#arePicturesRead;
    this.#arePicturesRead = textIn(heading).replace(TOKEN, "").trim() === "";
    this.#children(heading);
    this.#arePicturesRead = around;
  }

  #toScriptCharacters(element: Element, name: "sup" | "sub"): void {
    const text = toScriptCharacters(textIn(element), name);
    if (text !== undefined) return this.#flow.words(text);
    const last = this.#flow.pieces.at(-1);
    // Two adjacent numbers would read as one.
    if (last?.kind === "text" && /[\p{N}\uE001]$/u.test(last.text) && /^\s*[\p{N}\uE000]/u.test(textIn(element))) {
      this.#flow.gap(Gap.space);
    }
    this.#children(element);
  }

  /** A table's rows, and the section tags between them, whatever groups the rows are in. */
  #rows({ children }: Element): (TextTableRow | Piece)[] {
    return children.flatMap((child): (TextTableRow | Piece)[] => {
      if (typeof child === "string") return isBlank(child) ? [] : [...this.#piecesOf(() => this.#flow.words(child))];
      if (child.name === "tr") return [this.#cells(hasCells(child) ? child.children : [{ ...child, name: "td" }])];
      if (["thead", "tbody", "tfoot"].includes(child.name)) return this.#rows(child);
      return [...this.#piecesOf(() => this.#node(child, children))];
    });
  }

  #cells(children: readonly Node[]): TextTableRow {
    return children.flatMap((child): TextTableRow => {
      if (typeof child === "string") {
        return isBlank(child) ? [] : trimmed(this.#piecesOf(() => this.#flow.words(child)));
      }
      const pieces = trimmed(writeImages(this.#piecesOf(() => this.#element(child))));
      const columns = Math.min(Math.max(1, Math.trunc(Number(child.attributes["colspan"] ?? 1)) || 1), MOST_COLUMNS);
      const hasTitle = findElement(child, ({ name }) => HEADING.test(name)) !== undefined;
      return [{ pieces, columns, hasTitle, isHeading: child.name === "th" } satisfies Cell];
    });
  }

  /** Blocks next to each other, as in MJML's columns, form a row like that of a table. */
  #columns(children: readonly Node[]): boolean {
    const columns = children.filter((child) => typeof child !== "string" && isColumn(child));
    if (columns.length < 2 || !children.every((child) => typeof child === "string" || isColumn(child))) return false;
    const row = this.#cells(children);
    if (!row.some((part) => "pieces" in part && hasText(part.pieces))) return false;
    this.#flow.add(printTable([row]));
    return true;
  }
}

/** The alternative text of a visible image; empty for other elements. */
function alternativeOf(element: Element | undefined): string {
  if (element?.name !== "img" || isDot(element)) return "";
  return visible(element.attributes["alt"] ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

/** An image of almost no size, used for tracking opens. */
function isDot({ attributes: { width, height } }: Element): boolean {
  return [width, height].every((size) => size !== undefined && /^[01](?:px)?$/.test(size.trim()));
}

function isBlock(node: Node, siblings: readonly Node[]): boolean {
  return typeof node !== "string" && gapsAround(node, siblings)[0] >= Gap.line;
}

/** Rows without cells, as React Email writes them if a template omits its columns, count as one cell. */
function hasCells({ children }: Element): boolean {
  return children.some((child) => typeof child !== "string" && (child.name === "td" || child.name === "th"));
}

function isColumn(element: Element): boolean {
  return element.name === "div" && /^(?:inline-block|table-cell)$/.test(displayOf(element));
}

/** A line drawn as an empty box with a border, like MJML's divider. */
function isRule(element: Element): boolean {
  if (element.name !== "p" && element.name !== "div") return false;
  const style = styleOf(element);
  const border = style.get("border-top") ?? style.get("border-bottom") ?? "";
  return /solid|dashed|dotted|double/.test(border) && element.children.every(isBlank);
}
