import { token, type TagTable } from "../../mustache/tokens.js";
import { nameOf } from "../sections.js";

/*
 * What MJML prints for an attribute whose value is one tag may be built otherwise where the tag prints nothing. Both are
 * rendered, and are marked until sections of Mustache take the place of the marks.
 */

/** What is printed where a tag prints something, and what where it does not. */
export function markCases(tag: number, filled: string, empty: string): string {
  return `${mark("f", tag)}${filled}${mark("e", tag)}${empty}${mark("x", tag)}`;
}

/** Says of a tag that MJML would print something else where it is empty. */
export function markUnplaced(tag: number): string {
  return mark("u", tag);
}

function mark(kind: string, tag: number): string {
  return `\uE004${kind}${tag}\uE005`;
}

export interface PlacedCases {
  readonly html: string;
  /** The tags that are printed as if they never were empty, although MJML tells that apart. */
  readonly unplaced: ReadonlySet<number>;
}

/** The html of filled tags alone. */
export function filledCases(html: string): string {
  return new CaseReader(html, () => undefined).read();
}

/**
 * Puts sections in the place of marks; their tags are added to the table.
 *
 * @param mayPrintNothing Of a tag's number. One that always prints something needs no sections.
 */
export function placeCases(html: string, tags: TagTable, mayPrintNothing: (tag: number) => boolean): PlacedCases {
  const reader = new CaseReader(html, (number) => {
    const tag = tags[number];
    const name = nameOf(tag);
    // An item that is no object has no place beside it for a boolean.
    if (!tag || name === "." || !mayPrintNothing(number)) return undefined;
    const add = (sigil: string, asks = {}) => token(tags.push({ ...tag, ...asks, text: `{{${sigil}${name}}}` }) - 1);
    const asks = { asks: { kind: "empty" } } as const;
    return (sigil, content) => (content === "" ? "" : add(sigil, asks) + content + add("/"));
  });
  return { html: reader.read(), unplaced: reader.unplaced };
}

/** Writes a section over the question whether a tag is empty. */
type WriteSection = (sigil: "^" | "#", content: string) => string;

class CaseReader {
  readonly unplaced = new Set<number>();
  readonly #pieces: readonly string[];
  readonly #sectionFor: (tag: number) => WriteSection | undefined;
  #at = 0;

  /** @param sectionFor Undefined for a tag that is taken to be filled. */
  constructor(html: string, sectionFor: (tag: number) => WriteSection | undefined) {
    this.#pieces = html.includes("\uE004") ? html.split(/\uE004([feux]\d+)\uE005/) : [html];
    this.#sectionFor = sectionFor;
  }

  /** Reads up to the next mark that is not a beginning. */
  read(): string {
    let written = this.#next();
    while (this.#at < this.#pieces.length) {
      const [kind, tag] = [this.#pieces[this.#at]?.charAt(0), Number(this.#pieces[this.#at]?.slice(1))];
      if (kind === "e" || kind === "x") break;
      this.#at += 1;
      written += kind === "f" ? this.#readCases(tag) : "";
      if (kind === "u") this.unplaced.add(tag);
      written += this.#next();
    }
    return written;
  }

  #readCases(tag: number): string {
    const write = this.#sectionFor(tag);
    const filled = this.read();
    this.#at += 1;
    const empty = this.read();
    this.#at += 1;
    if (write) return write("^", filled) + write("#", empty);
    this.unplaced.add(tag);
    return filled;
  }

  #next(): string {
    this.#at += 1;
    return this.#pieces[this.#at - 1] ?? "";
  }
}
