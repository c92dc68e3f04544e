import { nameOf, type TagTable, token } from "../../mustache/tokens.js";

/*
 * MJML may build an element differently if an attribute is empty. If its value is a single tag, both versions are rendered,
 * and marked until Mustache sections replace the marks.
 */

/** Marks what to print if a tag is not empty, and what if it is. */
export function markCases(tag: number, filled: string, empty: string): string {
  return `${mark("f", tag)}${filled}${mark("e", tag)}${empty}${mark("x", tag)}`;
}

/** Marks a tag for which MJML would print something else if it is empty, but which can't get two versions. */
export function markUnplaced(tag: number): string {
  return mark("u", tag);
}

function mark(kind: string, tag: number): string {
  return `\uE004${kind}${tag}\uE005`;
}

export interface PlacedCases {
  readonly html: string;
  /** Tags printed as if they were never empty, although MJML distinguishes that case. */
  readonly unplaced: ReadonlySet<number>;
}

/** The HTML for filled tags only. */
export function filledCases(html: string): string {
  return new CaseReader(html, () => undefined).read();
}

/**
 * Replaces marks with sections, and adds their tags to the table.
 *
 * @param mayPrintNothing Whether a tag, given by its number, may be empty. Other tags need no sections.
 */
export function placeCases(html: string, tags: TagTable, mayPrintNothing: (tag: number) => boolean): PlacedCases {
  const reader = new CaseReader(html, (number) => {
    const tag = tags[number];
    const name = nameOf(tag);
    // An item that is not an object has no place for a boolean next to it.
    if (!tag || name === "." || !mayPrintNothing(number)) return undefined;
    const add = (sigil: string, condition = {}) =>
      token(tags.push({ ...tag, ...condition, text: `{{${sigil}${name}}}` }) - 1);
    const condition = { test: { kind: "empty" } } as const;
    return (sigil, content) => (content === "" ? "" : add(sigil, condition) + content + add("/"));
  });
  return { html: reader.read(), unplaced: reader.unplaced };
}

/** Writes a section that tests whether a tag is empty. */
type WriteSection = (sigil: "^" | "#", content: string) => string;

class CaseReader {
  readonly unplaced = new Set<number>();
  readonly #pieces: readonly string[];
  readonly #sectionFor: (tag: number) => WriteSection | undefined;
  #at = 0;

  /** @param sectionFor Undefined for a tag that is assumed to be filled. */
  constructor(html: string, sectionFor: (tag: number) => WriteSection | undefined) {
    this.#pieces = html.includes("\uE004") ? html.split(/\uE004([feux]\d+)\uE005/) : [html];
    this.#sectionFor = sectionFor;
  }

  /** Reads up to the next mark that does not begin a pair. */
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

const RANDOM_ID = /mj-carousel-([0-9a-f]{16})-|id="([0-9a-f]{16})" class="mj-menu-checkbox"/g;

/** Replaces the random ids that MJML generates for navbars and carousels with numbers, so that two builds are identical. */
export function stableIds(html: string): string {
  let stable = html;
  for (const [index, id] of randomIds(html).entries())
    stable = stable.replaceAll(id, String(index + 1).padStart(16, "0"));
  return stable;
}

/** Without duplicates, in the order of the HTML. */
export function randomIds(html: string): string[] {
  return [...new Set(Array.from(html.matchAll(RANDOM_ID), (match) => match[1] ?? match[2] ?? ""))];
}
