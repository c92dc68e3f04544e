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

type ReadDeclaration = Omit<Declaration, "at">;

/** The declarations of a style attribute. Skips what is not valid CSS. */
export function readDeclarations(style: string, at: (property: string) => SourcePosition): Declaration[] {
  return parseDeclarations(style).map((declaration) => ({ ...declaration, at: () => at(declaration.property) }));
}

/** A few styles are repeated many times, within a document and across templates with shared parts. */
const parseDeclarations = memoizeByString(10_000, (style): readonly ReadDeclaration[] => {
  if (style.trim() === "") return [];
  const list = parse(withoutTags(style), { context: "declarationList", positions: true, ...AS_TEXT });
  if (list.type !== "DeclarationList") return [];
  return list.children
    .toArray()
    .flatMap((node) =>
      node.type === "Declaration" ? [{ ...valueOf(node, style), property: node.property.toLowerCase() }] : [],
    );
});

/** A parsed stylesheet, independent of a document. Each `offset` is the start of something in its text. */
interface ReadSheet {
  readonly rules: readonly (Pick<StyleRule, "selectors" | "within"> & {
    readonly declarations: readonly { readonly read: ReadDeclaration; readonly offset: number }[];
    readonly offset: number;
  })[];
  readonly atRules: readonly (Pick<AtRule, "name" | "prelude"> & { readonly offset: number })[];
}

/** The rules of a `style` element. */
export function readStylesheet(element: EmailElement): { rules: StyleRule[]; atRules: AtRule[] } {
  const text = textOfSheet(element);
  const sheet = parseSheet(text);
  const placed = (offset: number) => ({
    at: () => element.document.positionWithin(text, offset) ?? element.at(),
  });
  const rules = sheet.rules.map(({ selectors, declarations, within, offset }): StyleRule => {
    const own = declarations.map((each) => ({ ...each.read, ...placed(each.offset) }));
    return { selectors, declarations: own, within, element, ...placed(offset) };
  });
  const atRules = sheet.atRules.map(({ name, prelude, offset }) => ({ name, prelude, element, ...placed(offset) }));
  return { rules, atRules };
}

/** The content of a `style` element, with Mustache tags as written. */
export function textOfSheet({ children }: EmailElement): string {
  return children.map((child) => (child.kind === "element" ? "" : child.text)).join("");
}

/** Templates in a project share most of their stylesheets. */
const parseSheet = memoizeByString(100, (text): ReadSheet => {
  const rules: ReadSheet["rules"][number][] = [];
  const atRules: ReadSheet["atRules"][number][] = [];
  const visit = (node: CssNode, within: readonly string[]): void => {
    const offset = node.loc?.start.offset ?? 0;
    if (node.type === "StyleSheet" || node.type === "Block") node.children.forEach((child) => visit(child, within));
    else if (node.type === "Atrule") {
      const prelude = node.prelude ? sliceOf(node.prelude, text) : "";
      atRules.push({ name: node.name.toLowerCase(), prelude, offset });
      if (node.block) visit(node.block, [...within, `@${node.name} ${prelude}`.trim()]);
    } else if (node.type === "Rule") {
      const declarations = node.block.children.toArray().flatMap((each) => {
        if (each.type !== "Declaration") return [];
        const read = { ...valueOf(each, text), property: each.property.toLowerCase() };
        return [{ read, offset: each.loc?.start.offset ?? offset }];
      });
      rules.push({ selectors: selectorsOf(sliceOf(node.prelude, text)), declarations, within, offset });
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
