import { type MarkupProblem, type OpenTag, type MarkupPiece, VOID_ELEMENTS } from "./scan.js";

const ITEMS = ["li", "dt", "dd", "option"];
const CELLS = ["td", "th"];
const ROWS = [...CELLS, "tr"];
const ALL_PARTS = [...ROWS, "thead", "tbody", "tfoot"];
/** Elements whose end tags HTML treats as optional, except the parts of tables. */
const END_BY_THEMSELVES: readonly string[] = ["p", ...ITEMS, "html", "head", "body"];
/** The parts of a table that end where another begins. */
const ENDED_BY_OPEN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    td: CELLS,
    th: CELLS,
    tr: ROWS,
    thead: ALL_PARTS,
    tbody: ALL_PARTS,
    tfoot: ALL_PARTS,
  }),
);
/** The parts of a table that end with the enclosing element. */
const ENDED_BY_CLOSE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    tr: CELLS,
    thead: ROWS,
    tbody: ROWS,
    tfoot: ROWS,
    table: ALL_PARTS,
  }),
);

const ENDED_BY_ITEM: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    li: ["li"],
    dt: ["dt", "dd"],
    dd: ["dt", "dd"],
    option: ["option"],
  }),
);
/** Elements that end an open paragraph. */
export const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main " +
    "menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing form li dd dt plaintext table hr xmp"
  ).split(" "),
);

type Tag = Extract<MarkupPiece, { readonly kind: "open" | "close" }>;

/** A closing tag that does not match the open element. */
export interface Unmatched extends MarkupProblem {
  /** The problem if no end tag was forgotten, and the closing tag is superfluous. */
  readonly stray: MarkupProblem;
}

/** The stack of open elements while HTML is read, without those that need no closing tag. */
export class OpenElements {
  readonly #open: OpenTag[] = [];
  /** Names the view in messages. */
  readonly #where: string;
  readonly #endsParts: boolean;

  /** @param endsParts Whether cells, rows and row groups may omit their closing tags, as HTML allows. */
  constructor(where = "", endsParts = false) {
    this.#where = where;
    this.#endsParts = endsParts;
  }

  /** `<table><tr>` */
  get path(): string {
    return this.#open.map(({ name }) => `<${name}>`).join("");
  }

  open(tag: OpenTag): void {
    if (tag.selfClosing || isFree(tag.name)) return;
    this.#endParts(ENDED_BY_OPEN.get(tag.name));
    this.#open.push(tag);
  }

  #endParts(names: readonly string[] = []): void {
    if (!this.#endsParts) return;
    while (names.includes(this.#open.at(-1)?.name ?? "")) this.#open.pop();
  }

  /** The problem with a closing tag here, if there is one. */
  close(name: string, offset: number): Unmatched | undefined {
    if (isFree(name)) return undefined;
    this.#endParts(ENDED_BY_CLOSE.get(name));
    const innermost = this.#open.pop();
    if (innermost?.name === name) return undefined;
    const stray = { message: `</${name}>${this.#where} has no opening tag.`, offset };
    const isOpen = this.#open.some((element) => element.name === name);
    return innermost && isOpen ? { ...this.#problemOf(innermost, ` before </${name}>`), stray } : { ...stray, stray };
  }

  /** Treats the innermost elements as ended. */
  end(count: number): void {
    this.#open.length -= count;
  }

  /** The problem if elements are still open at the end. */
  unclosed(): MarkupProblem | undefined {
    const [first] = this.#open;
    return first && this.#problemOf(first);
  }

  #problemOf({ name, start }: OpenTag, before = ""): MarkupProblem {
    return { message: `<${name}>${this.#where} is never closed${before}.`, offset: start };
  }
}

/** Whether a tag ends all of these elements, whose end tags HTML allows to be omitted. */
export function areEndedBy(names: readonly string[], { kind, name }: Pick<Tag, "kind" | "name">): boolean {
  const ends = (kind === "open" ? ENDED_BY_OPEN : ENDED_BY_CLOSE).get(name) ?? [];
  return names.every((each) => ends.includes(each));
}

/** Needs no closing tag. Outlook's own elements, in namespaces, are often closed twice, which Outlook accepts. */
export function isFree(name: string): boolean {
  return VOID_ELEMENTS.has(name) || END_BY_THEMSELVES.includes(name) || name.includes(":");
}

/** An element without an end tag, although HTML allows that, and what ended it. */
interface ForgottenEnd {
  readonly tag: OpenTag;
  /** The tag that ended it: `<tr>`, `</table>`; empty at the end of the text. */
  readonly endedBy: string;
}

interface OpenElement {
  readonly tag: OpenTag;
  /** For a table, a list or the whole document: the end tags of the elements in it. */
  readonly parts: Parts;
}

class Parts {
  readonly closed = new Map<string, number>();
  readonly leftOut = new Map<string, ForgottenEnd[]>();
}

const HOLDERS = ["table", "ul", "ol", "dl", "select"];
const MAY_BE_OPEN = [...ALL_PARTS, ...ITEMS, "p"];

/**
 * Finds end tags that were probably forgotten rather than omitted on purpose: in the same table or list, other elements of
 * the same name have theirs.
 * @example
 * forgottenEnds(scanMarkup("<ul><li>a</li><li>b</ul>").pieces); // [{ tag: the second <li>, endedBy: "</ul>" }]
 * forgottenEnds(scanMarkup("<ul><li>a<li>b</ul>").pieces); // []
 */
export function forgottenEnds(pieces: readonly MarkupPiece[]): ForgottenEnd[] {
  const whole = new Parts();
  const all = [whole];
  const open: OpenElement[] = [];
  const partsOf = (name: string): Parts =>
    (name === "p" ? undefined : open.findLast(({ tag }) => HOLDERS.includes(tag.name))?.parts) ?? whole;
  const leaveOut = (endedBy: string): void => {
    const tag = open.pop()?.tag;
    if (!tag) return;
    const { leftOut } = partsOf(tag.name);
    leftOut.set(tag.name, [...(leftOut.get(tag.name) ?? []), { tag, endedBy }]);
  };
  const innermost = (): string => open.at(-1)?.tag.name ?? "";
  for (const piece of pieces) {
    if (piece.kind === "open" && !piece.selfClosing && !VOID_ELEMENTS.has(piece.name)) {
      const { name } = piece;
      const endsParagraph = ENDS_PARAGRAPH.has(name) || ENDED_BY_OPEN.has(name);
      const ends = [...(ENDED_BY_OPEN.get(name) ?? ENDED_BY_ITEM.get(name) ?? []), ...(endsParagraph ? ["p"] : [])];
      while (ends.includes(innermost())) leaveOut(`<${name}>`);
      const parts = HOLDERS.includes(name) ? new Parts() : whole;
      if (parts !== whole) all.push(parts);
      open.push({ tag: piece, parts });
    } else if (piece.kind === "close" && open.some(({ tag }) => tag.name === piece.name)) {
      while (innermost() !== piece.name && MAY_BE_OPEN.includes(innermost())) leaveOut(`</${piece.name}>`);
      // Other errors are reported elsewhere.
      if (innermost() !== piece.name) return [];
      open.pop();
      const { closed } = partsOf(piece.name);
      closed.set(piece.name, (closed.get(piece.name) ?? 0) + 1);
    }
  }
  return all.flatMap((parts) => forgottenIn(parts, parts === whole));
}

/** Omitting all end tags of a kind is deliberate; so is omitting a single one if nothing around it has an end tag. */
function forgottenIn({ closed, leftOut }: Parts, isWhole: boolean): ForgottenEnd[] {
  return Array.from(leftOut).flatMap(([name, omitted]) => {
    const others = closed.get(name) ?? 0;
    if (isWhole) return others > omitted.length ? omitted : [];
    const isAlone = omitted.length === 1 && closed.size > 0;
    return others > 0 || isAlone ? omitted : [];
  });
}
