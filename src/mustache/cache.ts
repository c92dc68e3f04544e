import { parse, type MustacheProblem } from "./parse.js";
import { assemble, type Program } from "./program.js";

/** A parsed text, ready to be filled, or its problems. */
export interface PreparedText {
  readonly program: Program;
  readonly problems: readonly MustacheProblem[];
}

/** Parsed texts, so that filling the same text again is fast. */
export class TextCache {
  /** The maximum total length of the cached texts, in UTF-16 units. */
  readonly #capacity: number;
  /** The least recently used first. */
  readonly #texts = new Map<string, PreparedText>();
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  prepare(text: string): PreparedText {
    const known = this.#texts.get(text);
    if (known) {
      this.#texts.delete(text);
      this.#texts.set(text, known);
      return known;
    }
    const { nodes, problems } = parse(text);
    const prepared = { program: assemble(nodes), problems };
    this.#texts.set(text, prepared);
    this.#size += text.length;
    this.#makeRoom();
    return prepared;
  }

  #makeRoom(): void {
    for (const text of this.#texts.keys()) {
      if (this.#size <= this.#capacity) return;
      this.#texts.delete(text);
      this.#size -= text.length;
    }
  }
}
