import type { CssNode } from "css-tree";
import parse from "css-tree/parser";
import type { SourcePosition } from "../../diagnostic.js";
import type { EmailElement } from "./nodes.js";
import { type Find, runningPlaces } from "./running-places.js";

/** `color: red !important`, in a style attribute or in a rule. */
export interface Declaration {
  /** In lower case. */
  readonly property: string;
  /** As written, Mustache tags too, without `!important`. */
  readonly value: string;
  readonly important: boolean;
  at(): SourcePosition;
}

/** `a, b { color: red }` of a `style` element. */
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

interface Reading {
  /** A text with its tags as they were written. */
  readonly shown: (text: string) => string;
  readonly find: Find;
}

type ReadDeclaration = Omit<Declaration, "at">;

/** Few styles stand in many places, in one document and in all that share their parts. */
const known = new Map<string, readonly ReadDeclaration[]>();
const MOST_KNOWN = 10_000;

/** The declarations of a style attribute. What is no CSS is left out. */
export function readDeclarations(style: string, at: (property: string) => SourcePosition): Declaration[] {
  let read = known.get(style);
  if (!read) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(style, (read = parseDeclarations(style)));
  }
  return read.map((declaration) => ({ ...declaration, at: () => at(declaration.property) }));
}

function parseDeclarations(style: string): ReadDeclaration[] {
  if (style.trim() === "") return [];
  const list = parse(withoutTags(style), { context: "declarationList", positions: true, ...AS_TEXT });
  if (list.type !== "DeclarationList") return [];
  return list.children
    .toArray()
    .flatMap((node) =>
      node.type === "Declaration" ? [{ ...valueOf(node, style), property: node.property.toLowerCase() }] : [],
    );
}

/** The rules of a `style` element. */
export function readStylesheet(element: EmailElement, reading: Reading): { rules: StyleRule[]; atRules: AtRule[] } {
  const text = reading.shown(
    element.children.map((child) => (child.kind === "element" ? "" : child.tokenised)).join(""),
  );
  const rules: StyleRule[] = [];
  const atRules: AtRule[] = [];
  const next = runningPlaces(reading.find);

  const visit = (node: CssNode, within: readonly string[]): void => {
    if (node.type === "StyleSheet" || node.type === "Block") node.children.forEach((child) => visit(child, within));
    else if (node.type === "Atrule") {
      const prelude = node.prelude ? sliceOf(node.prelude, text) : "";
      const written = `@${node.name} ${prelude}`.trim();
      const place = next([written]);
      atRules.push({ name: node.name.toLowerCase(), prelude, element, at: () => place() ?? element.at() });
      if (node.block) visit(node.block, [...within, written]);
    } else if (node.type === "Rule") {
      const prelude = sliceOf(node.prelude, text);
      const place = next([`${prelude} {`, `${prelude}{`]);
      const at = (): SourcePosition => place() ?? element.at();
      const declarations = node.block.children.toArray().flatMap((each): Declaration[] => {
        if (each.type !== "Declaration") return [];
        const own = next([sliceOf(each, text)]);
        return [{ ...valueOf(each, text), property: each.property.toLowerCase(), at: () => own() ?? at() }];
      });
      const selectors = prelude.split(/,(?![^(]*\))/).map((selector) => selector.trim());
      rules.push({ selectors, declarations, within, element, at });
    }
  };
  visit(parse(withoutTags(text), { positions: true, ...AS_TEXT }), []);
  return { rules, atRules };
}

/** Values, selectors and preludes are wanted as texts. */
const AS_TEXT = { parseValue: false, parseRulePrelude: false, parseAtrulePrelude: false, onParseError: () => {} };

/** A tag is neither a block nor two of them: something as long as it, that has no meaning in CSS. */
function withoutTags(css: string): string {
  return css.replace(/\{\{[^]*?\}\}\}?/g, (tag) => "_".repeat(tag.length));
}

function valueOf(
  { value, important }: Extract<CssNode, { type: "Declaration" }>,
  text: string,
): Pick<Declaration, "value" | "important"> {
  return { value: sliceOf(value, text).trim(), important: important !== false };
}

function sliceOf({ loc }: CssNode, text: string): string {
  return loc ? text.slice(loc.start.offset, loc.end.offset) : "";
}
