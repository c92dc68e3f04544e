import { parse, type MustacheProblem } from "./parse.js";
import { assemble, type Program } from "./program.js";

/** A text that is ready to be filled, or what stands in the way. */
export interface PreparedText {
  readonly program: Program;
  readonly problems: readonly MustacheProblem[];
}

/** Texts that were parsed before, so that filling the same one again is fast. */
export class TextCache {
  /** The texts' length in all that is kept, in UTF-16 units. */
  readonly #capacity: number;
  /** The text used least recently first. */
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
