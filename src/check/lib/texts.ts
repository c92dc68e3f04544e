import { hasSection, replaceTags, withoutSectionTags } from "../../mustache/scan.js";
import { memoizeByObject } from "../../cache/memoize.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement, EmailNode, EmailText } from "../document/nodes.js";
import type { SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";
import type { SourceFile } from "../../project/template.js";
import type { CheckedTemplate } from "../rule.js";
import { subjectPosition, textSources } from "../checked-template.js";

/** Elements that directly contain readable text, each with the first such text. */
export const readTexts = memoizeByObject((document: EmailDocument): ReadonlyMap<EmailElement, string> => {
  const texts = new Map<EmailElement, string>();
  for (const { parent, text } of document.texts) {
    if (!texts.has(parent) && !UNSTYLED.has(parent.name) && READ.test(withoutSectionTags(text)))
      texts.set(parent, text);
  }
  return texts;
});

/** Letters or digits, also in variables; not just separators. */
const READ = /[\p{L}\p{N}]/u;

const UNSTYLED: ReadonlySet<string> = new Set(["style", "script", "title", "option", ""]);

/** The beginning of a string for a message, in one of the variants that recipients see. */
export function sampleOf(text: string): string {
  const first = text.replaceAll(/(\{\{\/[^}]*\}\})\s*\{\{\s*\^\s*([^}]*?)\s*\}\}[^]*?\{\{\s*\/\s*\2\s*\}\}/g, "$1");
  const words = withoutSectionTags(first).replaceAll(/\s+/g, " ").trim();
  return words.length > 30 ? `${words.slice(0, 29)}…` : words;
}

/** What a screen reader announces for an element: its label, or the text and alt texts inside it. */
export function accessibleName(element: EmailElement): string {
  return (
    normaliseSpace(withoutSectionTags(nameWithSections(element))) || normaliseSpace(element.attribute("title") ?? "")
  );
}

/** The accessible name without the title, with section tags kept. */
export function nameWithSections(node: EmailNode): string {
  if (node.kind === "comment") return "";
  if (node.kind === "text") return node.text;
  const label = node.attribute("aria-label") ?? (node.attributes.has("aria-labelledby") ? "{{}}" : "");
  // A label that is empty with some variables falls back to the element's content.
  const isSure = label.trim() !== "" && !hasSection(label);
  if (isSure) return ` ${label} `;
  if (node.name === "img") return ` ${label} ${node.attribute("alt") ?? ""} `;
  return node.name === "br" ? " " : label + node.children.map(nameWithSections).join("");
}

/** Removes invisible characters and extra white space. */
export function normaliseSpace(text: string): string {
  return text
    .replaceAll(/[\p{Cf}\u{34f}\u{2800}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Characters that show nothing: spaces, fillers and characters of no width. */
const BLANK =
  /(?:[\s\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point})+/gu;

/** The fewest invisible characters in a row that are padding. */
const PADDING = 10;

/**
 * What recipients see of a string, without the tags of sections.
 *
 * @example
 * visibleText(" Hi\u00A0 \u200C{{#a}}there{{/a}} "); // "Hi there"
 */
export function visibleText(text: string): string {
  const shown = withoutSectionTags(text);
  return shown.replace(isPlain(shown) ? SPACE : BLANK, " ").trim();
}

/** Whether a string contains padding: a run of invisible characters. */
export function isInvisible(text: string): boolean {
  return !isPlain(text) && RUN.test(text);
}

/** Whether a string is plain ASCII, as most are, so that the slow patterns have nothing to find. */
function isPlain(text: string): boolean {
  return /^[ -~\t\r\n]*$/.test(text);
}

const SPACE = /\s+/g;
const RUN = new RegExp(`(?:(?![ \\t\\r\\n])${BLANK.source.slice(0, -1)}[ \\t\\r\\n]*){${PADDING},}`, "u");

/** The text with U+FFFC in the place of each Mustache tag, a character that no pattern for words matches. */
export function withoutTags(text: string): string {
  return replaceTags(text, () => "\uFFFC");
}

/** Whether an element shows code, where any text may be intended. */
export function showsCode(element: EmailElement): boolean {
  return [element, ...element.ancestors, ...element.descendants].some(({ name }) => CODE.has(name));
}

const CODE: ReadonlySet<string> = new Set(["code", "pre", "kbd", "samp"]);

/** Text that is read as one: a paragraph, a line, an alt text, the subject. */
export interface Wording {
  /** With Mustache tags as written. */
  readonly text: string;
  /** With U+FFFC in the place of each tag. */
  readonly words: string;
  /** The element that contains it; undefined for the subject and the hand-written text body. */
  readonly element?: EmailElement;
  /** Where a part of it was written. */
  readonly at: (part: string) => SourcePosition;
}

type Paragraph = Wording & { readonly element: EmailElement };

/** The paragraphs of the HTML body: the text of one block each, including its inline elements. */
export const paragraphsOf = memoizeByObject((document: EmailDocument): readonly Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  let parts: (EmailText | "\n")[] = [];
  let block = document.body;
  const end = (next: EmailElement): void => {
    const text = textOf(parts);
    if (text !== "") paragraphs.push({ ...wording(text, placeIn(parts, block)), element: block });
    parts = [];
    block = next;
  };
  const visit = (element: EmailElement): void => {
    for (const child of element.children) {
      if (child.kind === "text") parts.push(child);
      if (child.kind !== "element" || NOT_READ.has(child.name)) continue;
      if (child.name === "br") parts.push("\n");
      if (INLINE.has(child.name)) visit(child);
      else {
        const outer = block;
        end(child);
        visit(child);
        end(outer);
      }
    }
  };
  visit(document.body);
  end(document.body);
  return paragraphs;
});

/** Everything that recipients read: the subject, paragraphs, names of images and links, the hand-written text body. */
export const wordingsOf = memoizeByObject((checked: CheckedTemplate): readonly Wording[] => [
  wording(checked.compiled.subject, () => subjectPosition(checked)),
  ...paragraphsOf(checked.document),
  ...checked.document.elements.flatMap(namesOf),
  ...textSources(checked).flatMap(linesOf),
]);

function wording(text: string, at: Wording["at"]): Wording {
  return { text, words: withoutTags(text), at };
}

function namesOf(element: EmailElement): Wording[] {
  return NAMES.flatMap((attribute) => {
    const text = element.attribute(attribute)?.trim();
    return text ? [{ ...wording(text, () => element.at(attribute)), element }] : [];
  });
}

const NAMES: readonly string[] = ["alt", "title", "aria-label"];

function linesOf({ file, text }: SourceFile): Wording[] {
  return Array.from(text.matchAll(/[^\n]+/g), ({ 0: line, index }) =>
    wording(line.trim(), (part) => ({ file, ...positionAt(text, index + Math.max(0, line.indexOf(part))) })),
  );
}

function textOf(parts: readonly (EmailText | "\n")[]): string {
  return parts
    .map((part) => (part === "\n" ? part : spaced(part.text)))
    .join("")
    .replace(/ *\n */g, "\n")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** `\s` matches U+FEFF, which no client shows as a space. */
function spaced(text: string): string {
  return text.replace(/[^\S\uFEFF]+/g, " ");
}

function placeIn(parts: readonly (EmailText | "\n")[], block: EmailElement): Wording["at"] {
  const nodes = parts.filter((part) => part !== "\n");
  return (part) => {
    const [first = ""] = part.split("\n");
    const nodeWith = (words: string) => nodes.find(({ text }) => spaced(text).includes(words));
    return (nodeWith(part) ?? nodeWith(first) ?? nodes[0])?.at(first) ?? block.at();
  };
}

const INLINE: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big br cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const NOT_READ: ReadonlySet<string> = new Set(
  "style script title head template noscript svg textarea select".split(" "),
);

/** `104448` as `104,448`. */
export function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}
