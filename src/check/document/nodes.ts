import type { Edit, SourcePosition } from "../../diagnostic.js";
import { restore, TOKEN } from "../../mustache/tokens.js";
import type { RecordedPosition } from "../../render/source/mapped-text.js";
import { attributeOf, styleOffset, usePosition, type WrittenTag } from "./written-tag.js";
import type { EmailDocument } from "./email-document.js";
import type { TagInFile } from "./sources.js";
import { readDeclarations, type Declaration } from "./stylesheet.js";

export type EmailNode = EmailElement | EmailText | EmailComment;

/** Finds the offset of something in a tag, given the file that contains the tag. */
type FindInTag = (tag: WrittenTag, text: string) => number | undefined;

/** An element of the compiled HTML. */
export class EmailElement {
  readonly kind = "element";
  readonly children: EmailNode[] = [];
  #attributes: ReadonlyMap<string, string> | undefined;
  #style: readonly Declaration[] | undefined;
  #text: string | undefined;

  constructor(
    readonly document: EmailDocument,
    /** In lower case; empty for the document itself. */
    readonly name: string,
    readonly parent: EmailElement | undefined,
    /** Attribute values with entities decoded and tokens instead of Mustache tags. */
    readonly tokenised: ReadonlyMap<string, string>,
    /** Where a user wrote it; undefined if the compiler added it. */
    readonly place?: RecordedPosition,
    /** The offset of its start tag in the input HTML; undefined if it has none. */
    readonly start?: number,
  ) {}

  /** Attribute values by lower-case name, with entities decoded and Mustache tags as written. */
  get attributes(): ReadonlyMap<string, string> {
    this.#attributes ??= this.#restored();
    return this.#attributes;
  }

  /** Whether there are Mustache tags in its attributes or between them. */
  get hasTags(): boolean {
    return this.attributes !== this.tokenised;
  }

  /** Copies the map only if needed: most elements have no Mustache tags. */
  #restored(): ReadonlyMap<string, string> {
    const { tags } = this.document.input;
    let restored: Map<string, string> | undefined;
    for (const [name, value] of this.tokenised)
      if (value.includes("\uE000") || name.includes("\uE000"))
        (restored ??= new Map(this.tokenised)).set(name, restore(value, tags, "html"));
    return restored ?? this.tokenised;
  }

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** The declarations of the style attribute, in order. */
  get style(): readonly Declaration[] {
    this.#style ??= readDeclarations(this.attributes.get("style") ?? "", (property) => this.atStyle(property));
    return this.#style;
  }

  /** The last value of a property in the style attribute, in lower case and without `!important`. */
  styleValue(property: string): string | undefined {
    return this.style.findLast((declaration) => declaration.property === property)?.value.toLowerCase();
  }

  /**
   * The name of the tag in the source: its own name, or that of something that compiles to it, such as `mj-button` or
   * `Link`. Undefined if the compiler added the element, or if the source tag is unknown.
   */
  get writtenAs(): string | undefined {
    const { isSited, sources } = this.document;
    if (isSited) return this.place && sources.tagName(this.place.at);
    return /\.html?$/i.test(sources.body) ? this.name : undefined;
  }

  /** Whether a user wrote this element itself, not something that compiles to it. */
  get isWritten(): boolean {
    const name = this.writtenAs;
    const isJsx = /\.[jt]sx?$/.test(this.place?.at.file ?? "");
    return (isJsx ? name : name?.toLowerCase()) === this.name;
  }

  /**
   * The opening tag in the source: its own, or that of a component that renders it. Undefined if the compiler added the
   * element, or if the source is unknown.
   */
  get sourceTag(): TagInFile | undefined {
    return this.place && this.document.sources.tagAt(this.place.at);
  }

  /** Whether its source tag has an attribute; undefined if there is no such tag. */
  hasWritten(attribute: string): boolean | undefined {
    return this.sourceTag?.attributes.some(({ name }) => name.toLowerCase() === attribute);
  }

  /** The edit that adds an attribute to its source tag. */
  editAdding(attribute: string): Edit | undefined {
    const tag = this.sourceTag;
    if (!tag) return undefined;
    const remove = `<${tag.name}`;
    return { at: this.document.sources.at(tag.file, tag.start), remove, insert: `${remove} ${attribute}` };
  }

  /** Its child elements. */
  get elements(): EmailElement[] {
    return this.children.filter((child) => child.kind === "element");
  }

  /** All text in it, with Mustache tags as written. */
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

  /** All elements in it, in document order. */
  get descendants(): EmailElement[] {
    return this.elements.flatMap((element) => [element, ...element.descendants]);
  }

  /**
   * The source position of the element or one of its attributes. For an element that the compiler added, this is the
   * nearest ancestor that a user wrote.
   */
  at(attribute?: string): SourcePosition {
    const inTag = attribute === undefined ? undefined : this.#inTag((tag) => attributeOf(tag, attribute)?.start);
    return inTag ?? this.#ownPosition();
  }

  /**
   * For an element of a shared component: where the template uses the component, or passes it this attribute. Otherwise
   * the same as `at`.
   */
  atUse(attribute?: string): SourcePosition {
    const at = this.at(attribute);
    const { sources } = this.document;
    if (at.file === sources.body || !/\.[jt]sx$/.test(sources.body)) return at;
    const words = this.text.replaceAll(/\s+/g, " ").trim();
    const use = usePosition(sources.texts.get(sources.body) ?? "", words, attribute);
    return use ? { file: sources.body, ...use } : at;
  }

  /** Where the source has this part of an attribute's value; undefined if the value is computed. */
  atValue(attribute: string, part: string): Required<SourcePosition> | undefined {
    return this.#inTag((tag) => {
      const written = attributeOf(tag, attribute);
      if (!written) return undefined;
      const { name, start, value, valueStart } = written;
      const hasValue = valueStart > start + name.length;
      return hasValue && value.includes(part) ? valueStart + value.indexOf(part) : undefined;
    });
  }

  /** Where the source sets a CSS property of its style attribute. */
  atStyle(property: string): SourcePosition {
    return this.#inTag((tag, text) => styleOffset(tag, text, property)) ?? this.at("style");
  }

  /** Searches its source tag, then the MJML defaults that apply to it. */
  #inTag(find: FindInTag): Required<SourcePosition> | undefined {
    const { sources } = this.document;
    const own = this.place && sources.tagAt(this.place.at);
    if (!own) return undefined;
    const isMjml = /^mj-/i.test(own.name);
    for (const tag of [own, ...(isMjml ? sources.mjmlDefaults(own) : [])]) {
      const offset = find(tag, sources.texts.get(tag.file) ?? "");
      if (offset !== undefined) return sources.at(tag.file, offset);
    }
    return undefined;
  }

  #ownPosition(): SourcePosition {
    const place = [this, ...this.ancestors].find((element) => element.place)?.place;
    return place?.at ?? this.#guessPosition() ?? { file: this.document.sources.body };
  }

  /** Used if `places` is empty: the position of one of its Mustache tags or attribute values. */
  #guessPosition(): SourcePosition | undefined {
    for (const value of this.tokenised.values()) {
      const at = positionOfFirstTag(value, this.document);
      if (at) return at;
    }
    for (const name of ["src", "href", "id", "name", "content"]) {
      const value = this.attributes.get(name);
      const at = value ? this.document.sources.find(value) : undefined;
      if (at) return at;
    }
    return undefined;
  }
}

function positionOfFirstTag(tokenised: string, { input }: EmailDocument): SourcePosition | undefined {
  const [, number] = TOKEN[Symbol.matchAll](tokenised).next().value ?? [];
  return number === undefined ? undefined : input.tags[Number(number)]?.at;
}

/** A text node of the compiled HTML, including the tags of sections. */
export class EmailText {
  readonly kind = "text";
  #text: string | undefined;

  constructor(
    readonly document: EmailDocument,
    readonly parent: EmailElement,
    /** Entities decoded, tokens instead of Mustache tags. */
    readonly tokenised: string,
    /** Its offset in the input HTML. */
    readonly start: number,
  ) {}

  /** Entities decoded, Mustache tags as written. */
  get text(): string {
    this.#text ??= restore(this.tokenised, this.document.input.tags, "html");
    return this.#text;
  }

  /** Where the source has this text, or a part of it. */
  at(part = this.text.trim()): SourcePosition {
    const ofTag = positionOfFirstTag(this.tokenised, this.document);
    const around = this.parent.at();
    const { sources } = this.document;
    return (
      sources.findText(part, around) ??
      // For two cases written one after the other, the parent's position is that of the second.
      (part.includes("{{") ? undefined : sources.find(part, { file: around.file })) ??
      (part.length < 4 ? undefined : this.#inTemplate(part, around)) ??
      (ofTag?.line === undefined ? around : ofTag)
    );
  }

  /** Text that a template passes to a shared component is in the template. */
  #inTemplate(part: string, around: SourcePosition): SourcePosition | undefined {
    const { sources } = this.document;
    if (around.file === sources.body || !/\.[jt]sx$/.test(sources.body) || part.includes("{{")) return undefined;
    return sources.findText(part, { file: sources.body });
  }
}

/** A comment, without `<!--` and `-->`. */
export class EmailComment {
  readonly kind = "comment";

  constructor(
    readonly document: EmailDocument,
    readonly parent: EmailElement,
    readonly tokenised: string,
  ) {}

  get text(): string {
    return restore(this.tokenised, this.document.input.tags, "html");
  }

  /** Whether it is a conditional comment for Outlook: `[if mso]>…<![endif]`. */
  get isConditional(): boolean {
    return /^\[if\b|^<!\[endif\]|<!\[endif\]$/.test(this.tokenised);
  }

  at(part = this.text.trim()): SourcePosition {
    return this.document.sources.find(part, this.parent.at()) ?? this.parent.at();
  }
}
