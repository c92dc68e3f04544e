import { ExpressionError } from "./expression-error.js";

/** Whether a character is matched: a code point with the flag `u` or `v`, otherwise a UTF-16 unit. */
export type CharacterTest = (character: number) => boolean;

/** A part of a regular expression. */
export type PatternNode =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "either"; readonly options: readonly PatternNode[] }
  /** Groups are numbered from 1. */
  | { readonly kind: "group"; readonly number: number; readonly of: PatternNode }
  | {
      readonly kind: "repeat";
      readonly of: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
      /** The groups inside. */
      readonly groups: readonly [first: number, end: number];
    }
  | { readonly kind: "start" | "end" | "word-boundary" | "no-word-boundary" }
  | { readonly kind: "look"; readonly of: PatternNode; readonly isBehind: boolean; readonly isNegated: boolean }
  | { readonly kind: "backreference"; readonly group: number };

export interface ParsedPattern {
  readonly node: PatternNode;
  readonly groups: number;
  /** The named groups' numbers. */
  readonly names: ReadonlyMap<string, number>;
  readonly isWord: CharacterTest;
  readonly isSame: (left: number, right: number) => boolean;
}

/**
 * Parses a regular expression of which JavaScript has checked the syntax. JavaScript itself tests single characters and
 * classes of them, so that case and Unicode properties are its own.
 */
export function parsePattern(source: string, flags: string): ParsedPattern {
  return new PatternParser(source, flags).parse();
}

class PatternParser {
  readonly #source: string;
  readonly #flags: string;
  readonly #isUnicode: boolean;
  readonly #groupCount: number;
  readonly #hasNames: boolean;
  readonly #names = new Map<string, number>();
  readonly #tests = new Map<string, CharacterTest>();
  #at = 0;
  #groups = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[^isuv]/g, "");
    this.#isUnicode = /[uv]/.test(flags);
    const empty = new RegExp(`(?:${source})|`, flags.replace(/[gy]/g, "")).exec("");
    this.#groupCount = (empty?.length ?? 1) - 1;
    this.#hasNames = empty?.groups !== undefined;
    if (this.#hasNames) this.#findNames();
  }

  parse(): ParsedPattern {
    const node = this.#either();
    const isSame = (left: number, right: number): boolean =>
      left === right || (this.#flags.includes("i") && this.#test(escaped(left))(right));
    return { node, groups: this.#groupCount, names: this.#names, isWord: this.#test("\\w"), isSame };
  }

  /** A name may be referred to before its group. */
  #findNames(): void {
    let number = 0;
    for (const [token, name] of this.#source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?!\?)|\(\?<(?![=!])([^>]*)>/g)) {
      if (token.startsWith("(")) number += 1;
      if (name === undefined) continue;
      if (this.#names.has(unescapedName(name))) throw unknown(token);
      this.#names.set(unescapedName(name), number);
    }
  }

  #either(): PatternNode {
    const options = [this.#sequence()];
    while (this.#skip("|")) options.push(this.#sequence());
    return options.length === 1 && options[0] ? options[0] : { kind: "either", options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      const first = this.#groups + 1;
      const part = this.#part();
      parts.push(this.#repeated(part, first));
    }
    return { kind: "sequence", parts };
  }

  #repeated(of: PatternNode, firstGroup: number): PatternNode {
    const match = this.#take(/[*+?]|\{(\d+)(,?)(\d*)\}/y);
    if (!match) return of;
    const [text = "", least, comma, most] = match;
    const min = text === "+" ? 1 : Number(least ?? 0);
    const isOpen = text === "*" || text === "+" || (comma === "," && most === "");
    const max = isOpen ? Infinity : text === "?" ? 1 : Number(most === "" ? least : most);
    const isGreedy = !this.#skip("?");
    return { kind: "repeat", of, min, max, isGreedy, groups: [firstGroup, this.#groups + 1] };
  }

  #part(): PatternNode {
    if (this.#skip("^")) return { kind: "start" };
    if (this.#skip("$")) return { kind: "end" };
    if (this.#skip("\\b")) return { kind: "word-boundary" };
    if (this.#skip("\\B")) return { kind: "no-word-boundary" };
    if (this.#source.startsWith("(", this.#at)) return this.#group();
    return this.#backreference() ?? { kind: "character", test: this.#test(this.#characterSource()) };
  }

  #group(): PatternNode {
    const [opening = ""] = this.#take(/\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y) ?? [];
    const isCapturing = opening === "(" || /^\(\?<[^=!]/.test(opening);
    if (opening === "(" && this.#source.startsWith("?", this.#at))
      throw unknown(`(${this.#source.charAt(this.#at + 1)}`);
    if (isCapturing) this.#groups += 1;
    const number = this.#groups;
    const of = this.#either();
    this.#skip(")");
    if (isCapturing) return { kind: "group", number, of };
    if (opening === "(?:") return of;
    return { kind: "look", of, isBehind: opening.startsWith("(?<"), isNegated: opening.endsWith("!") };
  }

  #backreference(): PatternNode | undefined {
    const named = this.#isUnicode || this.#hasNames ? this.#take(/\\k<([^>]*)>/y) : null;
    if (named) return { kind: "backreference", group: this.#names.get(unescapedName(named[1] ?? "")) ?? 0 };
    const start = this.#at;
    const group = Number(this.#take(/\\([1-9]\d*)/y)?.[1] ?? NaN);
    if (group <= this.#groupCount) return { kind: "backreference", group };
    this.#at = start;
    return undefined;
  }

  /** The source of a part that matches one character. */
  #characterSource(): string {
    if (this.#source.startsWith("[", this.#at)) return this.#classSource();
    const escape = this.#isUnicode
      ? /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/uy
      : /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|(?=c)|[^])/y;
    const match = this.#take(escape) ?? this.#take(this.#isUnicode ? /[^]/uy : /[^]/y);
    const [text = ""] = match ?? [];
    if (text === "\\") return "\\\\"; // Before a `c` that is not a control character.
    return /^[{}\]]$/.test(text) ? `\\${text}` : text;
  }

  #classSource(): string {
    const start = this.#at;
    if (!this.#flags.includes("v")) return this.#take(/\[(?:\\[^]|[^\]\\])*\]/y)?.[0] ?? "";
    let depth = 0;
    do {
      const character = this.#source.charAt(this.#at);
      if (character === "[") depth += 1;
      if (character === "]") depth -= 1;
      this.#at += character === "\\" ? 2 : 1;
    } while (depth > 0);
    const text = this.#source.slice(start, this.#at);
    if (OF_STRINGS.test(text)) throw unknown(text);
    return text;
  }

  #test(source: string): CharacterTest {
    const known = this.#tests.get(source) ?? characterTest(source, this.#flags);
    this.#tests.set(source, known);
    return known;
  }

  #skip(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match) this.#at += match[0].length;
    return match;
  }
}

/** Parts of classes that match several characters, with the flag `v`. */
const OF_STRINGS = /\\q\{|\\p\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_)/;

const MOST_KNOWN = 5000;

function characterTest(source: string, flags: string): CharacterTest {
  if (OF_STRINGS.test(source)) throw unknown(source);
  const [, escape, plain] = /^(?:\\([^a-z\d])|([^\\.]))$/isu.exec(source) ?? [];
  const literal = (escape ?? plain)?.codePointAt(0);
  if (literal !== undefined && !flags.includes("i")) return (character) => character === literal;
  const native = new RegExp(`^(?:${source})$`, flags);
  const known = new Map<number, boolean>();
  return (character) => {
    const before = known.get(character);
    if (before !== undefined) return before;
    if (known.size >= MOST_KNOWN) known.clear();
    const matches = native.test(String.fromCodePoint(character));
    known.set(character, matches);
    return matches;
  };
}

function escaped(character: number): string {
  return String.fromCodePoint(character).replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}

function unescapedName(name: string): string {
  return name.replace(/\\u\{?([\da-fA-F]+)\}?/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

function unknown(text: string): ExpressionError {
  return new ExpressionError("unknown", `An expression can't use \`${text}\` in a regular expression.`);
}
