import { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { contrastFindings, contrastPairs, type Pair, positionOfColour } from "../../lib/contrast.js";
import { contrastOf, colourName, WHITE } from "../../styles/colour.js";
import type { PaintedColour } from "../../styles/computed.js";
import { LIGHT } from "../../styles/matching.js";
import { formatVariables, branchOf, TruthTable, type Branch, type VisibleParts } from "../../truth/truth-table.js";
import { scanMarkup } from "../../../text/markup/scan.js";
import { Scope } from "../../../mustache/scope.js";
import { restore, TOKEN, roleOf } from "../../../mustache/tokens.js";
import type { Variables } from "../../../mustache/variables.js";

export const contrast: BuiltInRule = {
  id: "contrast",
  severity: "warning",
  summary: "Text has too little contrast with its background.",
  why:
    "[WCAG 1.4.3](https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum) requires a ratio of 4.5:1, or 3:1 " +
    "for large text (24 pixels, or 18.66 pixels and bold). A ratio below 3:1 is a warning, above that a note. " +
    "Colours come from style attributes, `<style>` elements and attributes such as `bgcolor`, and are inherited as " +
    "in a browser. Links without a colour are blue, other text is black on white. Nothing is reported if the " +
    "colour depends on an image, a gradient, a variable or overlapping elements, nor for the default blue of React " +
    "Email's `<Link>` on white. Sections in a style, as in " +
    "`color:{{#urgent}}#c00{{/urgent}}{{^urgent}}#222{{/urgent}}`, are checked in every combination if they test at most three variables. Text in the same two colours is reported once, where it first appears.",
  fix:
    "Darken the darker colour, or lighten the lighter one. The finding points to the colour that is set on the " +
    "inner element.",
  examples: {
    wrong: ['<p style="‸color: #aaaaaa">Your order</p>'],
    right: [
      '<p style="color: #333333">Your order</p>',
      '<div style="background: #203040"><p style="color: #ffffff">Your order</p></div>',
    ],
  },
  checkTemplate(checked) {
    const pale = palePairs(checked.document);
    return [...findingsFor(pale), ...conditionalFindings(checked, pale)];
  },
};

const HINT = "Darken the darker colour, or lighten the lighter one.";

function palePairs(document: EmailDocument): Pair[] {
  return contrastPairs(document, LIGHT).filter(
    (pair) => pair.ratio < pair.wanted && !isDefaultLinkColour(document, pair),
  );
}

function findingsFor(pairs: readonly Pair[]): Finding[] {
  return contrastFindings(
    pairs.map((pair) => ({ ...pair, at: positionOfColour(innerColour(pair), pair), hint: HINT })),
  );
}

/** Pairs with too little contrast only for some variables, where sections in styles choose colours. */
function conditionalFindings(checked: CheckedTemplate, always: readonly Pair[]): Finding[] {
  const keyOf = ({ words, colours }: Pair): string => `${colours} ${words}`;
  const known = new Set(always.map(keyOf));
  const paleIn = ({ document, isShown }: StyledCase): Pair[] =>
    palePairs(document).filter((pair) => !known.has(keyOf(pair)) && isShown(pair.element));
  const found = findStyledCase(checked, (styled) => paleIn(styled).length > 0);
  if (!found) return [];
  const when = `With ${formatVariables(found.variables)} text`;
  return findingsFor(paleIn(found.styled)).map((finding) => ({
    ...finding,
    message: finding.message.replace(/^Text/, () => when),
  }));
}

/** Whether this is the default colour of React Email's `<Link>`, on white or nearly white. */
function isDefaultLinkColour(document: EmailDocument, { text, background }: Pair): boolean {
  const colour = colourName(text.colour);
  if (text.by?.element.writtenAs !== "Link" || colour !== "#067df7" || contrastOf(background.colour, WHITE) > 1.3)
    return false;
  return document.positionOf(colour).line === undefined;
}

/** Of text and background, the one set on the inner element, which ignores the other. */
function innerColour({ text, background }: Pair): PaintedColour {
  const isInText = text.by && background.by?.element.ancestors.includes(text.by.element);
  return !text.by || isInText ? background : text;
}

/** A document whose styles are rendered with certain variables. */
interface StyledCase {
  readonly document: EmailDocument;
  /** Whether an element is shown with these variables, as far as that is known. */
  readonly isShown: (element: EmailElement) => boolean;
}

/**
 * Finds the first combination of the sections in styles and colours that `fits` accepts.
 *
 * @returns undefined if there is none, or if the sections depend on more than three variables.
 */
function findStyledCase(
  checked: CheckedTemplate,
  fits: (styled: StyledCase) => boolean,
): { readonly styled: StyledCase; readonly variables: Variables } | undefined {
  const values = valuesWithSections(checked);
  if (values.length === 0) return undefined;
  const subjectOf = subjectsOf(checked);
  const names = values.flatMap(({ text }) => Array.from(text.matchAll(SECTION), ([, name = ""]) => subjectOf(name)));
  const subjects = new Set(names);
  if (subjects.size > MAX_SUBJECTS) return undefined;
  const relevant = (element: EmailElement): Branch =>
    branchOf(element).filter((section) => subjects.has(subjectOf(section.slice(1))));
  const contexts = new Map(
    [checked.document.root, ...checked.document.elements].map(relevant).map((branch) => [String(branch), branch]),
  );
  const parts = [...values, ...Array.from(contexts.values(), (around) => ({ text: "", around }))];
  const caseOf = (texts: VisibleParts["texts"]): StyledCase => {
    const document = withValues(checked.document, values, texts.flat());
    const shown = new Set([...contexts.keys()].filter((_, index) => texts[values.length + index]?.length !== 0));
    return { document, isShown: (element) => shown.has(String(relevant(element))) };
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
  const isPlain = (section: string): boolean => {
    const kinds = Scope.of(contract).find(section.slice(1))?.shape.kinds;
    return section.startsWith("^") || !kinds?.some(({ type }) => type === "array" || type === "object");
  };
  return scanMarkup(html).pieces.flatMap((piece) => {
    if (piece.kind !== "open") return [];
    return piece.attributes.flatMap(({ name, value, valueStart }): Value[] => {
      if (!COLOUR_ATTRIBUTES.includes(name.toLowerCase()) || !value.includes("\uE000")) return [];
      const text = value.replace(TOKEN, (all, number: string) =>
        roleOf(tags[Number(number)]) === "prints" ? all : restore(all, tags, "html"),
      );
      const element = document.nodeAt(piece.start);
      if (text === value || element?.kind !== "element" || !branchOf(element).every(isPlain)) return [];
      return [{ text, start: valueStart, end: valueStart + value.length }];
    });
  });
}

/** Returns the variable that a section depends on: for a condition, the one that it tests. */
function subjectsOf({ compiled: { contract } }: CheckedTemplate): (name: string) => string {
  const paths = new Map(
    contract.conditions.map(({ name, path, test }) => [name, test.kind === "computed" ? name : path]),
  );
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
