import { memoizeByString } from "../../cache/memoize.js";
import type { CssNode } from "css-tree";
import parse from "css-tree/parser";
import type { SourcePosition } from "../../diagnostic.js";
import type { EmailElement } from "./nodes.js";

/** `color: red !important`, in a style attribute or a rule. */
export interface Declaration {
  /** In lower case. */
  readonly property: string;
  /** As written, including Mustache tags, without `!important`. */
  readonly value: string;
  readonly important: boolean;
  at(): SourcePosition;
}

/** `a, b { color: red }` in a `style` element. */
export interface StyleRule {
  readonly selectors: readonly string[];
  readonly declarations: readonly Declaration[];
  /** The at-rules around it, outermost first: `@media (max-width: 600px)`. */
  readonly within: readonly string[];
  readonly element: EmailElement;
  at(): SourcePosition;
}

/** `@media (max-width: 600px) { … }` */
export interface AtRule {
  /** In lower case, without `@`. */
  readonly name: string;
  readonly prelude: string;
  readonly element: EmailElement;
  at(): SourcePosition;
}

/** A part of CSS, independent of a document: `offset` is where it starts in the text. */
type Parsed<Part> = Omit<Part, "at" | "element" | "declarations"> & { readonly offset: number };

interface ParsedSheet {
  readonly rules: readonly (Parsed<StyleRule> & { readonly declarations: readonly Parsed<Declaration>[] })[];
  readonly atRules: readonly Parsed<AtRule>[];
}

/** The declarations of a style attribute. Skips what is not valid CSS. */
export function readDeclarations(style: string, at: (property: string) => SourcePosition): Declaration[] {
  return parseDeclarations(style).map((declaration) => ({ ...declaration, at: () => at(declaration.property) }));
}

/** A few styles are repeated many times, within a document and across templates with shared parts. */
const parseDeclarations = memoizeByString(10_000, (style): readonly Parsed<Declaration>[] => {
  if (style.trim() === "") return [];
  return declarationsIn(parse(withoutTags(style), { context: "declarationList", positions: true, ...AS_TEXT }), style);
});

function declarationsIn(list: CssNode, text: string): Parsed<Declaration>[] {
  if (list.type !== "DeclarationList" && list.type !== "Block") return [];
  return list.children.toArray().flatMap((node) => {
    if (node.type !== "Declaration") return [];
    const property = node.property.toLowerCase();
    return [{ ...valueOf(node, text), property, offset: node.loc?.start.offset ?? 0 }];
  });
}

/** The rules of a `style` element. */
export function readStylesheet(element: EmailElement): { rules: StyleRule[]; atRules: AtRule[] } {
  const text = textOfSheet(element);
  const sheet = parseSheet(text);
  const placed = (offset: number) => ({
    element,
    at: () => element.document.positionWithin(text, offset) ?? element.at(),
  });
  const rules = sheet.rules.map((rule): StyleRule => {
    const declarations = rule.declarations.map((each) => ({ ...each, ...placed(each.offset) }));
    return { ...rule, declarations, ...placed(rule.offset) };
  });
  return { rules, atRules: sheet.atRules.map((rule) => ({ ...rule, ...placed(rule.offset) })) };
}

/** The content of a `style` element, with Mustache tags as written. */
export function textOfSheet({ children }: EmailElement): string {
  return children.map((child) => (child.kind === "element" ? "" : child.text)).join("");
}

/** Templates in a project share most of their stylesheets. */
const parseSheet = memoizeByString(100, (text): ParsedSheet => {
  const rules: ParsedSheet["rules"][number][] = [];
  const atRules: ParsedSheet["atRules"][number][] = [];
  const visit = (node: CssNode, within: readonly string[]): void => {
    const offset = node.loc?.start.offset ?? 0;
    if (node.type === "StyleSheet" || node.type === "Block") node.children.forEach((child) => visit(child, within));
    else if (node.type === "Atrule") {
      const prelude = node.prelude ? sliceOf(node.prelude, text) : "";
      atRules.push({ name: node.name.toLowerCase(), prelude, offset });
      if (node.block) visit(node.block, [...within, `@${node.name} ${prelude}`.trim()]);
    } else if (node.type === "Rule") {
      const selectors = selectorsOf(sliceOf(node.prelude, text));
      rules.push({ selectors, declarations: declarationsIn(node.block, text), within, offset });
    }
  };
  visit(sheetTree(text), []);
  return { rules, atRules };
});

/** The AST of a stylesheet, with positions. Mustache tags are parsed as names. */
export function sheetTree(text: string): CssNode {
  return parse(withoutTags(text), { positions: true, ...AS_TEXT });
}

/** The selectors of a list. */
export function selectorsOf(prelude: string): string[] {
  return prelude.split(/,(?![^(]*\))/).map((selector) => selector.trim());
}

/** Keeps values, selectors and preludes as strings. */
const AS_TEXT = { parseValue: false, parseRulePrelude: false, parseAtrulePrelude: false, onParseError: () => {} };

/** Replaces Mustache tags with a name of the same length, because their braces are not CSS blocks. */
function withoutTags(css: string): string {
  return css.replace(/\{\{[^]*?\}\}\}?/g, (tag) => "_".repeat(tag.length));
}

export function valueOf(
  { value, important }: Extract<CssNode, { type: "Declaration" }>,
  text: string,
): Pick<Declaration, "value" | "important"> {
  return { value: sliceOf(value, text).trim(), important: important !== false };
}

export function sliceOf({ loc }: CssNode, text: string): string {
  return loc ? text.slice(loc.start.offset, loc.end.offset) : "";
}
