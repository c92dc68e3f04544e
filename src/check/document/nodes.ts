import type { SourcePosition } from "../../diagnostic.js";
import { restore, TOKEN } from "../../mustache/tokens.js";
import type { Place } from "../../render/source/locate.js";
import { attributeOf, styleOffset } from "./attribute-position.js";
import type { DocumentInput } from "./email-document.js";
import { usePosition } from "./handed-on.js";
import type { Sources } from "./sources.js";
import { type Declaration, readDeclarations } from "./stylesheet.js";
import type { WrittenTag } from "./written-tag.js";

export type EmailNode = EmailElement | EmailText | EmailComment;

/** What the nodes of a document share. */
export interface DocumentContext extends Pick<DocumentInput, "tags"> {
  readonly sources: Sources;
  /** Whether it is known which elements a user wrote. */
  readonly isSited: boolean;
}

type StartTag = Pick<EmailElement, "tokenised"> & Partial<Pick<EmailElement, "place" | "start">>;

/** Finds the offset of something in a tag of a source. */
type FindInTag = (tag: WrittenTag, text: string) => number | undefined;

/** An element of the compiled html. */
export class EmailElement {
  readonly kind = "element";
  /** In lower case; empty for the document itself. */
  readonly name: string;
  readonly parent: EmailElement | undefined;
  readonly children: EmailNode[] = [];
  /** Values with entities decoded and tokens in the place of tags. */
  readonly tokenised: ReadonlyMap<string, string>;
  /** Where a user wrote it; undefined of what a compiler adds. */
  readonly place: Place | undefined;
  /** Where its start tag begins in the html that was read; undefined of what has none. */
  readonly start: number | undefined;
  readonly #context: DocumentContext;
  #attributes: ReadonlyMap<string, string> | undefined;
  #style: readonly Declaration[] | undefined;
  #text: string | undefined;

  constructor(
    name: string,
    parent: EmailElement | undefined,
    { tokenised, place, start }: StartTag,
    context: DocumentContext,
  ) {
    this.name = name;
    this.parent = parent;
    this.tokenised = tokenised;
    this.place = place;
    this.start = start;
    this.#context = context;
  }

  /** Values by names in lower case, entities decoded, Mustache tags as written. */
  get attributes(): ReadonlyMap<string, string> {
    this.#attributes ??= this.#restored();
    return this.#attributes;
  }

  /** Whether tags stand in its attributes, or among them. */
  get hasTags(): boolean {
    return this.attributes !== this.tokenised;
  }

  /** Most elements have no tags: their attributes are as they are. */
  #restored(): ReadonlyMap<string, string> {
    const { tags } = this.#context;
    let restored: Map<string, string> | undefined;
    for (const [name, value] of this.tokenised)
      if (value.includes("\uE000") || name.includes("\uE000"))
        (restored ??= new Map(this.tokenised)).set(name, restore(value, tags, "html"));
    return restored ?? this.tokenised;
  }

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** The declarations of the style attribute, in their order. */
  get style(): readonly Declaration[] {
    this.#style ??= readDeclarations(this.attributes.get("style") ?? "", (property) => this.atStyle(property));
    return this.#style;
  }

  /** The last value of a property in the style attribute, in lower case and without `!important`. */
  styleValue(property: string): string | undefined {
    return this.style.findLast((declaration) => declaration.property === property)?.value.toLowerCase();
  }

  /**
   * The name of the tag that a user wrote for it, as written: its own, or that of something that is compiled to it, such as
   * `mj-button` or `Link`. Undefined of what a compiler adds by itself, and where that is not known.
   */
  get writtenAs(): string | undefined {
    const { isSited, sources } = this.#context;
    if (isSited) return this.place && sources.tagName(this.place.at);
    return /\.html?$/i.test(sources.body) ? this.name : undefined;
  }

  /** Whether a user wrote it by its own name, rather than something that is compiled to it. */
  get isWritten(): boolean {
    const name = this.writtenAs;
    const isJsx = /\.[jt]sx?$/.test(this.place?.at.file ?? "");
    return (isJsx ? name : name?.toLowerCase()) === this.name;
  }

  /** Its elements, without texts and comments. */
  get elements(): EmailElement[] {
    return this.children.filter((child) => child.kind === "element");
  }

  /** All texts in it, one after the other, Mustache tags as written. */
  get text(): string {
    this.#text ??= this.children.map((child) => (child.kind === "comment" ? "" : child.text)).join("");
    return this.#text;
  }

  /** Its ancestors, nearest first. */
  get ancestors(): EmailElement[] {
    const ancestors: EmailElement[] = [];
    for (let { parent } = this as EmailElement; parent; { parent } = parent) ancestors.push(parent);
    return ancestors;
  }

  /** All elements in it, in the order of the document. */
  get descendants(): EmailElement[] {
    return this.elements.flatMap((element) => [element, ...element.descendants]);
  }

  /**
   * Where the source has it, or its attribute: the place of what a compiler adds is that of the nearest element around it
   * that a user wrote.
   */
  at(attribute?: string): SourcePosition {
    const inTag = attribute === undefined ? undefined : this.#inTag((tag) => attributeOf(tag, attribute)?.start);
    return inTag ?? this.#ownPosition();
  }

  /**
   * Where the template gives a shared component what this shows, or its attribute; where it is of no such component, its
   * own place.
   */
  atUse(attribute?: string): SourcePosition {
    const at = this.at(attribute);
    const { sources } = this.#context;
    if (at.file === sources.body || !/\.[jt]sx$/.test(sources.body)) return at;
    const words = this.text.replaceAll(/\s+/g, " ").trim();
    const found = usePosition(sources.text(sources.body) ?? "", {
      words,
      ...(attribute !== undefined && { attribute }),
    });
    return found ? { file: sources.body, ...found } : at;
  }

  /** Where the source has a part of an attribute's value, letter by letter; undefined where it is put together. */
  atValue(attribute: string, part: string): Required<SourcePosition> | undefined {
    return this.#inTag((tag) => {
      const found = attributeOf(tag, attribute);
      if (!found) return undefined;
      const { name, start, value, valueStart } = found;
      const hasValue = valueStart > start + name.length;
      return hasValue && value.includes(part) ? valueStart + value.indexOf(part) : undefined;
    });
  }

  /** Where the source has a property of its style attribute. */
  atStyle(property: string): SourcePosition {
    return this.#inTag((tag, text) => styleOffset(tag, text, property)) ?? this.at("style");
  }

  /** In its own tag, or, in MJML, in the default that it has instead. */
  #inTag(find: FindInTag): Required<SourcePosition> | undefined {
    const { sources } = this.#context;
    const own = this.place && sources.tagAt(this.place.at);
    if (!own) return undefined;
    const isMjml = /^mj-/i.test(own.tag.name);
    for (const { file, tag } of [own, ...(isMjml ? sources.mjmlDefaults(own.tag) : [])]) {
      const offset = find(tag, sources.text(file) ?? "");
      if (offset !== undefined) return sources.at(file, offset);
    }
    return undefined;
  }

  #ownPosition(): SourcePosition {
    const place = [this, ...this.ancestors].find((element) => element.place)?.place;
    return place?.at ?? this.#guessed() ?? { file: this.#context.sources.body };
  }

  /** Without places: where one of its tags or values stands. */
  #guessed(): SourcePosition | undefined {
    for (const value of this.tokenised.values()) {
      const [, number] = TOKEN[Symbol.matchAll](value).next().value ?? [];
      const at = number === undefined ? undefined : this.#context.tags[Number(number)]?.at;
      if (at) return at;
    }
    for (const name of ["src", "href", "id", "name", "content"]) {
      const value = this.attributes.get(name);
      const at = value ? this.#context.sources.find(value) : undefined;
      if (at) return at;
    }
    return undefined;
  }
}

/** A text of the compiled html, sections' tags included. */
export class EmailText {
  readonly kind = "text";
  readonly parent: EmailElement;
  /** Entities decoded, tokens in the place of tags. */
  readonly tokenised: string;
  /** Where it begins in the html that was read. */
  readonly start: number;
  readonly #context: DocumentContext;
  #text: string | undefined;

  constructor(tokenised: string, start: number, parent: EmailElement, context: DocumentContext) {
    this.tokenised = tokenised;
    this.start = start;
    this.parent = parent;
    this.#context = context;
  }

  /** Entities decoded, Mustache tags as written. */
  get text(): string {
    this.#text ??= restore(this.tokenised, this.#context.tags, "html");
    return this.#text;
  }

  /** Where the source has it, or a part of it. */
  at(part = this.text.trim()): SourcePosition {
    const [, number] = TOKEN[Symbol.matchAll](this.tokenised).next().value ?? [];
    const ofTag = number === undefined ? undefined : this.#context.tags[Number(number)]?.at;
    const around = this.parent.at();
    const { sources } = this.#context;
    return (
      sources.findText(part, around) ??
      // Of two cases that are written one after the other, the parent is the place of the second.
      (part.includes("{{") ? undefined : sources.find(part, { file: around.file })) ??
      (part.length < 4 ? undefined : this.#given(part, around)) ??
      (ofTag?.line === undefined ? around : ofTag)
    );
  }

  /** What a shared component was given stands in the template that uses it. */
  #given(part: string, around: SourcePosition): SourcePosition | undefined {
    const { sources } = this.#context;
    if (around.file === sources.body || !/\.[jt]sx$/.test(sources.body) || part.includes("{{")) return undefined;
    return sources.findText(part, { file: sources.body });
  }
}

/** A comment, `<!--` and `-->` left out. */
export class EmailComment {
  readonly kind = "comment";
  readonly parent: EmailElement;
  readonly tokenised: string;
  readonly #context: DocumentContext;

  constructor(tokenised: string, parent: EmailElement, context: DocumentContext) {
    this.tokenised = tokenised;
    this.parent = parent;
    this.#context = context;
  }

  get text(): string {
    return restore(this.tokenised, this.#context.tags, "html");
  }

  /** Whether it means something to Outlook: `[if mso]>…<![endif]`. */
  get isConditional(): boolean {
    return /^\[if\b|^<!\[endif\]|<!\[endif\]$/.test(this.tokenised);
  }

  at(part = this.text.trim()): SourcePosition {
    return this.#context.sources.find(part, this.parent.at()) ?? this.parent.at();
  }
}
