import { TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import {
  isCdata,
  isConditionalComment,
  type OpenTag,
  type Piece,
  scanMarkup,
  VOID_ELEMENTS,
} from "../../markup/scan.js";
import { chainNote } from "../source/chain.js";
import { meantElement } from "./element-names.js";
import type { MjmlContent, MjmlElement, MjmlSource } from "./element.js";

/** Elements without a component of their own whose text is what they are for. */
const TEXT_HOLDERS = ["mj-html-attribute"];

/** Statements of Liquid, Jinja and Twig, of ERB and EJS, of PHP, and of Blade and Razor. */
const FOREIGN = /\{%|<%|<\?php|^@[a-z]+/im;

export interface ParseOptions {
  readonly elementNames: ReadonlySet<string>;
  /** Whether an element holds html instead of elements. */
  readonly isEndingTag: (tagName: string) => boolean;
  readonly findings: Findings;
}

/**
 * Reads MJML into elements that know where they were written. MJML's own parser mends silently, by dropping content,
 * what is an error here: tags and quotes that are never closed, text between elements.
 */
export function parseMjml(source: MjmlSource, options: ParseOptions): MjmlElement[] {
  const { pieces, problems } = scanMarkup(source.mapped.text);
  const [first] = problems;
  if (!first) return new MjmlParser(source, pieces, options).parse();
  // What follows was read wrongly: only the first problem is sure to be one.
  const message = first.message + chainNote(source.chain);
  options.findings.error("markup-unclosed", message, source.mapped.positionAt(first.offset), first.hint);
  return [];
}

type ClosingTag = Extract<Piece, { kind: "close" }>;

class MjmlParser {
  readonly #source: MjmlSource;
  readonly #text: string;
  readonly #pieces: readonly Piece[];
  readonly #options: ParseOptions;
  readonly #roots: MjmlElement[] = [];
  readonly #open: MjmlElement[] = [];
  /** Elements that were ended before their closing tags; these are no second problem. */
  readonly #unclosed: string[] = [];
  /** Names of elements that are none, and were reported. */
  readonly #mistyped = new Set<string>();

  constructor(source: MjmlSource, pieces: readonly Piece[], options: ParseOptions) {
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

  /** Takes an element and gives the index of the last piece that belongs to it. */
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

  /** As it was most likely meant: what would follow from a mistyped name is no other mistake. */
  #nameOf({ name, start }: OpenTag): string {
    const meant = meantElement(name, this.#options.elementNames);
    if (meant === undefined) return name;
    this.#mistyped.add(name);
    const message = `MJML has no element <${name}>, and drops it with all that it holds`;
    this.#report("mjml-unknown-element", message, start, `Did you mean <${meant}>?`);
    return meant;
  }

  /** Whether this closes an element, at least as it was meant. */
  #closes({ name, start }: ClosingTag, open: string): boolean {
    if (isSameName(name, open)) return true;
    if (meantElement(name, this.#options.elementNames) !== open) return false;
    if (!this.#mistyped.has(name))
      this.#report("mjml-structure", `</${name}> closes nothing`, start, `Did you mean </${open}>?`);
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
    else if (depth < 0) this.#report("mjml-structure", `</${name}> closes nothing`, start);
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
    // An element that is none is one mistake, with all that is in it.
    if (parent !== undefined && !this.#options.elementNames.has(parent)) return;
    const place = parent === undefined ? "outside of <mjml>" : `directly in <${parent}>`;
    const shown = text.replace(TOKEN, "{{…}}").replace(/\s+/g, " ").slice(0, 40);
    const hint = FOREIGN.test(text)
      ? "This is the syntax of another template engine: write Mustache, {{#section}} … {{/section}}, or {{> part}} where it took in another file."
      : "Put it into <mj-text>, or into <mj-raw> if it is html.";
    this.#report("mjml-lost-text", `MJML drops text that stands ${place}: "${shown}"`, from, hint);
  }

  #reportUnclosed({ tagName, start }: MjmlElement, found?: Piece): void {
    this.#unclosed.push(tagName);
    const before =
      found?.kind === "open" ? ` before <${found.name}>` : found?.kind === "close" ? ` before </${found.name}>` : "";
    this.#report("mjml-unclosed", `<${tagName}> is never closed${before}`, start, `Add </${tagName}> where it ends.`);
  }

  #checkContent(tagName: string, piece: Piece | undefined): void {
    if (piece?.kind !== "open" || piece.name !== "mj-include") return;
    const path = piece.attributes.find(({ name }) => name === "path")?.value ?? "./part.html";
    const message = `<mj-include> can't stand in <${tagName}>, which holds html`;
    this.#report("mjml-structure", message, piece.start, `Write {{> ${path}}} in its place.`);
  }

  #report(rule: string, message: string, offset: number, hint?: string): void {
    const at = this.#source.mapped.positionAt(offset);
    this.#options.findings.error(rule, `${message}${chainNote(this.#source.chain)}.`, at, hint);
  }
}

function endsContent(piece: Piece | undefined): boolean {
  const isTag = piece?.kind === "open" || piece?.kind === "close";
  return isTag && /^mj(?:-(?!include$)|ml$)/.test(piece.name);
}

/** The name may hold tags, each of which is another one. */
function isSameName(a: string, b: string): boolean {
  return a.replace(TOKEN, "") === b.replace(TOKEN, "");
}

function trimmed(text: string, start: number, end: number): MjmlContent {
  const content = text.slice(start, end);
  return { text: content.trim(), start: start + (content.length - content.trimStart().length) };
}
