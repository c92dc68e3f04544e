import type { SourcePosition } from "../../diagnostic.js";
import { offsetAt, positionsIn } from "../../text/position.js";
import { memoizeByObject } from "../../cache/memoize.js";
import { readTag, type WrittenTag } from "./written-tag.js";
import { scanMarkup } from "../../text/markup/scan.js";

/** A tag in one of the template's files. */
export interface TagInFile extends WrittenTag {
  readonly file: string;
}

/** The contents of a template's files, searched for where something was written. */
export class Sources {
  /** The path of the template's body. */
  readonly body: string;
  readonly #positions = new Map<string, ReturnType<typeof positionsIn>>();
  #defaults: readonly MjmlDefault[] | undefined;

  constructor(readonly texts: ReadonlyMap<string, string>) {
    this.body = [...texts.keys()][0] ?? "";
  }

  /** The opening tag at a position. */
  readonly tagAt = memoizeByObject(({ file, line, column }: SourcePosition): TagInFile | undefined => {
    const text = this.texts.get(file);
    if (text === undefined || line === undefined || column === undefined) return undefined;
    const tag = readTag(text, offsetAt(text, { line, column }) ?? text.length);
    return tag && { ...tag, file };
  });

  /** The defaults for an MJML element, highest priority first. */
  mjmlDefaults(tag: WrittenTag): readonly TagInFile[] {
    this.#defaults ??= readDefaults(this.texts);
    return defaultsFor(this.#defaults, tag);
  }

  /** A tag as written. */
  textOf({ file, start, end }: TagInFile): string {
    return this.texts.get(file)?.slice(start, end) ?? "";
  }

  /**
   * The first occurrence of a string, ignoring differences in white space.
   *
   * @param after Where to start. Only this file is searched then.
   */
  find(written: string, after?: SourcePosition): SourcePosition | undefined {
    const pattern = patternOf(written);
    if (!pattern) return undefined;
    for (const [file, text] of this.texts) {
      if (after && file !== after.file) continue;
      pattern.lastIndex = after ? offsetIn(text, after) : 0;
      const found = pattern.exec(text);
      if (found) return this.at(file, found.index);
    }
    return undefined;
  }

  /**
   * Where a file has the part of `text` that begins at an offset: the file has the whole of `text`, or at least what
   * follows the offset. Ignores white space, because compiling changes it.
   */
  findWithin(text: string, offset: number): SourcePosition | undefined {
    const whole = withoutBlanks(text);
    const before = withoutBlanks(text.slice(0, offset)).length;
    const lengths = [whole.length - before, ...PART_LENGTHS];
    for (const [index, length] of lengths.entries()) {
      const start = index === 0 ? 0 : before;
      const at = this.#findDense(whole.slice(start, before + length), before - start);
      if (at) return at;
    }
    return undefined;
  }

  /** Finds a string without white space, and returns the position of an offset in it. */
  #findDense(dense: string, offset: number): SourcePosition | undefined {
    for (const [file, text] of dense === "" ? [] : this.texts) {
      const start = withoutBlanks(text).indexOf(dense);
      if (start >= 0) return this.at(file, offsetOfNth(text, start + offset));
    }
    return undefined;
  }

  /**
   * The same for text that recipients see: skips tags, comments and attributes, and matches characters that are written
   * as entities.
   */
  findText(written: string, after: SourcePosition): SourcePosition | undefined {
    const text = this.texts.get(after.file);
    const pattern = text === undefined ? undefined : textPatternOf(written, after.file);
    if (text === undefined || pattern === undefined) return undefined;
    pattern.lastIndex = offsetIn(text, after);
    for (let found = pattern.exec(text); found; found = pattern.exec(text))
      if (found.groups?.["text"] !== undefined) return this.at(after.file, found.index);
    return undefined;
  }

  /** The name of the tag at a position, as written. */
  tagName(at: SourcePosition): string | undefined {
    const text = this.texts.get(at.file);
    if (text === undefined || at.line === undefined) return undefined;
    TAG_NAME.lastIndex = offsetIn(text, at);
    return TAG_NAME.exec(text)?.[1];
  }

  at(file: string, offset: number): Required<SourcePosition> {
    const known = this.#positions.get(file) ?? positionsIn(this.texts.get(file) ?? "");
    this.#positions.set(file, known);
    return { file, ...known(offset) };
  }
}

function offsetIn(text: string, { line, column = 1 }: SourcePosition): number {
  return line === undefined ? 0 : (offsetAt(text, { line, column }) ?? 0);
}

/** Numbers of characters to search for if no file has the whole text. */
const PART_LENGTHS = [120, 40, 15];

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** The offset of the character after `count` others, not counting white space. */
function offsetOfNth(text: string, count: number): number {
  let left = count;
  for (const { index } of text.matchAll(/\S/g)) {
    if (left === 0) return index;
    left -= 1;
  }
  return text.length;
}

const TAG_NAME = /<([\p{L}_$][^\s/<>{}]*)/uy;

/** Matches any white space between words: compiling turns line ends and indentation into spaces. */
function patternOf(written: string): RegExp | undefined {
  const words = written.trim().split(/\s+/).slice(0, MOST_WORDS);
  if (words[0] === undefined || words[0] === "") return undefined;
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "g");
}

/** Markup that is not text: comments, tags, Mustache tags. */
const NO_TEXT = String.raw`<!--[^]*?-->|</?[A-Za-z](?:[^"'<>]|"[^"]*"|'[^']*')*>|\{\{[^]*?\}\}\}?`;

function textPatternOf(written: string, file: string): RegExp | undefined {
  if (written.trim() === "") return undefined;
  const text = `(?<text>${looselyMatching(written.trim())})`;
  // A component may get its text in an attribute.
  const isAnywhere = /\.[cm]?[jt]sx?$/.test(file) && written.trim().length > 1;
  return new RegExp(isAnywhere ? text : `${text}|${NO_TEXT}`, "g");
}

function looselyMatching(text: string): string {
  const words = text.split(/(\s+)/).filter((word) => word !== "");
  return words.map((word) => (word.trim() === "" ? BLANKS : Array.from(word, letterPattern).join(""))).join("");
}

const BLANKS = String.raw`(?:\s|&nbsp;|&#160;|&#xa0;)+`;

/** Punctuation may be written as an entity. */
function letterPattern(letter: string): string {
  if (/[\w{}]/.test(letter)) return letter.replace(/[{}]/, "\\$&");
  return `(?:${letter.replace(/[\\^$.*+?()[\]|/-]/, "\\$&")}|&#?\\w+;)`;
}

/** Enough to identify a string; the rest may be written differently in the source. */
const MOST_WORDS = 12;

/** An element in `mj-attributes` that sets defaults for other elements. */
interface MjmlDefault extends TagInFile {
  /** `mj-text`, `mj-all`, or `.name` for an `mj-class`. */
  readonly of: string;
}

/** The defaults in MJML files, in source order. */
export function readDefaults(texts: ReadonlyMap<string, string>): MjmlDefault[] {
  return Array.from(texts).flatMap(([file, text]) => {
    if (!text.includes("<mj-attributes")) return [];
    let isInside = false;
    return scanMarkup(text).pieces.flatMap((tag): MjmlDefault[] => {
      if (tag.kind !== "open" && tag.kind !== "close") return [];
      if (tag.name === "mj-attributes") isInside = tag.kind === "open" && !tag.selfClosing;
      if (!isInside || tag.kind === "close" || tag.name === "mj-attributes") return [];
      return [{ ...tag, file, of: tag.name === "mj-class" ? `.${valueOf(tag, "name")}` : tag.name }];
    });
  });
}

/** The defaults for one element, highest priority first: its classes, its element name, `mj-all`. */
export function defaultsFor(all: readonly MjmlDefault[], tag: WrittenTag): MjmlDefault[] {
  const classes = valueOf(tag, "mj-class").split(/\s+/).reverse();
  const names = [...classes.map((name) => `.${name}`), tag.name.toLowerCase(), "mj-all"];
  return names.flatMap((name) => all.filter(({ of }) => of === name).reverse());
}

function valueOf({ attributes }: WrittenTag, name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.value ?? "";
}
