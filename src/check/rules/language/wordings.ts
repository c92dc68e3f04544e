import type { SourcePosition } from "../../../diagnostic.js";
import { positionAt } from "../../../position.js";
import type { SourceFile } from "../../../template/template.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement, EmailText } from "../../document/nodes.js";
import type { CheckedTemplate } from "../../rule.js";
import { withoutTags } from "./plain.js";
import { textSources } from "../../text-sources.js";
import { subjectPosition } from "../../source-position.js";

/** Words that a reader reads in one go, Mustache tags as written. */
export interface Wording {
  readonly text: string;
  /** What is around them; undefined of the subject and the hand-written text body. */
  readonly element?: EmailElement;
  /** Where a part of them was written. */
  readonly at: (part: string) => SourcePosition;
}

/**
 * The paragraphs of an html body: what stands in one block, inline elements and all.
 *
 * @example
 * paragraphsOf(document).map(({ text }) => text); // ["Hello {{name}}, welcome.", "Help centre"]
 */
export function paragraphsOf(document: EmailDocument): readonly (Wording & { readonly element: EmailElement })[] {
  const known = read.get(document);
  if (known) return known;
  const paragraphs: (Wording & { readonly element: EmailElement })[] = [];
  let parts: (EmailText | "\n")[] = [];
  let block = document.body;
  const end = (next: EmailElement): void => {
    const text = parts.length === 0 ? "" : textOf(parts);
    if (text !== "") paragraphs.push({ text, element: block, at: placeIn(parts, block, document) });
    parts = [];
    block = next;
  };
  const visit = (element: EmailElement): void => {
    for (const child of element.children) {
      if (child.kind === "text") parts.push(child);
      if (child.kind !== "element" || WORDLESS.has(child.name)) continue;
      if (child.name === "br") parts.push("\n");
      if (INLINE.has(child.name)) visit(child);
      else {
        const around = block;
        end(child);
        visit(child);
        end(around);
      }
    }
  };
  visit(document.body);
  end(document.body);
  read.set(document, paragraphs);
  return paragraphs;
}

/** Several rules ask, one after the other. */
const read = new WeakMap<EmailDocument, readonly (Wording & { readonly element: EmailElement })[]>();

/** Everything that is read: paragraphs, what images and links are called, the subject, the hand-written text body. */
export function wordingsOf(checked: CheckedTemplate): readonly Wording[] {
  const known = wordings.get(checked);
  if (known) return known;
  const lines = textSources(checked).flatMap(linesOf);
  const all = [subjectOf(checked), ...paragraphsOf(checked.document), ...namesIn(checked.document), ...lines];
  wordings.set(checked, all);
  return all;
}

const wordings = new WeakMap<CheckedTemplate, readonly Wording[]>();

function namesIn({ elements }: EmailDocument): Wording[] {
  const names: Wording[] = [];
  for (const element of elements) {
    for (const attribute of NAMES) {
      const text = element.attribute(attribute)?.trim();
      if (text) names.push({ text, element, at: () => element.at(attribute) });
    }
  }
  return names;
}

const NAMES: readonly string[] = ["alt", "title", "aria-label"];

/** All of them, each in lines of its own, Mustache tags aside: what is not in it is in none. */
export function allWords(checked: CheckedTemplate): string {
  const known = joined.get(checked);
  if (known !== undefined) return known;
  const words = wordingsOf(checked)
    .map(({ text }) => withoutTags(text))
    .join(BETWEEN);
  joined.set(checked, words);
  return words;
}

/** What follows it is no part of what stands before it, to no pattern. */
const BETWEEN = "\n\0\n";
const joined = new WeakMap<CheckedTemplate, string>();

export function subjectOf(checked: CheckedTemplate): Wording {
  return { text: checked.compiled.subject, at: () => subjectPosition(checked) };
}

function linesOf({ file, text }: SourceFile): Wording[] {
  return Array.from(text.matchAll(/[^\n]+/g), ({ 0: found, index }) => ({
    text: found.trim(),
    at: (part) => ({ file, ...positionAt(text, index + Math.max(0, found.indexOf(part))) }),
  }));
}

function textOf(parts: readonly (EmailText | "\n")[]): string {
  return parts
    .map((part) => (part === "\n" ? part : spaced(part.text)))
    .join("")
    .replace(/ *\n */g, "\n")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** JavaScript takes U+FEFF for a space, and no client does. */
function spaced(text: string): string {
  return text.replace(/[^\S\uFEFF]+/g, " ");
}

function placeIn(parts: readonly (EmailText | "\n")[], block: EmailElement, document: EmailDocument): Wording["at"] {
  const nodes = parts.filter((part) => part !== "\n");
  return (part) => {
    const [first = ""] = part.split("\n");
    const nodeWith = (words: string) => nodes.find(({ text }) => spaced(text).includes(words));
    const node = nodeWith(part) ?? nodeWith(first) ?? nodes[0];
    return node ? placeOf(node, first, document) : block.at();
  };
}

/** What a component is given stands where it is used, and not where the component prints it. */
function placeOf(node: EmailText, part: string, document: EmailDocument): SourcePosition {
  const [place, around] = [node.at(part), node.parent.at()];
  if (place.line !== around.line || place.column !== around.column || part.length < 4) return place;
  const found = document.positionOf(part);
  return found.line === undefined ? place : found;
}

const INLINE: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big br cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const WORDLESS: ReadonlySet<string> = new Set(
  "style script title head template noscript svg textarea select".split(" "),
);
