import { OpenElements } from "../../../text/markup/open-elements.js";
import { scanMarkup } from "../../../text/markup/scan.js";
import { renderMustache } from "../../../mustache/fill.js";
import { valuesOf } from "../../../mustache/lookup.js";
import type { BuiltInRule } from "../../rule.js";
import { formatVariables } from "../../truth/truth-table.js";
import { htmlTags, withinOf } from "../../lib/variables.js";

export const valueBreaksHtml: BuiltInRule = {
  id: "value-breaks-html",
  severity: "error",
  summary: "A fixture has unbalanced HTML for a variable that is printed unescaped.",
  why:
    "`{{{content}}}` prints the HTML that the application passes. An element in it that is never closed swallows " +
    "the rest of the email. The message names the fixture and shows its value.",
  fix: "Close every element in the HTML that you pass.",
  examples: {
    wrong: [
      { "order/order.html": "<div>‸{{{note}}}</div>", "order/fixtures/default.json": '{ "note": "<b>Thank you" }' },
    ],
    right: [
      { "order/order.html": "<div>{{{note}}}</div>", "order/fixtures/default.json": '{ "note": "<b>Thank you</b>" }' },
    ],
  },
  *checkTemplate(checked) {
    const raw = htmlTags(checked).filter(({ kind }) => kind === "unescaped");
    const { fixtures, html_body: body } = checked.compiled;
    // One value may close an element that another one opens.
    const unbalanced = fixtures.filter(
      ({ variables }) =>
        raw.length > 0 && imbalanceOf(renderMustache(body, variables, { escape: "html" })) !== undefined,
    );
    for (const tag of raw)
      for (const { name, variables } of unbalanced) {
        const values = valuesOf(variables, { within: withinOf(tag), name: tag.name });
        const html = values.find((value) => typeof value === "string" && imbalanceOf(value) !== undefined);
        if (typeof html !== "string") continue;
        const shown = formatVariables({ [tag.found?.path ?? tag.name]: html });
        yield {
          message: `With the fixture "${name}", ${shown}, the HTML is not balanced: ${imbalanceOf(html)}`,
          at: tag.at(),
          hint: "Close every element in the HTML that you pass.",
        };
      }
  },
};

function imbalanceOf(html: string): string | undefined {
  const { pieces, problems } = scanMarkup(html);
  if (problems[0]) return problems[0].message;
  const elements = new OpenElements("", true);
  for (const piece of pieces) {
    if (piece.kind === "open") elements.open(piece);
    const problem = piece.kind === "close" ? elements.close(piece.name, piece.start) : undefined;
    if (problem) return problem.message;
  }
  return elements.unclosed()?.message;
}
