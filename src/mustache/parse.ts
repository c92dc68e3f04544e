import { nearest } from "../text/nearest.js";
import { subjectOf } from "./condition-forms.js";
import {
  excerpt,
  type MustacheProblem,
  scan,
  type ScannedTag,
  type Span,
  standaloneLines,
  takenSpans,
} from "./scan.js";

/** Text as printed: the whitespace that a standalone tag removes is not part of any text node. */
export interface TextNode extends Span {
  readonly kind: "text";
  readonly text: string;
}

/** `{{name}}`, or with `escaped: false` `{{{name}}}` and `{{&name}}`. */
export interface VariableNode extends Span {
  readonly kind: "variable";
  readonly name: string;
  readonly escaped: boolean;
}

/** `{{#name}}…{{/name}}`, or with `inverted: true` `{{^name}}…{{/name}}`. The span is the opening tag's. */
export interface SectionNode extends Span {
  readonly kind: "section";
  readonly name: string;
  readonly inverted: boolean;
  readonly children: readonly MustacheNode[];
  /** The closing tag, if there is one. */
  readonly close?: Span;
}

/** `{{! … }}` */
export interface CommentNode extends Span {
  readonly kind: "comment";
}

/** `{{> name}}` */
export interface PartialNode extends Span {
  readonly kind: "partial";
  readonly name: string;
  /** The whitespace before a standalone tag, with which every line of the partial is indented. */
  readonly indent: string;
}

/** `{{=<% %>=}}` */
export interface DelimitersNode extends Span {
  readonly kind: "delimiters";
}

export type MustacheNode = TextNode | VariableNode | SectionNode | CommentNode | PartialNode | DelimitersNode;

export interface MustacheTree {
  readonly nodes: readonly MustacheNode[];
  /** Sorted by offset; empty if the text is valid Mustache. */
  readonly problems: readonly MustacheProblem[];
}

/** No email nests deeper, so recursive tree walks are safe. */
const DEEPEST_NESTING = 200;

/**
 * Parses a string as Mustache.
 *
 * @example
 * parse("Hi {{name}}").nodes;
 * // [{ kind: "text", text: "Hi ", start: 0, end: 3 }, { kind: "variable", name: "name", escaped: true, start: 3, end: 11 }]
 *
 * Follows the Mustache specification (interpolation, sections, inverted, comments, partials, delimiters) and accepts every
 * name that it allows; `checkNames` restricts names further. Never throws; after a problem it continues as if the mistake
 * were fixed, so that all problems of a string are found at once.
 */
export function parse(text: string): MustacheTree {
  return build(text, (closing, opening) => closing === opening);
}

/**
 * Parses a template's source, where sections may test conditions: the closing tag may contain the variable alone. The
 * condition stays in the section's name, for `readQuestion`.
 *
 * @example
 * parseSource("{{#items has-items}}<ul>{{#items}}{{name}}{{/items}}</ul>{{/items}}").problems; // []
 */
export function parseSource(text: string): MustacheTree {
  return build(text, (closing, opening) => closing === opening || closing === subjectOf(opening));
}

/** Whether a closing tag closes a section, given the names in both tags. */
type Closes = (closing: string, opening: string) => boolean;

function build(text: string, closes: Closes): MustacheTree {
  const { tags, problems } = scan(text);
  const builder = new TreeBuilder(text, closes);
  const taken = takenSpans(standaloneLines(text, tags));
  for (const tag of tags) if (!builder.add(tag, taken.get(tag) ?? tag)) break;
  const nodes = builder.finish();
  return { nodes, problems: [...problems, ...builder.problems].sort((a, b) => a.offset - b.offset) };
}

interface OpenSection {
  readonly tag: ScannedTag;
  readonly children: MustacheNode[];
}

class TreeBuilder {
  readonly problems: MustacheProblem[] = [];
  readonly #text: string;
  readonly #closes: Closes;
  readonly #root: MustacheNode[] = [];
  readonly #open: OpenSection[] = [];
  /** Sections that were closed early; their own closing tags are not reported again. */
  readonly #crossed: string[] = [];
  #textStart = 0;

  constructor(text: string, closes: Closes) {
    this.#text = text;
    this.#closes = closes;
  }

  /** Adds the next tag, with the span that it removes from the text. False if nothing more can be added. */
  add(tag: ScannedTag, taken: Span): boolean {
    const opens = tag.kind === "section" || tag.kind === "inverted";
    if (opens && this.#open.length === DEEPEST_NESTING) {
      this.problems.push({ message: `Sections are nested more than ${DEEPEST_NESTING} deep.`, offset: tag.start });
      while (this.#open.length > 0) this.#endSection();
      return false;
    }
    this.#appendText(taken.start);
    this.#textStart = taken.end;
    if (opens) this.#open.push({ tag, children: [] });
    else if (tag.kind === "close") this.#close(tag);
    else this.#append(leaf(tag, this.#text.slice(taken.start, tag.start)));
    return true;
  }

  finish(): readonly MustacheNode[] {
    this.#appendText(this.#text.length);
    for (const { tag } of this.#open) {
      const message = `The section ${this.#shown(tag)} is never closed.`;
      if (tag.name) this.#report(tag, message, `Add {{/${tag.name}}} where it ends.`);
    }
    while (this.#open.length > 0) this.#endSection();
    return this.#root;
  }

  #append(node: MustacheNode): void {
    (this.#open.at(-1)?.children ?? this.#root).push(node);
  }

  #appendText(end: number): void {
    const start = this.#textStart;
    if (end > start) this.#append({ kind: "text", text: this.#text.slice(start, end), start, end });
  }

  #endSection(closing?: Span): void {
    const section = this.#open.pop();
    if (!section) return;
    const { kind, name, start, end } = section.tag;
    const node = {
      kind: "section",
      name,
      inverted: kind === "inverted",
      children: section.children,
      start,
      end,
    } as const;
    this.#append(closing ? { ...node, close: { start: closing.start, end: closing.end } } : node);
  }

  #close(tag: ScannedTag): void {
    const innermost = this.#open.at(-1)?.tag;
    if (tag.name === "") return this.#endSection(tag);
    const depth = this.#open.findLastIndex((section) => this.#closes(tag.name, section.tag.name));
    if (depth >= 0) {
      for (const { tag: inner } of this.#open.slice(depth + 1)) {
        const message = `The section ${this.#shown(inner)} is still open where ${this.#shown(tag)} closes the one around it.`;
        if (inner.name) this.#report(inner, message, `Put {{/${inner.name}}} before ${this.#shown(tag)}.`);
        this.#crossed.push(inner.name);
        this.#endSection();
      }
      this.#endSection(tag);
    } else if (this.#crossed.includes(tag.name)) {
      this.#crossed.splice(this.#crossed.indexOf(tag.name), 1);
    } else if (innermost && isMisspelt(tag, innermost)) {
      const hint = isHelper(tag, innermost)
        ? `Mustache has no "${tag.name}": both tags contain the same variable name.`
        : `Write {{/${innermost.name}}}.`;
      this.#report(tag, `${this.#shown(tag)} does not close ${this.#shown(innermost)}.`, hint);
      this.#endSection(tag);
    } else {
      const hint = `Remove it, or add {{#${tag.name}}} where the section begins.`;
      this.#report(tag, `${this.#shown(tag)} closes a section that is not open here.`, hint);
    }
  }

  #report({ start }: Span, message: string, hint: string): void {
    this.problems.push({ message, offset: start, hint });
  }

  #shown(tag: Span): string {
    return excerpt(this.#text, tag);
  }
}

/** Comparing takes time proportional to the product of both lengths, and names in hostile templates can have any length. */
const LONGEST_COMPARED = 250;

/** Whether a closing tag without an open section is most likely a typo of this one. */
function isMisspelt(closing: ScannedTag, opening: ScannedTag): boolean {
  if (isHelper(closing, opening)) return true;
  return closing.name.length <= LONGEST_COMPARED && nearest(closing.name, [opening.name]) !== undefined;
}

/** Handlebars' `{{#if user}} … {{/if}}`. */
function isHelper(closing: ScannedTag, opening: ScannedTag): boolean {
  return /^\s/.test(opening.name.slice(closing.name.length)) && opening.name.startsWith(closing.name);
}

function leaf({ kind, name, start, end }: ScannedTag, indent: string): MustacheNode {
  if (kind === "partial") return { kind, name, indent, start, end };
  if (kind === "comment" || kind === "delimiters") return { kind, start, end };
  return { kind: "variable", name, escaped: kind !== "unescaped", start, end };
}
