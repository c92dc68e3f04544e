import type { SourcePosition } from "../../diagnostic.js";
import { positionsIn } from "../../position.js";

/** The texts of a template's files, to find in them where something was written. */
export class Sources {
  /** The template's body. */
  readonly body: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #positions = new Map<string, ReturnType<typeof positionsIn>>();

  constructor({ sources }: { readonly sources: ReadonlyMap<string, string> }) {
    this.#texts = sources;
    this.body = [...sources.keys()][0] ?? "";
  }

  text(file: string): string | undefined {
    return this.#texts.get(file);
  }

  /**
   * The first place that has this, but for white space; in one file from a place on, where one is given.
   *
   * @param after Where to begin to look; only this file is looked at then.
   */
  find(written: string, after?: SourcePosition): SourcePosition | undefined {
    const pattern = patternOf(written);
    if (!pattern) return undefined;
    for (const [file, text] of this.#texts) {
      if (after && file !== after.file) continue;
      pattern.lastIndex = after?.line === undefined ? 0 : offsetOf(text, after.line, after.column ?? 1);
      const found = pattern.exec(text);
      if (found) return { file, ...this.#positionAt(file, text, found.index) };
    }
    return undefined;
  }

  /** The name of the tag that begins at a place, as written. */
  tagName({ file, line, column }: SourcePosition): string | undefined {
    const text = this.#texts.get(file);
    if (text === undefined || line === undefined) return undefined;
    TAG_NAME.lastIndex = offsetOf(text, line, column ?? 1);
    return TAG_NAME.exec(text)?.[1];
  }

  #positionAt(file: string, text: string, offset: number) {
    const known = this.#positions.get(file) ?? positionsIn(text);
    this.#positions.set(file, known);
    return known(offset);
  }
}

const TAG_NAME = /<([\p{L}_$][^\s/<>{}]*)/uy;

/** Compiling turns line ends and indentation into spaces. */
function patternOf(written: string): RegExp | undefined {
  const words = written.trim().split(/\s+/).slice(0, MOST_WORDS);
  if (words[0] === undefined || words[0] === "") return undefined;
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "g");
}

/** Enough to know a text by, and few enough not to run into what is written otherwise. */
const MOST_WORDS = 12;

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}
