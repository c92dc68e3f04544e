import { scanMarkup } from "../../text/markup/scan.js";
import { findVariable, Scope } from "../../mustache/scope.js";
import { restore, roleOf, TOKEN } from "../../mustache/tokens.js";
import type { Variables } from "../../mustache/variables.js";
import { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { CheckedTemplate } from "../rule.js";
import { type Branch, branches } from "../truth/branches.js";
import { type Outcome, TruthTable } from "../truth/truth-table.js";

/** A document whose styles are rendered with certain variables. */
export interface StyledCase {
  readonly document: EmailDocument;
  /** Whether an element is shown with these variables, as far as that is known. */
  readonly isShown: (element: EmailElement) => boolean;
}

/**
 * Finds the first combination of the sections in styles and colours that `fits` accepts.
 *
 * @returns undefined if there is none, or if the sections depend on more than three variables.
 *
 * @example
 * // <p style="color:{{#dark}}#fff{{/dark}}{{^dark}}#111{{/dark}}">
 * findStyledCase(checked, ({ document }) => contrastPairs(document, LIGHT).some(({ ratio }) => ratio < 3));
 */
export function findStyledCase(
  checked: CheckedTemplate,
  fits: (styled: StyledCase) => boolean,
): { readonly styled: StyledCase; readonly variables: Variables } | undefined {
  const values = valuesWithSections(checked);
  if (values.length === 0) return undefined;
  const subjectOf = subjectsOf(checked);
  const names = values.flatMap(({ text }) => Array.from(text.matchAll(SECTION), ([, name = ""]) => subjectOf(name)));
  const subjects = new Set(names);
  if (subjects.size > MAX_SUBJECTS) return undefined;
  const branchByElement = branches(checked.document);
  const relevant = (branch: Branch = []): Branch =>
    branch.filter((section) => subjects.has(subjectOf(section.slice(1))));
  const contexts = new Map([...branchByElement.values()].map((branch) => [String(relevant(branch)), relevant(branch)]));
  const parts = [...values, ...Array.from(contexts.values(), (around) => ({ text: "", around }))];
  const caseOf = (texts: Outcome["texts"]): StyledCase => {
    const document = withValues(checked.document, values, texts.flat());
    const shown = new Set([...contexts.keys()].filter((_, index) => texts[values.length + index]?.length !== 0));
    return { document, isShown: (element) => shown.has(String(relevant(branches(document).get(element)))) };
  };
  const match = TruthTable.of(checked).find(parts, (texts) => fits(caseOf(texts)));
  return match && { styled: caseOf(match.texts), variables: match.variables };
}

/** Each combination is a document to parse. */
const MAX_SUBJECTS = 3;
const SECTION = /\{\{\s*[#^]\s*([^}\s]+)\s*\}\}/g;
const COLOUR_ATTRIBUTES: readonly string[] = ["style", "bgcolor", "color", "text", "link"];

interface Value {
  /** With section tags as written, and other tags as tokens. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The attribute values that set colours and have sections, except inside sections over lists and objects. */
function valuesWithSections({ document, compiled: { contract } }: CheckedTemplate): Value[] {
  const { html, tags } = document.input;
  const elements = new Map(document.elements.map((element) => [element.start, element]));
  const isPlain = (section: string): boolean => {
    const kinds = findVariable(Scope.of(contract), section.slice(1))?.shape.kinds;
    return section.startsWith("^") || !kinds?.some(({ type }) => type === "array" || type === "object");
  };
  return scanMarkup(html).pieces.flatMap((piece) => {
    if (piece.kind !== "open") return [];
    return piece.attributes.flatMap(({ name, value, valueStart }): Value[] => {
      if (!COLOUR_ATTRIBUTES.includes(name.toLowerCase()) || !value.includes("\uE000")) return [];
      const text = value.replace(TOKEN, (all, number: string) =>
        roleOf(tags[Number(number)]) === "prints" ? all : restore(all, tags, "html"),
      );
      const element = elements.get(piece.start);
      if (text === value || !element || branches(document).get(element)?.every(isPlain) === false) return [];
      return [{ text, start: valueStart, end: valueStart + value.length }];
    });
  });
}

/** Returns the variable that a section depends on: for a condition, the one that it tests. */
function subjectsOf({ compiled: { contract } }: CheckedTemplate): (name: string) => string {
  const paths = new Map(contract.conditions.map(({ name, path }) => [name, path]));
  return (name) => paths.get(name) ?? name;
}

function withValues({ input }: EmailDocument, values: readonly Value[], texts: readonly string[]): EmailDocument {
  let html = "";
  let from = 0;
  for (const [index, { start, end }] of values.entries()) {
    html += input.html.slice(from, start) + (texts[index] ?? "");
    from = end;
  }
  return new EmailDocument({ ...input, html: html + input.html.slice(from) });
}
