import type { SourcePosition } from "../../../diagnostic.js";
import type { Variables } from "../../../mustache/variables.js";
import type { CheckedTemplate, Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { htmlTags } from "../../variables/tags.js";

export const sectionsBreakHtml: Rule = {
  id: "sections-break-html",
  summary: "With some variables, the sections that are shown leave html that is not balanced.",
  severity: "error",
  checkTemplate(checked) {
    const table = TruthTable.of(checked);
    const shown = table.unbalancedRow();
    if (!shown) return [];
    const variables = table.smallestUnbalanced(shown.variables);
    return [
      {
        message: `With ${inWords(variables)} the html is not balanced: ${table.imbalance(variables) ?? shown.problem}`,
        at: placeOf(variables, checked, table),
        hint: "Let each section hold whole elements, and whole conditional comments.",
      },
    ];
  },
};

/** The section without which, or with which alone, it shows. */
function placeOf(variables: Variables, checked: CheckedTemplate, table: TruthTable): SourcePosition {
  const sections = htmlTags(checked).filter(({ kind }) => kind === "section" || kind === "inverted");
  const [name] = Object.keys(variables);
  const full = table.row("once");
  const section = sections.find(({ found, name: own }) => {
    const [first = ""] = (found?.path ?? own).split(/[.[]/);
    return name === undefined ? table.imbalance({ ...full, [first]: null }) !== undefined : first === name;
  });
  return (section ?? sections[0])?.at() ?? { file: checked.template.body.file };
}
