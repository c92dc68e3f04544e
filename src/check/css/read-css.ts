import parse from "css-tree/parser";
import type { CssNode } from "css-tree";
import { memoizeByString } from "../../cache/memoize.js";
import type { MistakeAt } from "../rule.js";
import {
  mistakeInDeclaration,
  unclosedBracket,
  excerpt,
  masked,
  cssTokens,
  type Masked,
  type CssToken,
} from "./declaration.js";

/** `color: red`, if it is well-formed. */
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
  /** The at-rule around it, as written. */
  readonly within: string | undefined;
}

/** A part of a stylesheet with its position. */
interface CssPart {
  readonly text: string;
  readonly offset: number;
}

/** A stylesheet or a style attribute, as browsers read it. */
interface ReadCss {
  /** Declarations in rules; descriptors such as those of `@font-face` are left out. */
  readonly declarations: readonly CssDeclaration[];
  readonly atRules: readonly CssAtRule[];
  /** The selectors of nested rules. */
  readonly nested: readonly CssPart[];
  /** Comments between declarations. Those between rules are harmless. */
  readonly comments: readonly CssPart[];
  /** What parsers ignore, in source order. */
  readonly mistakes: readonly MistakeAt[];
  /** The offset of a rule that is never closed: the CSS after it is not read as intended. */
  readonly unclosed: number | undefined;
}

export type CssKind = "sheet" | "style";

/** Reads CSS and finds its mistakes. CSS that depends on Mustache tags is skipped. */
export function readCss(css: string, kind: CssKind): ReadCss {
  return kind === "sheet" ? readSheet(css) : readStyle(css);
}

/** Templates share most of their styles. */
const readSheet = memoizeByString(50, (css): ReadCss => new Reader(css).readSheet());
const readStyle = memoizeByString(5000, (css): ReadCss => new Reader(css).readStyle());

/** Whether a style attribute has a comment. */
export function hasComment(style: string): boolean {
  return style.includes("/*") && readCss(style, "style").comments.length > 0;
}

interface Block {
  readonly isRule: boolean;
  readonly written: string;
  readonly offset: number;
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
  /** The selector of the first rule nested in it. */
  firstNested?: CssPart;
}

/** What is around a declaration. */
interface Surroundings {
  readonly within?: string | undefined;
  /** The rule, if there is one. */
  readonly block?: Block;
  /** Whether it is in an at-rule such as `@font-face`. */
  readonly isDescriptor?: boolean;
}

const GROUPS =
  /^(?:media|supports|layer|container|scope|starting-style|(?:-moz-)?document|(?:-(?:webkit|moz|o|ms)-)?keyframes)$/;
const DESCRIPTORS = /^(?:font-face|page|property|counter-style|font-palette-values|(?:-\w+-)?viewport)$/;
const PREPROCESSORS = /^(?:include|mixin|extend|if|else|each|for|while|function|return|use|forward|content)$/;
const COMPILE = "Compile it to CSS first.";

class Reader implements ReadCss {
  readonly declarations: CssDeclaration[] = [];
  readonly atRules: CssAtRule[] = [];
  readonly nested: CssPart[] = [];
  comments: readonly CssPart[] = [];
  readonly mistakes: MistakeAt[] = [];
  unclosed: number | undefined;
  readonly #css: string;
  readonly #masked: Masked;
  readonly #tokens: readonly CssToken[];
  readonly #blocks: Block[] = [];
  /** Whether an unclosed quote or bracket swallows the CSS after it, including braces. */
  #isSwallowed = false;

  constructor(css: string) {
    this.#css = css;
    this.#masked = masked(css);
    this.#tokens = cssTokens(this.#masked.text);
    this.comments = this.#tokens.flatMap(({ kind, text, start }) =>
      kind === "comment" ? [{ text, offset: start }] : [],
    );
  }

  readSheet(): ReadCss {
    this.#readRules(0, this.#css.length);
    this.comments = this.comments.filter(({ offset }) =>
      this.#blocks.some(({ isRule, start, end }) => isRule && start < offset && offset < end),
    );
    if (!this.#findOpenComment()) this.#findUnclosed();
    return this.#sorted();
  }

  readStyle(): ReadCss {
    const invalid = this.#tokens.find(
      ({ kind, start, end }) => /^(?:[{}]|at-keyword)$/.test(kind) && !this.#masked.isOpen(start, end),
    );
    if (invalid?.kind === "at-keyword")
      this.#add(invalid.start, `\`${invalid.text}\` has no meaning in a style attribute: email clients ignore it.`);
    else if (invalid)
      this.#add(
        invalid.start,
        `A style attribute can't contain braces: email clients ignore the declaration with this \`${invalid.text}\`.`,
      );
    for (const node of this.#parse("declarationList", 0, this.#css.length))
      if (!invalid || rangeOf(node).end <= invalid.start) this.#readInBlock(node);
    this.#findOpenComment();
    return this.#sorted();
  }

  #sorted(): ReadCss {
    this.mistakes.sort((a, b) => a.offset - b.offset);
    return this;
  }

  #parse(context: string, start: number, end: number): CssNode[] {
    const tree = parse(this.#masked.text.slice(start, end), { context, offset: start, ...OPTIONS });
    return "children" in tree && tree.children ? tree.children.toArray() : [];
  }

  /** @param parent The rule around them. */
  #readRules(start: number, end: number, within?: string, parent?: Block): void {
    for (const node of this.#parse("stylesheet", start, end)) this.#readRule(node, within, parent);
  }

  #readRule(node: CssNode, within: string | undefined, parent?: Block): void {
    const { start, end } = rangeOf(node);
    if (node.type === "Raw") this.#reportStray(start, end);
    else if (node.type === "Atrule") this.#readAtRule(node, within);
    else if (node.type === "Rule") {
      const prelude = rangeOf(node.prelude);
      const selector = { text: this.#css.slice(prelude.start, prelude.end).trim(), offset: start };
      if (parent) {
        this.nested.push(selector);
        parent.firstNested ??= selector;
      } else this.#reportStray(prelude.start, prelude.end, true);
      const block = this.#addBlock(node.block, { isRule: true, written: selector.text, offset: start });
      node.block.children.forEach((child) => this.#readInBlock(child, { within, block }));
    }
  }

  #readAtRule({ name: written, prelude, block, loc }: Extract<CssNode, { type: "Atrule" }>, within?: string): void {
    const name = written.toLowerCase();
    const offset = loc?.start.offset ?? 0;
    const { start, end } = prelude ? rangeOf(prelude) : { start: offset, end: offset + name.length + 1 };
    const text = prelude ? this.#css.slice(start, end).trim() : "";
    const whole = this.#css.slice(offset, end).trim();
    if (!this.#masked.isOpen(offset, end)) {
      const bracket = block ? undefined : unclosedBracket(cssTokens(this.#masked.text.slice(start, end)));
      if (PREPROCESSORS.test(name) || (text.startsWith(":") && !DESCRIPTORS.test(name)))
        this.#add(offset, `\`${excerpt(whole)}\` is preprocessor syntax, not CSS: email clients ignore it.`, COMPILE);
      else if (bracket) {
        this.#isSwallowed = true;
        this.#add(
          start + bracket.start,
          `The bracket is never closed: email clients ignore the whole \`@${name}\`.`,
          "Add `)`.",
        );
      } else this.atRules.push({ name, prelude: text, offset, within });
    }
    const isDescriptor = DESCRIPTORS.test(name);
    if (!block || !(isDescriptor || GROUPS.test(name))) return;
    this.#addBlock(block, { isRule: false, written: whole, offset });
    block.children.forEach((child) => {
      if (isDescriptor) this.#readInBlock(child, { isDescriptor });
      else this.#readRule(child, whole);
    });
  }

  #readInBlock(node: CssNode, { isDescriptor, within, block }: Surroundings = {}): void {
    const { start, end } = rangeOf(node);
    if (node.type === "Atrule") this.#readAtRule(node, within);
    if (node.type === "Rule") this.#readRule(node, within, block);
    if (this.#masked.isOpen(start, end)) return;
    if (node.type === "Raw" && block && node.value.includes("{")) {
      this.#readRules(start, end, within, block);
      return;
    }
    if (node.type !== "Declaration" && node.type !== "Raw") return;
    const tokens = cssTokens(this.#masked.text.slice(start, end)).filter(({ text }) => text !== ";");
    if (tokens.every(({ kind }) => kind === "whitespace")) return;
    const mistake = mistakeInDeclaration(node, tokens);
    if (mistake) {
      this.#isSwallowed ||= mistake.isOpen === true;
      this.#add(start, mistake.message, mistake.hint);
    } else if (node.type === "Declaration" && !isDescriptor) {
      const value = rangeOf(node.value);
      const text = this.#css.slice(value.start, value.end).trim();
      this.declarations.push({ property: node.property, value: text, offset: start });
    }
  }

  /** Reports text between rules, or at the start of a selector, that does not belong there. */
  #reportStray(start: number, end: number, isSelector = false): void {
    if (this.#masked.isOpen(start, end)) return;
    const text = this.#css.slice(start, end);
    const [plain = ""] = /^[^;}]*/.exec(withoutStrings(text)) ?? [];
    const [delimiter, rest] = [text.charAt(plain.length), excerpt(text.slice(plain.length + 1))];
    const dropped =
      rest === ""
        ? "email clients ignore it"
        : `email clients treat it as part of the next rule and ignore \`${rest}\``;
    const what = `\`${excerpt(text.slice(0, plain.length))}\``;
    if (plain.trim() === "" && delimiter === ";")
      this.#add(start, `This \`;\` is not needed: ${dropped}.`, "Remove it.");
    else if (plain.trim() === "" && delimiter === "}") {
      if (this.#masked.isEven((offset) => this.#depthAt(offset)))
        this.#add(start, `This \`}\` closes nothing: ${dropped}.`, "Remove it, or add the missing `{`.");
    } else if (/^\$[\w-]+\s*:/.test(plain))
      this.#add(start, `${what} is preprocessor syntax, not CSS: ${dropped}.`, COMPILE);
    else if (/^[^[("']*\/\//.test(plain))
      this.#add(
        start + plain.indexOf("//"),
        `\`//\` does not start a comment in CSS: email clients ignore the next rule.`,
        "Write `/* … */`.",
      );
    else if (delimiter !== "") this.#add(start, `${what} is not inside a rule: ${dropped}.`);
    else {
      const bracket = unclosedBracket(cssTokens(text));
      this.#isSwallowed ||= bracket !== undefined;
      if (bracket)
        this.#add(
          start + bracket.start,
          `The bracket is never closed: email clients ignore the rule ${what}.`,
          "Add the closing bracket.",
        );
      else if (!isSelector) this.#add(start, `${what} is not inside a rule: email clients ignore it.`);
    }
  }

  #addBlock(node: CssNode, rule: Pick<Block, "isRule" | "written" | "offset">): Block {
    const { start, end } = rangeOf(node);
    const block: Block = { ...rule, start, end, isClosed: this.#css.charAt(end - 1) === "}" };
    this.#blocks.push(block);
    return block;
  }

  /** Reports a comment that swallows the rest of the CSS. */
  #findOpenComment(): boolean {
    const last = this.#tokens.at(-1);
    if (last?.kind !== "comment" || (last.text.length > 3 && last.text.endsWith("*/"))) return false;
    this.#add(last.start, "The comment is never closed: everything after it is commented out.", "Add `*/`.");
    return true;
  }

  #findUnclosed(): void {
    const open = this.#blocks.filter(({ isClosed }) => !isClosed);
    if (open.length === 0 || !this.#masked.isEven((offset) => this.#depthAt(offset))) return;
    const block = this.#blocks.find((each) => this.#containsNextRule(each)) ?? open.at(-1);
    if (!block) return;
    this.unclosed = block.offset;
    if (this.#isSwallowed) return;
    const what = excerpt(block.written);
    this.#add(
      block.offset,
      `\`${what}\` is never closed: the CSS after it is treated as part of it.`,
      "Add the missing `}`.",
    );
  }

  /** Whether the first nested rule was probably meant to follow this one: it is not indented further. */
  #containsNextRule({ offset, firstNested }: Block): boolean {
    if (!firstNested || firstNested.text.startsWith("&")) return false;
    const isOnLaterLine = this.#css.slice(offset, firstNested.offset).includes("\n");
    return isOnLaterLine && this.#columnOf(firstNested.offset) <= this.#columnOf(offset);
  }

  #columnOf(offset: number): number {
    return offset - this.#css.lastIndexOf("\n", offset - 1);
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

  #add(offset: number, message: string, hint?: string): void {
    this.mistakes.push({ offset, message, ...(hint !== undefined && { hint }) });
  }
}

/** Replaces strings and comments with spaces: a `;` or `}` in them ends nothing. */
function withoutStrings(css: string): string {
  return css.replaceAll(/"[^"\n]*"|'[^'\n]*'|\/\*[^]*?\*\//g, (match) => " ".repeat(match.length));
}

/** Values, selectors and preludes are parsed by the code that needs them. */
const OPTIONS = {
  positions: true,
  parseValue: false,
  parseRulePrelude: false,
  parseAtrulePrelude: false,
  onParseError: () => undefined,
};

function rangeOf({ loc }: CssNode): { start: number; end: number } {
  return { start: loc?.start.offset ?? 0, end: loc?.end.offset ?? 0 };
}
