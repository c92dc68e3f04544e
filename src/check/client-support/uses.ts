import { memoizeByString } from "../../cache/memoize.js";
import { hasComment, readCss } from "../css/read-css.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { Declaration } from "../document/stylesheet.js";
import type { Feature } from "./data.js";
import { featuresOfAtRule, featuresOfDeclaration, featuresOfElement, featuresOfSelector } from "./features.js";
import type { SourcePosition } from "../../diagnostic.js";
import type { Sources } from "../document/sources.js";

/** Every use of these features, in document order. */
export function* usesIn(document: EmailDocument, features: ReadonlySet<Feature>): Generator<Use> {
  const anchors = new Set(
    document.elements.flatMap(({ attributes }) => [attributes.get("id"), attributes.get("name")]),
  );
  for (const element of document.elements) {
    for (const { feature, attribute } of featuresOfElement(element.name, element.attributes)) {
      const value = attribute === undefined ? "" : (element.attribute(attribute) ?? "");
      // Links such as `#` are placeholders.
      if (!features.has(feature) || (feature === "html-anchor-links" && !anchors.has(value.slice(1)))) continue;
      const by: Use["by"] =
        attribute === undefined ? { kind: "element" } : { kind: "attribute", name: attribute, value };
      // A client that does not support `source` shows the `img`.
      yield { feature, element, by, hasFallback: element.name === "source" };
    }
    const style = element.attribute("style");
    if (style && features.has("css-comments") && hasComment(style))
      yield { feature: "css-comments", element, by: { kind: "attribute", name: "style", value: style } };
    if (style)
      yield* inDeclarations(
        element.style,
        { element, requires: [], declared: featuresOfStyle(style, element) },
        features,
      );
    if (element.name === "style") yield* inSheet(element, document, features);
  }
  for (const { selectors, declarations, within, element } of document.styleRules) {
    const general = selectors.filter((selector) => !CLIENT_HOOKS.test(selector));
    if (general.length === 0) continue;
    const around = within.flatMap(featuresAround);
    const selector = general.join(", ");
    const own = new Set(general.flatMap(featuresOfSelector));
    if (general.length > 1) own.add("css-selector-grouping");
    for (const feature of own) {
      if (features.has(feature)) yield { feature, element, by: { kind: "selector", selector }, requires: around };
    }
    const requires = general.length === 1 ? [...around, ...own] : around;
    yield* inDeclarations(declarations, { element, requires, declared: featuresOf(declarations) }, features);
  }
  for (const { name, prelude, element } of document.atRules) {
    for (const feature of featuresOfAtRule(name, prelude)) {
      if (features.has(feature)) yield { feature, element, by: { kind: "at-rule", name, prelude } };
    }
  }
}

/** Comments inside rules of a stylesheet, and nested rules. */
function* inSheet(element: EmailElement, document: EmailDocument, features: ReadonlySet<Feature>): Generator<Use> {
  const { nested, comments, unclosed = Infinity } = readCss(element.text, "sheet");
  const at = (offset: number) => document.positionWithin(element.text, offset);
  for (const { text, offset } of features.has("css-nesting") ? nested : []) {
    // Rules after an unclosed rule are not nested on purpose.
    if (offset > unclosed) break;
    yield { feature: "css-nesting", element, by: { kind: "nesting", selector: text, at: at(offset) } };
  }
  for (const { text, offset } of features.has("css-comments") ? comments : [])
    yield { feature: "css-comments", element, by: { kind: "comment", text, at: at(offset) } };
}

/**
 * Selectors that target a single client on purpose: links added by Apple and Gmail, Outlook's dark mode, the elements that
 * Gmail, Yahoo! and Outlook.com wrap around an email, and Android's margin. https://howtotarget.email lists them.
 */
const CLIENT_HOOKS =
  /x-apple-data-detectors|\[data-og[a-z]{2}\]|\[owa\]|^u \+|\bu ?\+ ?[.#]|\.ii\b|#MessageViewBody|\.ExternalClass|#outlook\b|\.moz-text-html|\.yshortcuts|\.ReadMsgBody|\[class~="?x_|\.gmail-fix|#msgBody|\.aBn\b|\.a6S\b|\.a5q\b|\.im\b|\[style\*=["']?margin: ?16px 0/i;

/** The features of an at-rule around other rules, such as `@media print`. */
function featuresAround(written: string): Feature[] {
  const [, name = "", prelude = ""] = /^@([\w-]+)\s*([^]*)$/.exec(written) ?? [];
  return featuresOfAtRule(name.toLowerCase(), prelude);
}

type Declared = readonly (readonly Feature[])[];

function featuresOf(declarations: readonly Declaration[]): Declared {
  return declarations.map(({ property, value, important }) => featuresOfDeclaration(property, value, important));
}

/** Compiled HTML repeats most of its style attributes, also across documents. */
const featuresOfStyle = memoizeByString(10_000, (_style, element: EmailElement) => featuresOf(element.style));

function inDeclarations(
  declarations: readonly Declaration[],
  { element, requires, declared }: Required<Pick<Use, "element" | "requires">> & { readonly declared: Declared },
  features: ReadonlySet<Feature>,
): Use[] {
  const uses: Use[] = [];
  for (const [index, { property, value }] of declarations.entries())
    for (const feature of declared[index] ?? []) {
      if (!features.has(feature) || (property !== "display" && isHidden(declarations))) continue;
      // A client that drops a declaration uses an earlier one for the same property, or the colour behind an image.
      const isImage = /^background(?!-color)/.test(property) && /^image-|-gradient$|^css-background/.test(feature);
      const hasFallback =
        declarations.slice(0, index).some((other) => other.property === property && other.value !== value) ||
        (isImage && hasColour(declarations, element));
      uses.push({ feature, element, by: { kind: "declaration", property, value }, requires, hasFallback });
    }
  return uses;
}

/** Hidden content such as a preheader is hidden in several ways, at least one of which works in each client. */
function isHidden(declarations: readonly Declaration[]): boolean {
  return declarations.some(({ property, value }) => property === "display" && /^\s*none\s*$/i.test(value));
}

function hasColour(declarations: readonly Declaration[], { attributes }: EmailElement): boolean {
  return attributes.has("bgcolor") || declarations.some(({ property }) => property === "background-color");
}

/** One use of a feature in compiled HTML. */
export interface Use {
  readonly feature: Feature;
  /** The part of the HTML or CSS that uses it. */
  readonly by:
    | { readonly kind: "element" }
    | { readonly kind: "attribute"; readonly name: string; readonly value: string }
    | { readonly kind: "declaration"; readonly property: string; readonly value: string }
    | { readonly kind: "selector"; readonly selector: string }
    | { readonly kind: "at-rule"; readonly name: string; readonly prelude: string }
    | { readonly kind: "nesting"; readonly selector: string; readonly at: SourcePosition | undefined }
    | { readonly kind: "comment"; readonly text: string; readonly at: SourcePosition | undefined };
  /** The element with it; for a stylesheet, the `style` element. */
  readonly element: EmailElement;
  /** The features that a client needs to reach it: those of the at-rules and the selector around a declaration. */
  readonly requires?: readonly Feature[];
  /** Whether clients without support use a fallback: an earlier, simpler value, or the colour behind an image. */
  readonly hasFallback?: boolean;
}

/** A use in source form: `display: flex`, `a:hover`, `@media (hover)`, `<video>`, `loading="lazy"`. */
export function wording({ by, element }: Pick<Use, "by" | "element">): string {
  if (by.kind === "element") return `<${element.name}>`;
  if (by.kind === "comment") return by.text;
  if (by.kind === "attribute") return `${by.name}="${by.value}"`;
  if (by.kind === "declaration") return `${by.property}: ${by.value}`;
  return by.kind === "at-rule" ? `@${by.name} ${by.prelude}`.trim() : by.selector;
}

/** Whether a use is a declaration in a style attribute, so that the element that it affects is known. */
export function isInline({ by, element }: Pick<Use, "by" | "element">): boolean {
  return by.kind === "declaration" && element.name !== "style";
}

/**
 * Finds the source position of a feature's use in compiled HTML. Compilers add a lot of markup for old clients: a use that is
 * not in the template's files comes from them.
 */
export class Written {
  readonly #sources: Sources;
  readonly #matches = new Map<string, SourcePosition[]>();

  constructor({ sources }: EmailDocument) {
    this.#sources = sources;
  }

  /** Undefined if the use comes from a compiler or a package's component. */
  find(use: Use): WrittenAt | undefined {
    const { element, by } = use;
    if (by.kind === "nesting" || by.kind === "comment") return by.at && { at: by.at };
    const { name, whole } = patternsOf(use);
    const isOfSheet = element.name === "style" && by.kind !== "element" && by.kind !== "attribute";
    const located = isOfSheet ? undefined : [element, ...element.ancestors].find(({ place }) => place);
    const tag = located?.place && this.#sources.tagAt(located.place.at);
    const text = tag ? this.#sources.textOf(tag) : "";
    const isOwn = located === element;
    const inTag = tag && new RegExp(isOwn ? name : whole, "i").exec(text);
    const at = inTag ? this.#sources.at(tag.file, tag.start + inTag.index) : this.#inSources(whole, isOfSheet);
    if (at) return { at };
    if (!located?.place || !isOwn || by.kind !== "declaration") return undefined;
    // A computed value is not in the source.
    const computed = /\sstyle=\{/.test(text) ? this.#inSources(name) : undefined;
    if (computed) return { at: computed };
    return /\sclassName=/.test(text) ? { at: located.place.at, byClass: true } : undefined;
  }

  /** The first match; with `inTurn`, each call returns the next one. */
  #inSources(pattern: string, inTurn = false): SourcePosition | undefined {
    const places = this.#matches.get(pattern) ?? this.#search(pattern);
    this.#matches.set(pattern, places);
    return inTurn && places.length > 1 ? places.shift() : places[0];
  }

  #search(pattern: string): SourcePosition[] {
    return Array.from(this.#sources.texts).flatMap(([file, text]) =>
      Array.from(text.matchAll(new RegExp(pattern, "gi")), ({ index }) => this.#sources.at(file, index)),
    );
  }
}

/** The source position of a use. */
interface WrittenAt {
  readonly at: SourcePosition;
  /** Whether the source has a class name instead. */
  readonly byClass?: true;
}

/** Patterns for a use in HTML or JSX source: for its name alone, and for all of it. */
function patternsOf({ by, element }: Use): { readonly name: string; readonly whole: string } {
  if (by.kind === "element") return literal(`<${element.name}`, "", "(?![\\w-])");
  if (by.kind === "attribute" && by.value === "") return literal(by.name, "(?<![\\w-])", "(?![\\w-])");
  if (by.kind === "attribute") return named(`${escape(by.name)}\\s*=\\s*`, by.value);
  if (by.kind !== "declaration") return literal(wording({ by, element }));
  const camel = by.property.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return named(`(?:${escape(by.property)}|${escape(camel)})["']?\\s*[:=]\\s*`, by.value);
}

function named(start: string, value: string): { readonly name: string; readonly whole: string } {
  const name = `(?<![\\w-])${start}`;
  return { name, whole: `${name}["'\`{]*${spaced(value).replaceAll(/(\d)px\b/g, "$1(?:px)?")}` };
}

function literal(text: string, before = "", after = ""): { readonly name: string; readonly whole: string } {
  const pattern = `${before}${spaced(text)}${after}`;
  return { name: pattern, whole: pattern };
}

/** Allows white space between words and punctuation. */
function spaced(text: string): string {
  return (text.slice(0, LONGEST).match(/[\w-]+|\S/g) ?? []).map(escape).join("\\s*");
}

const LONGEST = 200;

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
