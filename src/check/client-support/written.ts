import type { SourcePosition } from "../../diagnostic.js";
import { offsetAt, positionsIn } from "../../text/position.js";
import type { NotedPosition } from "../../render/source/sites.js";
import type { EmailDocument } from "../document/email-document.js";
import { readTag } from "../document/written-tag.js";
import { type Use, wording } from "./use.js";

/**
 * Finds the source position of a feature's use in compiled HTML. Compilers add a lot of markup for old clients: a use that is
 * not in the template's files comes from them.
 */
export class Written {
  readonly #sources: ReadonlyMap<string, string>;
  readonly #positions = new Map<string, ReturnType<typeof positionsIn>>();
  readonly #tags = new Map<NotedPosition, Tag | undefined>();
  readonly #matches = new Map<string, SourcePosition[]>();

  constructor({ input }: EmailDocument) {
    this.#sources = input.sources;
  }

  /** Undefined if the use comes from a compiler or a package's component. */
  find(use: Use): WrittenAt | undefined {
    const { element, by } = use;
    if (by.kind === "nesting" || by.kind === "comment") return by.at && { at: by.at };
    const { name, whole } = patternsOf(use);
    const isOfSheet = element.name === "style" && by.kind !== "element" && by.kind !== "attribute";
    const located = isOfSheet ? undefined : [element, ...element.ancestors].find(({ place }) => place);
    const tag = located?.place && this.#tagAt(located.place);
    const isOwn = located === element;
    const at = (tag && this.#inTag(tag, isOwn ? name : whole)) ?? this.#inSources(whole, isOfSheet);
    if (at) return { at };
    if (!tag || !isOwn || by.kind !== "declaration") return undefined;
    // A computed value is not in the source.
    const computed = /\sstyle=\{/.test(tag.text) ? this.#inSources(name) : undefined;
    if (computed) return { at: computed };
    return /\sclassName=/.test(tag.text) ? { at: tag.at, byClass: true } : undefined;
  }

  /** The first match; with `inTurn`, each call returns the next one. */
  #inSources(pattern: string, inTurn = false): SourcePosition | undefined {
    const places = this.#matches.get(pattern) ?? this.#search(pattern);
    this.#matches.set(pattern, places);
    return inTurn && places.length > 1 ? places.shift() : places[0];
  }

  #search(pattern: string): SourcePosition[] {
    return Array.from(this.#sources).flatMap(([file, text]) =>
      Array.from(text.matchAll(new RegExp(pattern, "gi")), ({ index }) => this.#positionAt(file, text, index)),
    );
  }

  #inTag({ at, text, source, start }: Tag, pattern: string): SourcePosition | undefined {
    const match = new RegExp(pattern, "i").exec(text);
    return match ? this.#positionAt(at.file, source, start + match.index) : undefined;
  }

  #tagAt(place: NotedPosition): Tag | undefined {
    if (!this.#tags.has(place)) this.#tags.set(place, this.#readTag(place));
    return this.#tags.get(place);
  }

  #readTag({ at }: NotedPosition): Tag | undefined {
    const { file, line, column = 1 } = at;
    const source = this.#sources.get(file);
    const start = source === undefined || line === undefined ? undefined : offsetAt(source, { line, column });
    if (source === undefined || start === undefined) return undefined;
    const tag = readTag(source, start);
    return tag && { at, source, start, text: source.slice(start, tag.end) };
  }

  #positionAt(file: string, text: string, offset: number): SourcePosition {
    const positionOf = this.#positions.get(file) ?? positionsIn(text);
    this.#positions.set(file, positionOf);
    return { file, ...positionOf(offset) };
  }
}

/** The source position of a use. */
export interface WrittenAt {
  readonly at: SourcePosition;
  /** Whether the source has a class name instead. */
  readonly byClass?: true;
}

interface Tag {
  readonly at: SourcePosition;
  readonly source: string;
  readonly start: number;
  readonly text: string;
}

/** Patterns for a use in HTML or JSX source: for its name alone, and for all of it. */
function patternsOf({ by, element }: Use): { readonly name: string; readonly whole: string } {
  if (by.kind === "element") return literal(`<${element.name}`, "", "(?![\\w-])");
  if (by.kind === "attribute" && by.value === "") return literal(by.name, "(?<![\\w-])", "(?![\\w-])");
  if (by.kind === "attribute") return named(`${escape(by.name)}\\s*=\\s*`, by.value);
  if (by.kind !== "declaration") return literal(wording({ by, element }));
  const camel = by.property.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return named(`(?:${escape(by.property)}|${escape(camel)})["']?\\s*[:=]\\s*`, by.value);
}

function named(start: string, value: string): { readonly name: string; readonly whole: string } {
  const name = `(?<![\\w-])${start}`;
  return { name, whole: `${name}["'\`{]*${spaced(value).replaceAll(/(\d)px\b/g, "$1(?:px)?")}` };
}

function literal(text: string, before = "", after = ""): { readonly name: string; readonly whole: string } {
  const pattern = `${before}${spaced(text)}${after}`;
  return { name: pattern, whole: pattern };
}

/** Allows white space between words and punctuation. */
function spaced(text: string): string {
  return (text.slice(0, LONGEST).match(/[\w-]+|\S/g) ?? []).map(escape).join("\\s*");
}

const LONGEST = 200;

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
