import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement, EmailText } from "../../document/nodes.js";
import { cascadeOf } from "../../styles/cascade.js";
import { LIGHT, PHONE, type View } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";
import { isInvisible, visibleText } from "./visible-text.js";

/** What an inbox shows beside the subject, where a body says it itself. */
export interface Preheader {
  readonly element: EmailElement;
  /** Without its padding; Mustache tags as written. */
  readonly text: string;
  /** Whether invisible characters after it keep the first words of the body out of the inbox. */
  readonly isPadded: boolean;
  readonly at: () => SourcePosition;
  /** The hidden texts that the body begins with, and the tags of the sections around them. */
  readonly written: string;
}

/**
 * The hidden text that a body begins with.
 *
 * @example
 * preheaderOf(document)?.text; // "It works once, for {{validFor}}."
 */
export function preheaderOf(document: EmailDocument): Preheader | undefined {
  if (!known.has(document)) known.set(document, findPreheader(document));
  return known.get(document);
}

/** Several rules ask, one after the other. */
const known = new WeakMap<EmailDocument, Preheader | undefined>();

function findPreheader(document: EmailDocument): Preheader | undefined {
  const { hidden, written } = beginningOf(document);
  const first = hidden.find((node) => visibleText(node.text) !== "");
  const element = first && hiddenElementAround(document, first);
  if (!element) return undefined;
  const isPadded = isInvisible(element.text) || hidden.some((node) => isInvisible(node.text));
  return { element, text: visibleText(element.text), isPadded, at: () => placeOf(document, first), written };
}

/** The texts of the body that are hidden, up to the first that is read. */
function beginningOf(document: EmailDocument): { readonly hidden: EmailText[]; readonly written: string } {
  const { texts, body } = document;
  const hidden: EmailText[] = [];
  let written = "";
  for (const node of texts) {
    const around = [node.parent, ...node.parent.ancestors];
    if (!around.includes(body) || around.some(({ name }) => WORDLESS.has(name))) continue;
    if (!isSeen(document, node, LIGHT)) {
      // What is hidden on computers alone is no preheader.
      if (!isSeen(document, node, PHONE)) hidden.push(node);
    } else if (visibleText(node.text) !== "") break;
    written += node.text;
  }
  return { hidden, written };
}

/** Labels are part of the menus that MJML makes for phones. */
const WORDLESS: ReadonlySet<string> = new Set(["style", "script", "title", "label"]);

function hiddenElementAround(document: EmailDocument, { parent }: EmailText): EmailElement | undefined {
  return [parent, ...parent.ancestors].findLast(
    (element) => element !== document.body && isHidden(cascadeOf(document), element, LIGHT),
  );
}

function isSeen(document: EmailDocument, { parent }: EmailText, view: View): boolean {
  return !isHidden(cascadeOf(document), parent, view);
}

/** One that comes through a component is where the component is used. */
function placeOf(document: EmailDocument, node: EmailText): SourcePosition {
  const place = node.at();
  if (place.line !== undefined) return place;
  const written = [visibleText(node.text), "<Preview", "<mj-preview"];
  return written.map((each) => document.positionOf(each)).find(({ line }) => line !== undefined) ?? place;
}
