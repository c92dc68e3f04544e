import type { SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";
import type { SourceFile } from "../../project/template.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement, EmailText } from "../document/nodes.js";
import { memoizeByObject } from "../memoize.js";
import type { CheckedTemplate } from "../rule.js";
import { subjectPosition } from "../source-position.js";
import { textSources } from "../text-sources.js";
import { withoutTags } from "./texts.js";

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

/**
 * The paragraphs of the HTML body: the text of one block each, including its inline elements.
 *
 * @example
 * paragraphsOf(document).map(({ text }) => text); // ["Hello {{name}}, welcome.", "Help centre"]
 */
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
