import { findMisplaced, type MisplacedNode } from "../../../text/markup/nesting.js";
import { scanMarkup, type MarkupPiece } from "../../../text/markup/scan.js";
import { TOKEN, type TagTable } from "../../../mustache/tokens.js";
import type { EmailElement, EmailText } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { areExclusive } from "../../truth/truth-table.js";

export const htmlMoved: BuiltInRule = {
  id: "html-moved",
  severity: "warning",
  summary:
    "An element or text is not where it was written: browsers move it, drop it, or end the element around it early.",
  why:
    "Browsers repair wrongly nested HTML silently, and each email client does so in its own way ([the HTML standard " +
    "on tree construction](https://html.spec.whatwg.org/multipage/parsing.html#tree-construction)):\n\n" +
    "- Anything between the rows or cells of a table, including text and printed variables, moves in front of the " +
    "whole table.\n" +
    "- A cell outside a row and a row outside a table lose their tags, and with them their style.\n" +
    "- A paragraph ends where a block begins, such as another paragraph, a `<div>`, a list or a table, so what " +
    "follows loses its style. In React Email, `<Text>` is a paragraph.\n" +
    "- A link inside a link, a button inside a button, a heading directly inside a heading and a cell directly " +
    "inside a cell end the outer one.\n" +
    "- `<div/>` is not closed and contains what follows.\n" +
    "- If a second document is inside the first, such as a partial with its own `<html>`, only its content is kept.\n\n" +
    "Sections between rows, comments, `<style>` and unescaped variables such as `{{{rows}}}` are allowed in a " +
    "table.",
  fix:
    "Put what is between cells into a cell, or a `<Column>` in React Email. Use `<div>` instead of a paragraph " +
    "that contains blocks. End an element before another of its kind begins. Close every element with an end tag.",
  examples: {
    wrong: [
      `<table>
<tr><td>Tea</td></tr>
‸Thank you!
</table>`,
      "<p>Your order: ‸<div>Tea</div></p>",
    ],
    right: [
      `<table>
<tr><td>Tea</td></tr>
</table>
<p>Thank you!</p>`,
      "<div>Your order: <ul><li>Tea</li></ul></div>",
    ],
  },
  *checkTemplate(checked) {
    const { html, tags } = checked.document.input;
    const isVisible = ({ start, end }: MarkupPiece): boolean => showsText(html.slice(start, end), tags);
    for (const misplaced of findMisplaced(scanMarkup(html).pieces, isVisible)) {
      const node = checked.document.nodeAt(misplaced.piece.start);
      if (node?.kind === "text") yield textFinding(node, misplaced);
      else if (node && !isInTurn(node, misplaced, checked)) yield elementFinding(node, misplaced);
    }
  },
};

/** Whether text between a table's rows shows anything besides section tags and unescaped variables. */
function showsText(text: string, tags: TagTable): boolean {
  const printed = text.replace(TOKEN, (_, number: string) =>
    NO_TEXT.test(tags[Number(number)]?.text ?? "") ? "" : "x",
  );
  return /[^ \t\n\r\f]/.test(printed);
}

const NO_TEXT = /^\{\{\s*[#^/{&]/;

/** Whether each of several elements is shown only when the others are not. */
function isInTurn(element: EmailElement, { how }: MisplacedNode, checked: CheckedTemplate): boolean {
  if (how !== "again") return false;
  const all = checked.document.named(element.name);
  return all.every((other) => other === element || areExclusive(checked, other, element));
}

function textFinding(text: EmailText, { around }: MisplacedNode): Finding {
  const part = firstShown(text.text) ?? text.text.trim();
  const message = `"${part.replaceAll(/\s+/g, " ").slice(0, MOST_SHOWN)}" is directly inside <${around}>: browsers move it in front of the whole table.`;
  return { message, at: text.at(part), hint: IN_CELL };
}

const MOST_SHOWN = 40;

function elementFinding(element: EmailElement, { how, around }: MisplacedNode): Finding {
  const [message, hint] = WORDS[how](describe(element), around, element.name);
  return { message, at: element.at(), hint };
}

type Words = (own: string, around: string, name: string) => readonly [message: string, hint: string];

const IN_CELL = "Put it in a cell: `<td>`, or `<Column>` in React Email.";

const WORDS: Readonly<Record<MisplacedNode["how"], Words>> = {
  fostered: (own, around) => [
    `${own} is directly inside <${around}>: browsers move it in front of the whole table.`,
    IN_CELL,
  ],
  wrapped: (own, around) => [`${own} is directly inside <${around}>, not in a row.`, "Put `<tr>` around the cells."],
  dropped: (own, around, name) =>
    around === "form"
      ? [`${own} is inside another form: browsers drop it.`, "Remove it."]
      : [
          `${own} is outside a ${/^t[dh]$/.test(name) ? "row" : "table"}: browsers drop it and its style.`,
          "Add the missing elements around it, or use `<div>`.",
        ],
  again: (own) => [
    `${own} appears a second time: an email is one document.`,
    "Include only the content of the other document's body.",
  ],
  "stays-open": (own, _, name) => [
    `The slash does not close ${own}: in HTML it stays open and contains what follows.`,
    `Write \`<${name}></${name}>\`.`,
  ],
  ends: (own, around) => [
    `${own} can't be inside <${around}>: browsers end <${around}> before it, and what follows loses its style.`,
    around === "p"
      ? "Use `<div>` instead of the paragraph, or end the paragraph before it."
      : "Put one after the other.",
  ],
};

/** `<p>`, or `<Text>, which is <p>` for a component that renders it. */
function describe({ name, writtenAs, place }: EmailElement): string {
  return place === undefined || writtenAs === undefined || writtenAs.toLowerCase() === name
    ? `<${name}>`
    : `<${writtenAs}>, which is <${name}>,`;
}

/** The first words that are certainly visible: not section tags, nor unescaped variables, which may be elements. */
function firstShown(text: string): string | undefined {
  return text
    .split(UNSEEN)
    .map((part) => part.trim())
    .find((part) => part !== "");
}

const UNSEEN = /\{\{\s*[#^/!>{&][^}]*\}\}\}?/;
