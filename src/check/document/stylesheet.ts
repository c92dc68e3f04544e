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

/** A stylesheet by itself: the same in all documents. */
interface ReadSheet {
  readonly rules: readonly {
    readonly selectors: readonly string[];
    readonly declarations: readonly { readonly read: ReadDeclaration; readonly place: number }[];
    readonly within: readonly string[];
    readonly place: number;
  }[];
  readonly atRules: readonly { readonly name: string; readonly prelude: string; readonly place: number }[];
  /** How a source can spell what is in it, in its order: each `place` is an index of these. */
  readonly spellings: readonly (readonly string[])[];
}

/** Templates of a project have most stylesheets in common. */
const knownSheets = new Map<string, ReadSheet>();
const MOST_SHEETS = 100;

/** The rules of a `style` element. */
export function readStylesheet(element: EmailElement, find: Find): { rules: StyleRule[]; atRules: AtRule[] } {
  const text = textOfSheet(element);
  let sheet = knownSheets.get(text);
  if (!sheet) {
    if (knownSheets.size >= MOST_SHEETS) knownSheets.clear();
    knownSheets.set(text, (sheet = parseSheet(text)));
  }
  const placeOf = runningPlaces(find, sheet.spellings);
  const rules = sheet.rules.map(({ selectors, declarations, within, place }): StyleRule => {
    const at = (): SourcePosition => placeOf(place) ?? element.at();
    const placed = declarations.map((each) => ({ ...each.read, at: () => placeOf(each.place) ?? at() }));
    return { selectors, declarations: placed, within, element, at };
  });
  const atRules = sheet.atRules.map(({ name, prelude, place }): AtRule => {
    return { name, prelude, element, at: () => placeOf(place) ?? element.at() };
  });
  return { rules, atRules };
}

/** What a `style` element holds, Mustache tags as written. */
export function textOfSheet({ children }: EmailElement): string {
  return children.map((child) => (child.kind === "element" ? "" : child.text)).join("");
}

function parseSheet(text: string): ReadSheet {
  const rules: ReadSheet["rules"][number][] = [];
  const atRules: ReadSheet["atRules"][number][] = [];
  const spellings: string[][] = [];
  const placeOf = (...spelt: string[]): number => spellings.push(spelt) - 1;

  const visit = (node: CssNode, within: readonly string[]): void => {
    if (node.type === "StyleSheet" || node.type === "Block") node.children.forEach((child) => visit(child, within));
    else if (node.type === "Atrule") {
      const prelude = node.prelude ? sliceOf(node.prelude, text) : "";
      const written = `@${node.name} ${prelude}`.trim();
      atRules.push({ name: node.name.toLowerCase(), prelude, place: placeOf(written) });
      if (node.block) visit(node.block, [...within, written]);
    } else if (node.type === "Rule") {
      const prelude = sliceOf(node.prelude, text);
      const place = placeOf(`${prelude} {`, `${prelude}{`);
      const declarations = node.block.children.toArray().flatMap((each) => {
        if (each.type !== "Declaration") return [];
        const read = { ...valueOf(each, text), property: each.property.toLowerCase() };
        return [{ read, place: placeOf(sliceOf(each, text)) }];
      });
      rules.push({ selectors: selectorsOf(prelude), declarations, within, place });
    }
  };
  visit(sheetTree(text), []);
  return { rules, atRules, spellings };
}

/** A stylesheet as a tree whose nodes know their places in the text; Mustache tags in it are names. */
export function sheetTree(text: string): CssNode {
  return parse(withoutTags(text), { positions: true, ...AS_TEXT });
}

/** The selectors of a list. */
export function selectorsOf(prelude: string): string[] {
  return prelude.split(/,(?![^(]*\))/).map((selector) => selector.trim());
}

/** Values, selectors and preludes are wanted as texts. */
const AS_TEXT = { parseValue: false, parseRulePrelude: false, parseAtrulePrelude: false, onParseError: () => {} };

/** A tag is neither a block nor two of them: something as long as it, that has no meaning in CSS. */
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
