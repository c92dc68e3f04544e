import type { SourcePosition } from "../../diagnostic.js";
import { offsetAt, positionsIn } from "../../position.js";
import { defaultsFor, type MjmlDefault, readDefaults } from "./mjml-defaults.js";
import { readTag, type WrittenTag } from "./written-tag.js";

/** A tag that a file has. */
export interface TagInFile {
  readonly file: string;
  readonly tag: WrittenTag;
}

/** The texts of a template's files, to find in them where something was written. */
export class Sources {
  /** The template's body. */
  readonly body: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #positions = new Map<string, ReturnType<typeof positionsIn>>();
  #defaults: readonly MjmlDefault[] | undefined;

  constructor({ sources }: { readonly sources: ReadonlyMap<string, string> }) {
    this.#texts = sources;
    this.body = [...sources.keys()][0] ?? "";
  }

  /** The opening tag that begins at a place. */
  tagAt({ file, line, column }: SourcePosition): TagInFile | undefined {
    const text = this.#texts.get(file);
    if (text === undefined || line === undefined || column === undefined) return undefined;
    const tag = readTag(text, offsetAt(text, { line, column }) ?? text.length);
    return tag && { file, tag };
  }

  /** The defaults of an mj-element, the ones that win first. */
  mjmlDefaults(tag: WrittenTag): readonly TagInFile[] {
    this.#defaults ??= readDefaults(this.#texts);
    return defaultsFor(this.#defaults, tag);
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
      pattern.lastIndex = after ? offsetIn(text, after) : 0;
      const found = pattern.exec(text);
      if (found) return this.at(file, found.index);
    }
    return undefined;
  }

  /**
   * Where a part of a longer text stands that is written in one of the files: there as a whole, or at least what begins at
   * the part. White space counts for nothing, as compiling changes it.
   */
  findWithin(text: string, offset: number): SourcePosition | undefined {
    const whole = withoutBlanks(text);
    const before = withoutBlanks(text.slice(0, offset)).length;
    const lengths = [whole.length - before, ...PART_LENGTHS];
    for (const [index, length] of lengths.entries()) {
      const start = index === 0 ? 0 : before;
      const found = this.#findDense(whole.slice(start, before + length), before - start);
      if (found) return found;
    }
    return undefined;
  }

  /** Where a file has a text that is written without white space, and there a place of it. */
  #findDense(dense: string, offset: number): SourcePosition | undefined {
    for (const [file, text] of dense === "" ? [] : this.#texts) {
      const start = withoutBlanks(text).indexOf(dense);
      if (start >= 0) return this.at(file, offsetOfNth(text, start + offset));
    }
    return undefined;
  }

  /**
   * The same for what readers see: what stands in tags, in comments and in attributes is passed over, and a letter may be
   * written as an entity.
   */
  findText(written: string, after: SourcePosition): SourcePosition | undefined {
    const text = this.#texts.get(after.file);
    const pattern = text === undefined ? undefined : textPatternOf(written, after.file);
    if (text === undefined || pattern === undefined) return undefined;
    pattern.lastIndex = offsetIn(text, after);
    for (let found = pattern.exec(text); found; found = pattern.exec(text))
      if (found.groups?.["text"] !== undefined) return this.at(after.file, found.index);
    return undefined;
  }

  /** The name of the tag that begins at a place, as written. */
  tagName(at: SourcePosition): string | undefined {
    const text = this.#texts.get(at.file);
    if (text === undefined || at.line === undefined) return undefined;
    TAG_NAME.lastIndex = offsetIn(text, at);
    return TAG_NAME.exec(text)?.[1];
  }

  at(file: string, offset: number): Required<SourcePosition> {
    const known = this.#positions.get(file) ?? positionsIn(this.#texts.get(file) ?? "");
    this.#positions.set(file, known);
    return { file, ...known(offset) };
  }
}

function offsetIn(text: string, { line, column = 1 }: SourcePosition): number {
  return line === undefined ? 0 : (offsetAt(text, { line, column }) ?? 0);
}

/** Of a text that no file has as a whole, so much tells the place of a part. */
const PART_LENGTHS = [120, 40, 15];

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** Where the character is before which there are so many that are no white space. */
function offsetOfNth(text: string, count: number): number {
  let left = count;
  for (const { index } of text.matchAll(/\S/g)) {
    if (left === 0) return index;
    left -= 1;
  }
  return text.length;
}

const TAG_NAME = /<([\p{L}_$][^\s/<>{}]*)/uy;

/** Compiling turns line ends and indentation into spaces. */
function patternOf(written: string): RegExp | undefined {
  const words = written.trim().split(/\s+/).slice(0, MOST_WORDS);
  if (words[0] === undefined || words[0] === "") return undefined;
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "g");
}

/** What is no text of markup: comments, tags, Mustache tags. */
const NO_TEXT = String.raw`<!--[^]*?-->|</?[A-Za-z](?:[^"'<>]|"[^"]*"|'[^']*')*>|\{\{[^]*?\}\}\}?`;

function textPatternOf(written: string, file: string): RegExp | undefined {
  if (written.trim() === "") return undefined;
  const text = `(?<text>${loosely(written.trim())})`;
  // What a component prints may be given to it in an attribute.
  const isAnywhere = /\.[cm]?[jt]sx?$/.test(file) && written.trim().length > 1;
  return new RegExp(isAnywhere ? text : `${text}|${NO_TEXT}`, "g");
}

function loosely(text: string): string {
  const words = text.split(/(\s+)/).filter((word) => word !== "");
  return words.map((word) => (word.trim() === "" ? BLANKS : Array.from(word, letterPattern).join(""))).join("");
}

const BLANKS = String.raw`(?:\s|&nbsp;|&#160;|&#xa0;)+`;

/** A sign may be written as an entity. */
function letterPattern(letter: string): string {
  if (/[\w{}]/.test(letter)) return letter.replace(/[{}]/, "\\$&");
  return `(?:${letter.replace(/[\\^$.*+?()[\]|/-]/, "\\$&")}|&#?\\w+;)`;
}

/** Enough to know a text by, and few enough not to run into what is written otherwise. */
const MOST_WORDS = 12;
