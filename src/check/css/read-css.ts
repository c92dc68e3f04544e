import { Latest } from "../../latest.js";
import { isBroken, readDeclaration } from "./declaration.js";
import { type Masked, masked } from "./masked.js";
import type { MistakeAt } from "../mistake.js";
import { excerpt } from "./excerpt.js";
import { type Span, spanFrom } from "./span.js";
import { type CssToken, cssTokens, isBlank } from "./tokens.js";

/** `color: red`, that parsers take. */
export interface CssDeclaration {
  /** As written, hacks included. */
  readonly property: string;
  /** As written, without `!important`. */
  readonly value: string;
  readonly offset: number;
}

/** `@media (max-width: 600px)`, with or without a block. */
export interface CssAtRule {
  readonly name: string;
  readonly prelude: string;
  readonly offset: number;
  /** The at-rule that it stands in, as it is written. */
  readonly within: string | undefined;
}

/** What a stylesheet or a style attribute says, as browsers read it. */
export interface ReadCss {
  /** Those of rules, whose grammar is that of properties. */
  readonly declarations: readonly CssDeclaration[];
  readonly atRules: readonly CssAtRule[];
  /** What parsers drop, in the order of the text. */
  readonly mistakes: readonly MistakeAt[];
  /** Where the rule begins that is never closed: what stands behind it is not as it was meant. */
  readonly unclosed: number | undefined;
}

export type CssKind = "sheet" | "style";

/** Templates have most of their styles in common. */
const known = { sheet: new Latest<ReadCss>(50), style: new Latest<ReadCss>(5000) };

/**
 * Reads CSS for what is wrong with it. What Mustache tags make unsure is left out.
 *
 * @example
 * readCss("color red", "style").mistakes; // [{ offset: 0, message: "`color red` has no colon: …" }]
 */
export function readCss(css: string, kind: CssKind): ReadCss {
  const remembered = known[kind].get(css);
  if (remembered) return remembered;
  const reader = new Reader(css);
  if (kind === "sheet") reader.readSheet();
  else reader.readStyle();
  known[kind].set(css, reader);
  return reader;
}

interface Block {
  readonly isRule: boolean;
  readonly written: string;
  readonly offset: number;
  readonly parent: Block | undefined;
  isClosed: boolean;
}

/** What a block holds: rules, as a stylesheet; declarations and rules; or what is not known. */
type Content = "rules" | "declarations" | "unknown";

const GROUPS =
  /^(?:media|supports|layer|container|scope|starting-style|(?:-moz-)?document|(?:-(?:webkit|moz|o|ms)-)?keyframes)$/;
const DESCRIPTORS = /^(?:font-face|page|property|counter-style|font-palette-values|(?:-\w+-)?viewport)$/;
const PREPROCESSORS = /^(?:include|mixin|extend|if|else|each|for|while|function|return|use|forward|content)$/;

class Reader implements ReadCss {
  readonly declarations: CssDeclaration[] = [];
  readonly atRules: CssAtRule[] = [];
  readonly mistakes: MistakeAt[] = [];
  unclosed: number | undefined;
  readonly #css: string;
  readonly #masked: Masked;
  readonly #tokens: readonly CssToken[];
  readonly #blocks: Block[] = [];
  #at = 0;
  /** Whether what opens the next block was not read as such. */
  #isLost = false;
  /** Whether a quote or an address takes in what is behind it, braces too. */
  #isSwallowed = false;

  constructor(css: string) {
    this.#css = css;
    this.#masked = masked(css);
    this.#tokens = cssTokens(this.#masked.text);
  }

  readSheet(): void {
    this.#readBlock("rules");
    const isWhole = this.#endComment();
    if (isWhole) this.#findUnclosed();
    this.mistakes.sort((a, b) => a.offset - b.offset);
  }

  readStyle(): void {
    for (;;) {
      const token = this.#next();
      if (!token) break;
      if (token.kind === "{" || token.kind === "}") {
        this.#add(
          token.start,
          `A style attribute has no braces: mail clients drop what stands at this \`${token.text}\`.`,
        );
        return;
      }
      if (token.kind === ";") this.#at += 1;
      else if (token.kind === "at") {
        this.#add(token.start, `\`${token.text}\` has no meaning in a style attribute: mail clients drop it.`);
        return;
      } else this.#takeDeclaration(this.#takeSpan());
    }
    this.#endComment();
  }

  #readBlock(content: Content, block?: Block): void {
    for (;;) {
      const token = this.#next();
      if (!token) return;
      if (token.kind === "}") {
        this.#at += 1;
        if (block) {
          block.isClosed = true;
          return;
        }
        this.#addExtraBrace(token);
      } else if (token.kind === ";") this.#takeSemicolon(token, content);
      else if (token.kind === "at") this.#takeAtRule(token, content, block);
      else this.#takeOther(content, block);
    }
  }

  #addExtraBrace({ start }: CssToken): void {
    if (this.#isLost) this.#isLost = false;
    else if (this.#masked.isEven((offset) => this.#depthAt(offset)))
      this.#add(start, `This \`}\` closes nothing: ${this.#dropsNext()}.`, "Take it out, or add the missing `{`.");
  }

  #takeSemicolon({ start }: CssToken, content: Content): void {
    this.#at += 1;
    const next = this.#next();
    if (content !== "rules" || !next || next.kind === "}" || next.kind === ";" || this.#isLost) return;
    if (this.#masked.isOpen(start, next.end)) return;
    this.#add(start, `This \`;\` ends nothing: ${this.#dropsNext()}.`, "Take it out.");
  }

  /** What is dropped with something that stands between rules. */
  #dropsNext(): string {
    const next = this.#next();
    if (!next || next.kind === "}") return "mail clients drop it";
    const span = spanFrom(this.#tokens, this.#at);
    return `mail clients take it for a part of the rule after it, and drop \`${excerpt(this.#written(span))}\``;
  }

  #takeAtRule({ text, start }: CssToken, content: Content, parent: Block | undefined): void {
    const name = text.slice(1).toLowerCase();
    this.#at += 1;
    const span = this.#takeSpan();
    const prelude = this.#css.slice(span.start, span.end).trim();
    const written = this.#css.slice(start, Math.max(span.end, start + text.length)).trim();
    const isKnown = !this.#masked.isOpen(start, span.end);
    const isForeign = PREPROCESSORS.test(name) || (prelude.startsWith(":") && !DESCRIPTORS.test(name));
    if (isKnown && isForeign)
      this.#add(
        start,
        `\`${excerpt(written)}\` is a preprocessor's: mail clients drop it.`,
        "Compile it to CSS first.",
      );
    else if (isKnown && span.unclosed)
      this.#add(
        span.unclosed.start,
        `The bracket is never closed: mail clients drop the whole \`@${name}\`.`,
        "Add `)`.",
      );
    else if (isKnown) this.atRules.push({ name, prelude, offset: start, within: atRuleAround(parent)?.written });
    const end = this.#tokens[this.#at]?.kind;
    if (end === ";") this.#at += 1;
    if (end !== "{") return;
    const inner = GROUPS.test(name) ? content : DESCRIPTORS.test(name) ? "declarations" : "unknown";
    this.#takeBlock(inner, { isRule: false, written, offset: start, parent, isClosed: false });
  }

  #takeOther(content: Content, parent: Block | undefined): void {
    const span = this.#takeSpan();
    const end = this.#tokens[this.#at]?.kind;
    const written = this.#written(span);
    if (span.tokens.some(isBroken)) this.#isSwallowed = true;
    if (end === "{" && span.tokens.some(isBroken) && content === "declarations") {
      this.#takeDeclaration(span);
      return;
    }
    if (end === "{") {
      const block: Block = { isRule: true, written, offset: span.start, parent, isClosed: false };
      if (content !== "unknown") this.#checkPrelude(span, written);
      this.#takeBlock(content === "unknown" ? content : "declarations", block);
      return;
    }
    if (content === "declarations") this.#takeDeclaration(span, isDescriptive(parent));
    if (content !== "rules") return;
    if (end === ";") this.#at += 1;
    if (!this.#masked.isOpen(span.start, span.end)) this.#addStray(span, written);
    this.#isLost = true;
  }

  #addStray(span: Span, written: string): void {
    const [first, second, third] = span.tokens;
    if (first?.text === "$" && second?.kind === "ident" && third?.kind === ":")
      this.#add(
        span.start,
        `\`${excerpt(written)}\` is a preprocessor's: ${this.#dropsNext()}.`,
        "Compile it to CSS first.",
      );
    else this.#add(span.start, `\`${excerpt(written)}\` is in no rule: ${this.#dropsNext()}.`);
  }

  /** `// heading` before a rule is a part of its selector. */
  #checkPrelude({ start, end, tokens, unclosed }: Span, written: string): void {
    if (this.#masked.isOpen(start, end)) return;
    const slash = tokens.findIndex(({ text }, index) => text === "/" && tokens[index + 1]?.text === "/");
    const at = tokens[slash]?.start;
    if (at !== undefined)
      this.#add(at, `\`//\` begins no comment in CSS: mail clients drop the rule after it.`, "Write `/* … */`.");
    else if (unclosed)
      this.#add(unclosed.start, `The bracket is never closed: mail clients drop the rule \`${excerpt(written)}\`.`);
  }

  #takeBlock(content: Content, block: Block): void {
    this.#blocks.push(block);
    this.#at += 1;
    this.#isLost = false;
    this.#readBlock(content, block);
  }

  #takeDeclaration(span: Span, isDescriptor = false): void {
    if (this.#tokens[this.#at]?.kind === ";") this.#at += 1;
    if (this.#masked.isOpen(span.start, span.end)) return;
    const read = readDeclaration(span, this.#css);
    if ("message" in read) this.mistakes.push(read);
    else if (!isDescriptor) this.declarations.push(read);
  }

  /** Up to the sign that ends what begins here. */
  #takeSpan(): Span {
    const span = spanFrom(this.#tokens, this.#at);
    this.#at = span.next;
    return span;
  }

  /** The next token that means something. */
  #next(): CssToken | undefined {
    for (let token = this.#tokens[this.#at]; token; token = this.#tokens[this.#at]) {
      if (!isBlank(token)) return token;
      this.#at += 1;
    }
    return undefined;
  }

  /** Tells of a comment that swallows the rest; whether there is none. */
  #endComment(): boolean {
    const last = this.#tokens.at(-1);
    if (last?.kind !== "comment" || (last.text.length > 3 && last.text.endsWith("*/"))) return true;
    this.#add(last.start, "The comment is never closed: all that follows is a part of it.", "Add `*/`.");
    return false;
  }

  #findUnclosed(): void {
    const open = this.#blocks.filter(({ isClosed }) => !isClosed);
    if (open.length === 0 || !this.#masked.isEven((offset) => this.#depthAt(offset))) return;
    const block = this.#blocks.find((each) => this.#holdsNext(each)) ?? open.at(-1);
    if (!block || this.#isInUnknown(block)) return;
    this.unclosed = block.offset;
    if (this.#isSwallowed) return;
    const what = excerpt(block.written);
    this.#add(
      block.offset,
      `\`${what}\` is never closed: what follows is taken for a part of it.`,
      "Add the missing `}`.",
    );
  }

  /** Whether a rule that is written as the next one, no further to the right, is read as a part of this one. */
  #holdsNext(block: Block): boolean {
    const inner = this.#blocks.find(({ parent }) => parent === block);
    if (!block.isRule || !inner || inner.written.startsWith("&")) return false;
    return this.#columnOf(inner.offset) <= this.#columnOf(block.offset) && this.#hasLineBetween(block, inner);
  }

  #hasLineBetween(a: Block, b: Block): boolean {
    return this.#css.slice(a.offset, b.offset).includes("\n");
  }

  #columnOf(offset: number): number {
    return offset - this.#css.lastIndexOf("\n", offset - 1);
  }

  #isInUnknown({ written, parent }: Block): boolean {
    const name = /^@([\w-]+)/.exec(written)?.[1];
    if (name !== undefined && !GROUPS.test(name) && !DESCRIPTORS.test(name)) return true;
    return parent !== undefined && this.#isInUnknown(parent);
  }

  #depthAt(offset: number): number {
    let depth = 0;
    for (const { kind, start } of this.#tokens) {
      if (start >= offset) break;
      if (kind === "{") depth += 1;
      else if (kind === "}") depth -= 1;
    }
    return depth;
  }

  #written({ start, end }: Span): string {
    return this.#css.slice(start, end).trim();
  }

  #add(offset: number, message: string, hint?: string): void {
    this.mistakes.push({ offset, message, ...(hint !== undefined && { hint }) });
  }
}

function isDescriptive(block: Block | undefined): boolean {
  return block !== undefined && !block.isRule && /^@[\w-]+/.test(block.written);
}

function atRuleAround(block: Block | undefined): Block | undefined {
  return block?.isRule ? atRuleAround(block.parent) : block;
}
