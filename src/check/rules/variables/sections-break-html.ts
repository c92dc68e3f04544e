import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { imbalanceOf } from "../../truth/filled-html.js";
import { inWords } from "../../truth/smallest.js";
import { skeleton } from "../../truth/skeleton.js";
import { type Outcome, TruthTable } from "../../truth/truth-table.js";
import { withoutWholeSections } from "../../truth/whole-sections.js";
import { htmlTags } from "../../variables/tags.js";

export const sectionsBreakHtml: Rule = {
  id: "sections-break-html",
  summary: "With some variables, the sections that are shown make unbalanced HTML.",
  severity: "error",
  checkTemplate(checked): Finding[] {
    const unbalanced = unbalancedCase(checked);
    if (!unbalanced) return [];
    const sections = htmlTags(checked).filter(({ kind }) => kind === "section" || kind === "inverted");
    const [name] = Object.keys(unbalanced.variables);
    const section = sections.find(({ found, name: own }) => (found?.path ?? own).split(/[.[]/)[0] === name);
    return [
      {
        message: `With ${inWords(unbalanced.variables)} the HTML is not balanced: ${unbalanced.problem}`,
        at: (section ?? sections[0])?.at() ?? { file: checked.template.body.file },
        hint: "Put whole elements and whole conditional comments into each section.",
      },
    ];
  },
};

/** The variables with which sections unbalance the HTML, whatever tags print. */
export function unbalancedCase(checked: CheckedTemplate) {
  const { html, tags } = checked.document.input;
  const text = withoutWholeSections(skeleton(html, tags));
  if (text === "") return undefined;
  const problemOf = ([[filled = ""] = []]: Outcome["texts"]) => imbalanceOf(filled);
  const outcome = TruthTable.of(checked).find([{ text }], (texts) => problemOf(texts) !== undefined);
  return outcome && { ...outcome, problem: problemOf(outcome.texts) };
}
