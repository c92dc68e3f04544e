import { TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import {
  isCdata,
  isConditionalComment,
  type OpenTag,
  type MarkupPiece,
  scanMarkup,
  VOID_ELEMENTS,
} from "../../text/markup/scan.js";
import { chainNote } from "../source/mapped-text.js";
import { meantElement, type MjmlContent, type MjmlElement, type MjmlSource } from "./document.js";

/** Elements without a component that contain text. */
const TEXT_HOLDERS = ["mj-html-attribute"];

/** Statements of Liquid, Jinja and Twig, of ERB and EJS, of PHP, and of Blade and Razor. */
const FOREIGN = /\{%|<%|<\?php|^@[a-z]+/im;

export interface ParseOptions {
  readonly elementNames: ReadonlySet<string>;
  /** Whether an element contains HTML instead of elements. */
  readonly isEndingTag: (tagName: string) => boolean;
  readonly findings: Findings;
}

/**
 * Parses MJML to elements with source positions. MJML's own parser silently drops content in cases that are errors here:
 * unclosed tags and quotes, text between elements.
 */
export function parseMjml(source: MjmlSource, options: ParseOptions): MjmlElement[] {
  const { pieces, problems } = scanMarkup(source.mapped.text);
  const [first] = problems;
  if (!first) return new MjmlParser(source, pieces, options).parse();
  // Everything after the first problem was misread, so only that one is reported.
  const message = first.message + chainNote(source.chain);
  options.findings.error("markup-unclosed", message, source.mapped.positionAt(first.offset), first.hint);
  return [];
}

type ClosingTag = Extract<MarkupPiece, { kind: "close" }>;

class MjmlParser {
  readonly #source: MjmlSource;
  readonly #text: string;
  readonly #pieces: readonly MarkupPiece[];
  readonly #options: ParseOptions;
  readonly #roots: MjmlElement[] = [];
  readonly #open: MjmlElement[] = [];
  /** Elements that were ended before their closing tags, which are not reported again. */
  readonly #unclosed: string[] = [];
  /** Misspelt element names that were reported. */
  readonly #mistyped = new Set<string>();

  constructor(source: MjmlSource, pieces: readonly MarkupPiece[], options: ParseOptions) {
    this.#source = source;
    this.#text = source.mapped.text;
    this.#pieces = pieces;
    this.#options = options;
  }

  parse(): MjmlElement[] {
    for (let index = 0; index < this.#pieces.length; index += 1) {
      const piece = this.#pieces[index];
      if (piece?.kind === "open") index = this.#takeElement(piece, index);
      else if (piece?.kind === "close") this.#close(piece);
      else if (piece?.kind === "comment") this.#takeComment(piece.start, piece.end);
      else if (piece?.kind === "text") this.#takeText(piece.start, piece.end);
      else if (piece && this.#open.length > 0 && !isCdata(piece, this.#text))
        this.#reportLostText(piece.start, piece.end);
    }
    for (const element of this.#open) this.#reportUnclosed(element);
    return this.#roots;
  }

  /** Adds an element and returns the index of the last piece that belongs to it. */
  #takeElement(tag: OpenTag, index: number): number {
    const { attributes, start } = tag;
    const name = this.#nameOf(tag);
    const element: MjmlElement = {
      tagName: name,
      source: this.#source,
      start,
      attributes,
      children: [],
      ...(name !== tag.name && { isMistyped: true }),
    };
    this.#append(element);
    if (tag.selfClosing || name === "mj-include" || VOID_ELEMENTS.has(name)) return index;
    if (!this.#options.isEndingTag(name)) {
      this.#open.push(element);
      return index;
    }
    let end = index + 1;
    for (; end < this.#pieces.length && !endsContent(this.#pieces[end]); end += 1)
      this.#checkContent(name, this.#pieces[end]);
    const closing = this.#pieces[end];
    element.content = trimmed(this.#text, tag.end, closing?.start ?? this.#text.length);
    if (closing?.kind === "close" && this.#closes(closing, name)) return end;
    this.#reportUnclosed(element, closing);
    return end - 1;
  }

  /** The corrected name, so that a misspelt name doesn't cause further errors. */
  #nameOf({ name, start }: OpenTag): string {
    const meant = meantElement(name, this.#options.elementNames);
    if (meant === undefined) return name;
    this.#mistyped.add(name);
    const message = `MJML has no element <${name}>, and drops it with its content`;
    this.#report("mjml-unknown-element", message, start, `Did you mean <${meant}>?`);
    return meant;
  }

  /** Whether this closes an element, allowing for a misspelt name. */
  #closes({ name, start }: ClosingTag, open: string): boolean {
    if (isSameName(name, open)) return true;
    if (meantElement(name, this.#options.elementNames) !== open) return false;
    if (!this.#mistyped.has(name))
      this.#report("mjml-structure", `</${name}> has no opening tag`, start, `Did you mean </${open}>?`);
    return true;
  }

  #close(tag: ClosingTag): void {
    const { name, start } = tag;
    if (name === "mj-include" || VOID_ELEMENTS.has(name)) return;
    const innermost = this.#open.at(-1);
    if (innermost && this.#closes(tag, innermost.tagName)) {
      this.#open.pop();
      return;
    }
    const depth = this.#open.findLastIndex((element) => isSameName(element.tagName, name));
    const early = depth < 0 ? this.#unclosed.indexOf(name) : -1;
    if (early >= 0) this.#unclosed.splice(early, 1);
    else if (depth < 0) this.#report("mjml-structure", `</${name}> has no opening tag`, start);
    else for (const element of this.#open.splice(depth).slice(1)) this.#reportUnclosed(element);
  }

  #takeComment(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    if (isConditionalComment(text) && this.#open.length > 0) this.#append(this.#raw({ text, start }));
  }

  #takeText(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    if (text.trim() === "") return;
    const parent = this.#open.at(-1);
    if (parent && TEXT_HOLDERS.includes(parent.tagName)) {
      parent.content = trimmed(this.#text, start, end);
    } else if (text.replace(TOKEN, "").trim() === "") {
      for (const match of text.matchAll(TOKEN)) {
        this.#append({ ...this.#raw({ text: match[0], start: start + match.index }), isBareTag: true });
      }
    } else {
      this.#reportLostText(start, end);
    }
  }

  #raw(content: MjmlContent): MjmlElement {
    return { tagName: "mj-raw", source: this.#source, start: content.start, attributes: [], children: [], content };
  }

  #append(element: MjmlElement): void {
    (this.#open.at(-1)?.children ?? this.#roots).push(element);
  }

  #reportLostText(start: number, end: number): void {
    const { text, start: from } = trimmed(this.#text, start, end);
    const parent = this.#open.at(-1)?.tagName;
    // An unknown element is one mistake, including its content.
    if (parent !== undefined && !this.#options.elementNames.has(parent)) return;
    const place = parent === undefined ? "outside <mjml>" : `directly inside <${parent}>`;
    const shown = text.replace(TOKEN, "{{…}}").replace(/\s+/g, " ").slice(0, 40);
    const hint = FOREIGN.test(text)
      ? "This is the syntax of another template engine. Write Mustache: {{#section}} … {{/section}}, or {{> part}} to include a file."
      : "Put it into <mj-text>, or into <mj-raw> if it is HTML.";
    this.#report("mjml-lost-text", `MJML drops text ${place}: "${shown}"`, from, hint);
  }

  #reportUnclosed({ tagName, start }: MjmlElement, next?: MarkupPiece): void {
    this.#unclosed.push(tagName);
    const before =
      next?.kind === "open" ? ` before <${next.name}>` : next?.kind === "close" ? ` before </${next.name}>` : "";
    this.#report("mjml-unclosed", `<${tagName}> is never closed${before}`, start, `Add </${tagName}> where it ends.`);
  }

  #checkContent(tagName: string, piece: MarkupPiece | undefined): void {
    if (piece?.kind !== "open" || piece.name !== "mj-include") return;
    const path = piece.attributes.find(({ name }) => name === "path")?.value ?? "./part.html";
    const message = `<mj-include> is not allowed in <${tagName}>, which contains HTML`;
    this.#report("mjml-structure", message, piece.start, `Write {{> ${path}}} instead.`);
  }

  #report(rule: string, message: string, offset: number, hint?: string): void {
    const at = this.#source.mapped.positionAt(offset);
    this.#options.findings.error(rule, `${message}${chainNote(this.#source.chain)}.`, at, hint);
  }
}

function endsContent(piece: MarkupPiece | undefined): boolean {
  const isTag = piece?.kind === "open" || piece?.kind === "close";
  return isTag && /^mj(?:-(?!include$)|ml$)/.test(piece.name);
}

/** Ignores the tags in the name, each of which has a different number. */
function isSameName(a: string, b: string): boolean {
  return a.replace(TOKEN, "") === b.replace(TOKEN, "");
}

function trimmed(text: string, start: number, end: number): MjmlContent {
  const content = text.slice(start, end);
  return { text: content.trim(), start: start + (content.length - content.trimStart().length) };
}
