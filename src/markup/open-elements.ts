import { type MarkupProblem, type OpenTag, type Piece, VOID_ELEMENTS } from "./scan.js";

/** Elements that html lets end by themselves. */
const END_BY_THEMSELVES: readonly string[] = ["p", "li", "dt", "dd", "option", "html", "head", "body"];
const CELLS = ["td", "th"];
const ROWS = [...CELLS, "tr"];
const ALL_PARTS = [...ROWS, "thead", "tbody", "tfoot"];
/** The parts of a table that end where another one begins. */
const ENDED_BY_OPEN: Readonly<Record<string, readonly string[]>> = {
  td: CELLS,
  th: CELLS,
  tr: ROWS,
  thead: ALL_PARTS,
  tbody: ALL_PARTS,
  tfoot: ALL_PARTS,
};
/** Those that end with what is around them. */
const ENDED_BY_CLOSE: Readonly<Record<string, readonly string[]>> = {
  tr: CELLS,
  thead: ROWS,
  tbody: ROWS,
  tfoot: ROWS,
  table: ALL_PARTS,
};

type Tag = Extract<Piece, { readonly kind: "open" | "close" }>;

/** A closing tag that does not match what is open. */
export interface Unmatched extends MarkupProblem {
  /** What is wrong if nothing was forgotten, and the closing tag is one too many. */
  readonly stray: MarkupProblem;
}

/** The elements that are open while html is read, but for those that need no closing tag. */
export class OpenElements {
  readonly #open: OpenTag[] = [];
  /** In which view, to add to a message. */
  readonly #where: string;
  readonly #endsParts: boolean;

  /** @param endsParts Whether cells, rows and groups of rows may go without their closing tags, as html lets them. */
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

  /** What is wrong with a closing tag here. */
  close(name: string, offset: number): Unmatched | undefined {
    if (isFree(name)) return undefined;
    this.#endParts(ENDED_BY_CLOSE[name]);
    const innermost = this.#open.pop();
    if (innermost?.name === name) return undefined;
    const stray = { message: `</${name}>${this.#where} closes nothing.`, offset };
    const isOpen = this.#open.some((element) => element.name === name);
    return innermost && isOpen ? { ...this.#problemOf(innermost, ` before </${name}>`), stray } : { ...stray, stray };
  }

  /** Takes the innermost ones as ended. */
  end(count: number): void {
    this.#open.length -= count;
  }

  /** What is still open at the end. */
  unclosed(): MarkupProblem | undefined {
    const [first] = this.#open;
    return first && this.#problemOf(first);
  }

  #problemOf({ name, start }: OpenTag, before = ""): MarkupProblem {
    return { message: `<${name}>${this.#where} is never closed${before}.`, offset: start };
  }
}

/**
 * Whether a tag ends all of these, which html lets go without their own end tags.
 *
 * @example
 * areEndedBy(["tr", "td"], { kind: "close", name: "table" }); // true
 */
export function areEndedBy(names: readonly string[], { kind, name }: Pick<Tag, "kind" | "name">): boolean {
  const ends = (kind === "open" ? ENDED_BY_OPEN : ENDED_BY_CLOSE)[name] ?? [];
  return names.every((each) => ends.includes(each));
}

/** Needs no closing tag. Outlook's own elements, in namespaces, are often closed twice, and it takes no offence. */
export function isFree(name: string): boolean {
  return VOID_ELEMENTS.has(name) || END_BY_THEMSELVES.includes(name) || name.includes(":");
}
