import type { SourceFile } from "../../project/template.js";
import type { Findings } from "../findings.js";
import { tagsIn, TOKEN } from "../../mustache/tokens.js";
import { nearest } from "../../text/nearest.js";
import { type MjmlJson, type MjmlLibrary, type SectionTags, toMjmlValue } from "./library.js";
import type { SourcePosition } from "../../diagnostic.js";
import { type Attribute, SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import type { MappedText } from "../source/mapped-text.js";
import { entryOf } from "../../values.js";

/** The `<mjml>` element of a body, with one mj-body and at most one mj-head: MJML drops further ones. */
export function takeDocument(
  roots: readonly MjmlElement[],
  body: SourceFile,
  findings: Findings,
): MjmlElement | undefined {
  const document = roots.find(({ tagName }) => tagName === "mjml");
  if (!document) {
    const at = { file: body.file, line: 1, column: 1 };
    // A file that can't be read has been reported already.
    const hint =
      "If other templates include this file, put it into a folder whose name begins with _, such as _shared.";
    if (!findings.hasErrors) findings.error("mjml-structure", "This file has no <mjml> element.", at, hint);
    return undefined;
  }
  for (const root of roots) {
    if (root === document) continue;
    const what = root.isBareTag ? "A Mustache tag" : `<${root.tagName}>`;
    findings.error("mjml-structure", `${what} is outside <mjml>, where MJML drops it.`, positionOf(root));
  }
  const bodies = document.children.filter(({ tagName }) => tagName === "mj-body");
  const heads = document.children.filter(({ tagName }) => tagName === "mj-head");
  if (bodies.length === 0) findings.error("mjml-structure", "<mjml> has no <mj-body>.", positionOf(document));
  for (const second of [...bodies.slice(1), ...heads.slice(1)]) {
    const message = `There is a second <${second.tagName}>, which MJML drops.`;
    findings.error("mjml-structure", message, positionOf(second), "Put its elements into the first one.");
  }
  for (const child of document.children) {
    if (child.tagName !== "mj-raw" || child.isBareTag || attributeValue(child, "position") === "file-start") continue;
    const hint = 'Put it into <mj-head> or <mj-body>, or give it position="file-start".';
    findings.error("mjml-lost-text", "MJML drops HTML directly inside <mjml>.", positionOf(child), hint);
  }
  return document;
}

/** An element and all its descendants, in source order. */
export function elementsOf(element: MjmlElement, elements: MjmlElement[] = []): MjmlElement[] {
  elements.push(element);
  for (const child of element.children) elementsOf(child, elements);
  return elements;
}

/** The elements in mj-attributes, which set defaults. */
export function defaultElements(document: MjmlElement): MjmlElement[] {
  return elementsOf(document).flatMap(({ tagName, children }) => (tagName === "mj-attributes" ? children : []));
}

/** Tokenised; of several titles, MJML uses the last. */
export function titleOf(document: MjmlElement): string | undefined {
  return elementsOf(document).findLast(({ tagName }) => tagName === "mj-title")?.content?.text;
}

/** The numbers of the tags in an element and its descendants, in source order. */
export function tagsOf(document: MjmlElement): number[] {
  return elementsOf(document).flatMap(({ attributes, content }) =>
    [...attributes.flatMap(({ name, value }) => [name, value]), content?.text ?? ""].flatMap((text) => tagsIn(text)),
  );
}

/** The numbers of the tags in CSS that MJML inlines: if no element matches their rule, they need not be printed. */
export function inlinedTags(document: MjmlElement): number[] {
  return elementsOf(document)
    .filter(isInlined)
    .flatMap(({ content }) => tagsIn(content?.text ?? ""));
}

export function isInlined(element: MjmlElement): boolean {
  return element.tagName === "mj-style" && attributeValue(element, "inline") === "inline";
}

/** Elements that MJML reads without a component; users choose their attributes. */
const WITHOUT_COMPONENT: readonly string[] = ["mjml", "mj-all", "mj-class", "mj-selector", "mj-html-attribute"];

/** All names of MJML elements. */
export function elementNames({ components }: Pick<MjmlLibrary, "components">): ReadonlySet<string> {
  return new Set([...Object.keys(components), ...WITHOUT_COMPONENT, "mj-include"]);
}

/** The element that an unknown name was most likely meant to be. */
export function meantElement(name: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(name) || name.search(TOKEN) >= 0 || entryOf(EARLIER, name) !== undefined) return undefined;
  // "mj-li" is similar to "mjml", but was not meant to be it.
  const likely = name.startsWith("mj-") ? [...names].filter((each) => each.startsWith("mj-")) : names;
  return nearest(name, likely);
}

/** Elements that MJML had before version 4, and their replacements. */
const EARLIER: Readonly<Record<string, string>> = {
  "mj-container": "Since MJML 4, write its elements and attributes in <mj-body>.",
  "mj-html": "Since MJML 4, it is called <mj-raw>.",
  "mj-inline-links": "Since MJML 4, <mj-navbar> contains the links itself.",
  "mj-invoice": "Since MJML 4, write an invoice as an <mj-table>.",
  "mj-invoice-item": "Since MJML 4, write an invoice as an <mj-table>.",
  "mj-li": "Since MJML 4, write a list as HTML, in <mj-text>.",
  "mj-link": "Since MJML 4, it is called <mj-navbar-link>.",
  "mj-list": "Since MJML 4, write a list as HTML, in <mj-text>.",
  "mj-location": "Since MJML 4, write an address as an <mj-text>.",
};

/** A hint for an unknown element. */
export function hintForElement(name: string): string {
  const isOwn = name.startsWith("mj-") && name.search(TOKEN) < 0;
  return (
    entryOf(EARLIER, name) ??
    (isOwn
      ? "Only MJML's own elements can be used. Put HTML into <mj-text> or <mj-raw>."
      : "Put HTML into <mj-text> or <mj-raw>.")
  );
}

/** A string to be read as MJML, and the files that led to it, beginning with the template's body. */
export interface MjmlSource {
  readonly mapped: MappedText;
  readonly chain: readonly SourceFile[];
}

/** The content of an element that contains no elements: HTML, CSS, or text. */
export interface MjmlContent {
  readonly text: string;
  /** Its offset in the source's mapped text. */
  readonly start: number;
}

/** An element of the source. Mutable, because includes are replaced in place. */
export interface MjmlElement {
  readonly tagName: string;
  readonly source: MjmlSource;
  /** Its offset in the source's mapped text. */
  readonly start: number;
  attributes: readonly Attribute[];
  children: MjmlElement[];
  content?: MjmlContent;
  /** The number of its source position, in a sited compile. */
  site?: string;
  /** The sections in which its wrapper's gap is above it; absent if MJML decides. */
  gapIn?: readonly SectionTags[];
  /** Its name was misspelt, and is read as the most similar one. */
  readonly isMistyped?: true;
  /** Represents a tag written between elements, where MJML drops all text. */
  readonly isBareTag?: true;
}

export function positionOf(element: MjmlElement, offset = element.start): SourcePosition {
  return element.source.mapped.positionAt(offset);
}

export function attributeValue(element: MjmlElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.name === name)?.value;
}

/**
 * Builds the tree that MJML's own parser would build.
 *
 * @param valueOf Returns an attribute's value; by default, as written.
 */
export function toJson(element: MjmlElement, valueOf = ({ value }: Attribute): string => value): MjmlJson {
  const attributes: Record<string, string | boolean> = element.site ? { [SITE_ATTRIBUTE]: element.site } : {};
  for (const attribute of element.attributes) {
    if (!Object.hasOwn(attributes, attribute.name)) attributes[attribute.name] = printable(element, valueOf(attribute));
  }
  return {
    tagName: element.tagName,
    attributes,
    ...(element.children.length > 0 && { children: element.children.map((child) => toJson(child, valueOf)) }),
    ...(element.content && element.content.text !== "" && { content: contentOf(element.content.text) }),
    ...(element.isBareTag && { isBareTag: element.isBareTag }),
    ...(element.gapIn && { gapIn: element.gapIn }),
  };
}

/** MJML prints values in double quotes without escaping, except those that it parses itself. */
function printable({ tagName }: MjmlElement, value: string): string | boolean {
  return toMjmlValue(tagName === "mj-selector" ? value : value.replaceAll('"', "&quot;"));
}

/**
 * MJML joins its own adjacent conditional comments, and mistakes the end of a raw one for its own: of `<!--<![endif]-->`,
 * only the first four characters would be left. A comment between them prevents that.
 */
function contentOf(text: string): string {
  return text.endsWith("<![endif]-->") ? `${text}<!-- -->` : text;
}
