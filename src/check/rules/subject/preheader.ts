import { renderMustache } from "../../../mustache/fill.js";
import type { SourcePosition } from "../../../diagnostic.js";
import type { Engine } from "../../../template/template.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement, EmailText } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { cascadeOf } from "../../styles/cascade.js";
import { LIGHT, PHONE, type View } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { isInvisible, visibleText } from "./visible-text.js";

export const preheaderRule: Rule = {
  id: "preheader",
  summary: "A body does not begin with a preheader, or one that repeats the subject, or is too short or too long.",
  severity: "warning",
  checkTemplate(checked) {
    const { template, compiled, document } = checked;
    const preheader = preheaderOf(document);
    const blank = (text: string): boolean => visibleText(text) === "";
    const found = preheader && TruthTable.of(checked).blank({ text: preheader.written }, blank);
    if (!preheader || found)
      return [
        {
          message: `${found ? `With ${inWords(found.variables)} there` : "There"} is no preheader: inboxes will show the first words of the body beside the subject.`,
          at: preheader?.at() ?? placeIn(document, template.engine),
          hint: found ? "Say something in it for that case, too." : HINTS[template.engine],
        },
      ];
    if (bare(preheader.text) !== bare(compiled.subject)) return length(checked, preheader);
    return [
      {
        message: `The preheader repeats the subject, next to which inboxes show it: "${preheader.text}".`,
        at: preheader.at(),
        hint: "Say in it what a reader should know before opening the email.",
      },
    ];
  },
};

/** An empty preheader, else the body. */
function placeIn(document: EmailDocument, engine: Engine): SourcePosition {
  const empty = engine === "mjml" ? document.positionOf("<mj-preview") : undefined;
  if (empty?.line !== undefined) return empty;
  const at = document.body.at();
  return at.line === undefined ? document.positionOf(BODIES[engine]) : at;
}

const BODIES: Readonly<Record<Engine, string>> = { mjml: "<mj-body", react: "<Body", html: "<body" };

const HINTS: Readonly<Record<Engine, string>> = {
  mjml: "Add <mj-preview> to <mj-head>.",
  react: "Begin the body with <Preview>, which holds one sentence.",
  html: "Begin the body with a hidden element that holds one sentence.",
};

/** Tags print the same, escaped or not. */
function bare(text: string): string {
  return visibleText(text)
    .replace(/\{\{\{?\s*&?\s*([^{}]*?)\s*\}\}\}?/g, "{{$1}}")
    .replace(/[\p{P}\p{S}]+$/u, "")
    .toLowerCase();
}

/** Next to less than this an inbox shows the first words of the body, too. */
const SHORT = 20;
/** More than the widest inbox shows next to a subject. */
const LONG = 150;

function length(checked: CheckedTemplate, preheader: Preheader): Finding[] {
  const lengths = filledLengths(checked, preheader.text);
  const [longest, shortest] = [Math.max(...lengths), Math.min(...lengths)];
  const found = (message: string, hint: string): Finding[] => [{ severity: "info", message, at: preheader.at(), hint }];
  if (shortest > LONG)
    return found(`The preheader has ${shortest} characters; inboxes show about ${LONG}.`, "One sentence is enough.");
  if (longest >= SHORT || preheader.isPadded) return [];
  return found(
    `The preheader "${preheader.text}" is so short that inboxes show the first words of the body after it.`,
    "Write a whole sentence, or let invisible characters follow it in the hidden element.",
  );
}

function filledLengths({ compiled: { fixtures } }: CheckedTemplate, text: string): number[] {
  const all = fixtures.length === 0 ? [{}] : fixtures.map(({ variables }) => variables);
  return all.map((variables) => {
    try {
      return Array.from(visibleText(renderMustache(text, variables, { escape: "none" }))).length;
    } catch {
      // A section may have begun around the preheader.
      return Array.from(text).length;
    }
  });
}

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
