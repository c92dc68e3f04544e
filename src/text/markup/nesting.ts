import { ENDS_PARAGRAPH } from "./open-elements.js";
import { type OpenTag, type MarkupPiece, VOID_ELEMENTS } from "./scan.js";

/** Something that browsers put elsewhere than it is written. */
export interface MisplacedNode {
  readonly piece: MarkupPiece;
  /**
   * - `fostered`: moved in front of the enclosing table
   * - `dropped`: its tags are ignored
   * - `wrapped`: a row is added around it
   * - `ends`: it ends the element around it
   * - `again`: a second html, head or body
   * - `stays-open`: `<div/>` is not closed by its slash
   */
  readonly how: "fostered" | "dropped" | "wrapped" | "ends" | "again" | "stays-open";
  /** The name of the element around it that causes this; empty if there is none. */
  readonly around: string;
}

/**
 * Finds what browsers move or drop, and elements that they end early: the rules of tree construction in the HTML standard,
 * for elements that are all closed, based on the names of the elements around each. Consequences of a reported problem are
 * not reported.
 *
 * @example
 * const { pieces } = scanMarkup("<table><tr><div>Hi</div></tr></table>");
 * findMisplaced(pieces, () => true); // [{ piece: <div>, how: "fostered", around: "tr" }]
 *
 * @param showsText Whether a piece of text is more than whitespace.
 */
export function findMisplaced(
  pieces: readonly MarkupPiece[],
  showsText: (piece: MarkupPiece) => boolean,
): MisplacedNode[] {
  const nesting = new Nesting();
  for (const piece of pieces) {
    if (piece.kind === "open") nesting.open(piece);
    else if (piece.kind === "close") nesting.close(piece.name);
    else if (piece.kind === "text" && nesting.takesNoText && showsText(piece)) nesting.moveText(piece);
  }
  return nesting.misplaced.toSorted((a, b) => a.piece.start - b.piece.start);
}

/** An element whose end tag has not been reached. */
interface Element {
  readonly name: string;
  /** Whether browsers have already ended it, or never created it. */
  isEnded: boolean;
  /** The tag that ended it, if its end tag may be omitted: too early, if the end tag comes later. */
  endedBy?: OpenTag;
  /** Whether a problem was reported that would apply to each of its children. */
  isReported: boolean;
}

class Nesting {
  readonly misplaced: MisplacedNode[] = [];
  readonly #elements: Element[] = [];
  readonly #documentParts = new Set<string>();

  open(tag: OpenTag): void {
    const { name, selfClosing } = tag;
    // Outlook's own elements mean nothing to a browser, and may be anywhere.
    if (name.includes(":")) return;
    const isVoid = VOID_ELEMENTS.has(name);
    const isForeign = this.#elements.some((element) => APART.has(element.name)) || APART.has(name);
    const isCreated = isForeign || this.#place(tag);
    if (selfClosing && !isVoid && !isForeign) this.#add(tag, "stays-open");
    if (!isVoid && !selfClosing) this.#elements.push({ name, isEnded: !isCreated, isReported: !isCreated });
  }

  close(name: string): void {
    if (OWN_ENDS.has(name)) return this.#closeWithOwnEnd(name);
    const at = this.#elements.findLastIndex((element) => element.name === name);
    const by = this.#elements[at]?.endedBy;
    if (by) this.#tellEnd(by, name);
    if (at >= 0) this.#elements.length = at;
  }

  /** The element was ended early if its end tag comes after the tag that ended it. */
  #tellEnd(by: OpenTag, name: string): void {
    if (this.misplaced.every(({ piece }) => piece !== by)) this.#add(by, "ends", name);
  }

  get takesNoText(): boolean {
    return HOLDS_TABLE_PARTS.has(this.#current ?? "");
  }

  moveText(piece: MarkupPiece): void {
    this.#add(piece, "fostered", this.#current);
  }

  /** The name of the element that the browser is in. */
  get #current(): string | undefined {
    return this.#elements.findLast(({ isEnded }) => !isEnded)?.name;
  }

  /** Adds a problem, unless one was just added for the same piece. */
  #add(piece: MarkupPiece, how: MisplacedNode["how"], around = ""): void {
    if (this.misplaced.at(-1)?.piece !== piece) this.misplaced.push({ piece, how, around });
  }

  /** Reports problems with an element; returns whether browsers create an element here at all. */
  #place(tag: OpenTag): boolean {
    const { name } = tag;
    if (DOCUMENT_PARTS.includes(name)) return this.#placeDocumentPart(tag);
    if (TABLE_PARTS.has(name)) return this.#placeTablePart(tag);
    if (name === "form" && this.#elements.some((element) => element.name === "form")) {
      this.#add(tag, "dropped", "form");
      return false;
    }
    const around = this.#current ?? "";
    if (!HOLDS_TABLE_PARTS.has(around)) {
      this.#placeInBody(tag);
      return true;
    }
    if (around === "colgroup") this.#end(tag, ["colgroup"], NONE);
    else if (MAY_STAND_IN_TABLE.has(name) || isHiddenInput(tag)) return true;
    // Created and ended at once.
    else if (name === "form") return false;
    else if (name === "table") this.#end(tag, ["table"], NONE);
    else this.#add(tag, "fostered", around);
    return true;
  }

  #placeDocumentPart(tag: OpenTag): boolean {
    const { name } = tag;
    const isFirst = !this.#documentParts.has(name) && !(name === "head" && this.#documentParts.has("body"));
    this.#documentParts.add(name);
    if (isFirst) return true;
    // A second html implies a second head and body.
    const isReported = name !== "html" && this.misplaced.some(({ how, piece }) => how === "again" && isHtml(piece));
    if (!isReported) this.#add(tag, "again");
    return false;
  }

  #placeTablePart(tag: OpenTag): boolean {
    let isReported = false;
    for (;;) {
      const context = this.#elements.findLast(({ name, isEnded }) => !isEnded && IN_TABLE.has(name));
      if (!context) {
        if (!isReported && !this.#elements.at(-1)?.isReported) this.#add(tag, "dropped");
        return false;
      }
      const allowed = HOLDS[context.name] ?? [];
      const isCell = tag.name === "td" || tag.name === "th";
      if (allowed.includes(tag.name) || (isCell && HOLDS_ROWS.has(context.name))) {
        if (!allowed.includes(tag.name) && !isReported && !context.isReported) {
          this.#add(tag, "wrapped", context.name);
          context.isReported = true;
        }
        this.#endFrom(this.#elements.indexOf(context) + 1);
        return true;
      }
      const at = this.#elements.indexOf(context);
      const mayEnd = OWN_ENDS_IN_TABLE.has(tag.name) && OWN_ENDS_IN_TABLE.has(context.name) && !this.#splits(at);
      if (mayEnd && !isReported) context.endedBy = tag;
      else if (!isReported) this.#add(tag, "ends", context.name);
      isReported ||= !mayEnd;
      this.#endFrom(at);
    }
  }

  #placeInBody(tag: OpenTag): void {
    const { name } = tag;
    if (name === "li") this.#end(tag, ["li"], ITEM_BOUNDARIES);
    if (name === "dd" || name === "dt") this.#end(tag, ["dd", "dt"], ITEM_BOUNDARIES);
    if (ENDS_PARAGRAPH.has(name)) this.#end(tag, ["p"], BUTTON_BOUNDARIES);
    if (HEADINGS.includes(name) && HEADINGS.includes(this.#current ?? "")) this.#end(tag, HEADINGS, NONE);
    if (name === "button") this.#end(tag, ["button"], BOUNDARIES);
    if (name === "nobr") this.#end(tag, ["nobr"], BOUNDARIES);
    if (name === "a") this.#endLink(tag);
  }

  /** If a block ends a link, the link continues inside the block, up to the next cell. */
  #endLink(tag: OpenTag): void {
    const at = this.#elements.findLastIndex(
      ({ name, isEnded }) => name === "a" || (!isEnded && LINK_BOUNDARIES.has(name)),
    );
    const link = this.#elements[at];
    if (link?.name !== "a" || link.isReported) return;
    link.isReported = true;
    link.isEnded = true;
    this.#add(tag, "ends", "a");
  }

  #end(tag: OpenTag, names: readonly string[], boundaries: ReadonlySet<string>): void {
    const at = this.#openIn(names, boundaries);
    const element = this.#elements[at];
    if (!element) return;
    if (OWN_ENDS.has(element.name) && !this.#splits(at)) element.endedBy = tag;
    else this.#add(tag, "ends", element.name);
    this.#endFrom(at);
  }

  /** Whether an element contains others whose end tags are still to come. */
  #splits(at: number): boolean {
    return this.#elements.slice(at + 1).some(({ name, isEnded }) => !isEnded && !OWN_ENDS.has(name));
  }

  #closeWithOwnEnd(name: string): void {
    const boundaries = name === "p" ? BUTTON_BOUNDARIES : LIST_BOUNDARIES;
    const open = this.#openIn([name], boundaries);
    if (open >= 0) {
      this.#endFrom(open);
      this.#elements.splice(open, 1);
      return;
    }
    const ended = this.#elements.findLastIndex(
      (element) => element.name === name || (!element.isEnded && boundaries.has(element.name)),
    );
    const element = this.#elements[ended];
    if (element?.name !== name) return;
    const by = element.endedBy;
    if (by) this.#tellEnd(by, name);
    this.#elements.splice(ended, 1);
  }

  /** The index of the innermost open element with one of these names, if no boundary is in between; otherwise -1. */
  #openIn(names: readonly string[], boundaries: ReadonlySet<string>): number {
    const at = this.#elements.findLastIndex(
      ({ name, isEnded }) => !isEnded && (names.includes(name) || boundaries.has(name)),
    );
    return names.includes(this.#elements[at]?.name ?? "") ? at : -1;
  }

  #endFrom(at: number): void {
    for (const element of this.#elements.slice(at)) element.isEnded = true;
  }
}

function isHtml(piece: MarkupPiece): boolean {
  return piece.kind === "open" && piece.name === "html";
}

function isHiddenInput({ name, attributes }: OpenTag): boolean {
  return name === "input" && attributes.some((each) => /^type$/i.test(each.name) && /^hidden$/i.test(each.value));
}

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

const NONE: ReadonlySet<string> = new Set();
/** Their content follows rules of its own. */
const APART = setOf("svg math template select");
const DOCUMENT_PARTS = ["html", "head", "body"];
/** Their end tags may be omitted, in a body that compiles. */
const OWN_ENDS = setOf("p li dt dd option");
const OWN_ENDS_IN_TABLE = setOf("td th tr tbody thead tfoot");
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const TABLE_PARTS = setOf("caption colgroup col tbody thead tfoot tr td th");
/** The innermost of these decides how a table part is treated. */
const IN_TABLE = setOf("table caption colgroup tbody thead tfoot tr td th");
const HOLDS_ROWS = setOf("table tbody thead tfoot");
const HOLDS_TABLE_PARTS = setOf("table colgroup tbody thead tfoot tr");
const HOLDS: Readonly<Record<string, readonly string[]>> = {
  table: ["caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr"],
  colgroup: ["col"],
  tbody: ["tr"],
  thead: ["tr"],
  tfoot: ["tr"],
  tr: ["td", "th"],
};
const MAY_STAND_IN_TABLE = setOf("style script template");
// Boundaries between scopes: the standard's rules don't look past these elements.
const BOUNDARIES = setOf("applet caption html table td th marquee object template");
const BUTTON_BOUNDARIES = new Set([...BOUNDARIES, "button"]);
const LIST_BOUNDARIES = new Set([...BOUNDARIES, "ol", "ul"]);
const LINK_BOUNDARIES = setOf("applet caption td th marquee object template");
/** The special elements of the standard, except `address`, `div` and `p`. */
const ITEM_BOUNDARIES = setOf(
  "applet article aside blockquote body button caption center colgroup dd details dir dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main marquee menu nav noembed noframes " +
    "noscript object ol plaintext pre script search section select style summary table tbody td template textarea tfoot th " +
    "thead title tr ul xmp",
);
