import type { SourcePosition } from "../../diagnostic.js";
import { positionsIn } from "../../position.js";
import type { SourceFile } from "../../template/template.js";

/** From here on, up to the next run, a text was written in one piece in one file. */
interface Run {
  readonly start: number;
  /** The file, after those that led to it: the template's body first. */
  readonly chain: readonly SourceFile[];
  readonly offset: number;
}

const NO_FILE: SourceFile = { file: "", text: "" };

/** In a sited compile, every element of a file is asked for. */
const positions = new WeakMap<SourceFile, ReturnType<typeof positionsIn>>();

/** A text put together from several files that knows where each of its characters was written. */
export class MappedText {
  readonly text: string;
  readonly #runs: readonly Run[];

  constructor(text: string, runs: readonly Run[]) {
    this.text = text;
    this.#runs = runs;
  }

  /** Where the character at an offset was written, or what is nearest before it. */
  positionAt(offset: number): SourcePosition {
    const index = this.#runIndexAt(offset);
    const run = this.#runs[index];
    if (!run) throw new RangeError("A mapped text has at least one run.");
    const length = Math.min(offset, this.#runs[index + 1]?.start ?? Infinity) - run.start;
    const source = run.chain.at(-1) ?? NO_FILE;
    const position = positions.get(source) ?? positionsIn(source.text);
    positions.set(source, position);
    return { file: source.file, ...position(run.offset + length) };
  }

  /** The file of the character at an offset, after those that led to it. */
  chainAt(offset: number): readonly SourceFile[] {
    return this.#runs[this.#runIndexAt(offset)]?.chain ?? [];
  }

  /** The runs of a part of the text, as they are when the part begins at `start`. */
  *runsOf(from: number, to: number, start: number): Generator<Run> {
    for (let index = this.#runIndexAt(from); index < this.#runs.length; index += 1) {
      const run = this.#runs[index];
      if (!run || run.start >= to) return;
      const cut = Math.max(0, from - run.start);
      yield { ...run, start: start + run.start + cut - from, offset: run.offset + cut };
    }
  }

  #runIndexAt(offset: number): number {
    let first = 0;
    let past = this.#runs.length;
    while (past - first > 1) {
      const middle = (first + past) >> 1;
      if ((this.#runs[middle]?.start ?? 0) <= offset) first = middle;
      else past = middle;
    }
    return first;
  }
}

/** Builds a mapped text from pieces of others. */
export class MappedTextBuilder {
  #text = "";
  readonly #runs: Run[] = [];

  /** Text that was written at this place of the chain's last file. */
  append(text: string, chain: readonly SourceFile[], offset: number): void {
    this.#runs.push({ start: this.#text.length, chain, offset });
    this.#text += text;
  }

  /** Text that stands for what was written at a place of another mapped text. */
  appendWritten(text: string, from: MappedText, start: number): void {
    this.#append(from, start, start + 1);
    this.#text += text;
  }

  /** A part of another mapped text; `indent` goes before each of its lines. */
  appendPart(from: MappedText, start = 0, end = from.text.length, indent = ""): void {
    if (indent === "") {
      this.#append(from, start, end);
      this.#text += from.text.slice(start, end);
      return;
    }
    for (let line = start; line < end;) {
      const newline = from.text.indexOf("\n", line);
      const next = newline < 0 || newline >= end ? end : newline + 1;
      this.#text += indent;
      this.appendPart(from, line, next);
      line = next;
    }
  }

  /** One after the other: a text may have more runs than a call takes arguments. */
  #append(from: MappedText, start: number, end: number): void {
    for (const run of from.runsOf(start, end, this.#text.length)) this.#runs.push(run);
  }

  build(): MappedText {
    return new MappedText(this.#text, this.#runs);
  }
}
