import { type MarkupProblem, type OpenTag, type Piece, VOID_ELEMENTS } from "./scan.js";

/** Elements whose end tags HTML treats as optional. */
const END_BY_THEMSELVES: readonly string[] = ["p", "li", "dt", "dd", "option", "html", "head", "body"];
const CELLS = ["td", "th"];
const ROWS = [...CELLS, "tr"];
const ALL_PARTS = [...ROWS, "thead", "tbody", "tfoot"];
/** The parts of a table that end where another begins. */
const ENDED_BY_OPEN: Readonly<Record<string, readonly string[]>> = {
  td: CELLS,
  th: CELLS,
  tr: ROWS,
  thead: ALL_PARTS,
  tbody: ALL_PARTS,
  tfoot: ALL_PARTS,
};
/** The parts of a table that end with the enclosing element. */
const ENDED_BY_CLOSE: Readonly<Record<string, readonly string[]>> = {
  tr: CELLS,
  thead: ROWS,
  tbody: ROWS,
  tfoot: ROWS,
  table: ALL_PARTS,
};

type Tag = Extract<Piece, { readonly kind: "open" | "close" }>;

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
    this.#endParts(ENDED_BY_OPEN[tag.name]);
    this.#open.push(tag);
  }

  #endParts(names: readonly string[] = []): void {
    if (!this.#endsParts) return;
    while (names.includes(this.#open.at(-1)?.name ?? "")) this.#open.pop();
  }

  /** The problem with a closing tag here, if there is one. */
  close(name: string, offset: number): Unmatched | undefined {
    if (isFree(name)) return undefined;
    this.#endParts(ENDED_BY_CLOSE[name]);
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

/**
 * Whether a tag ends all of these elements, whose end tags HTML allows to be omitted.
 *
 * @example
 * areEndedBy(["tr", "td"], { kind: "close", name: "table" }); // true
 */
export function areEndedBy(names: readonly string[], { kind, name }: Pick<Tag, "kind" | "name">): boolean {
  const ends = (kind === "open" ? ENDED_BY_OPEN : ENDED_BY_CLOSE)[name] ?? [];
  return names.every((each) => ends.includes(each));
}

/** Needs no closing tag. Outlook's own elements, in namespaces, are often closed twice, which Outlook accepts. */
export function isFree(name: string): boolean {
  return VOID_ELEMENTS.has(name) || END_BY_THEMSELVES.includes(name) || name.includes(":");
}
