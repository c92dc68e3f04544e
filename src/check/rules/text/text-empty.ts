import { stemOf } from "../../../template/name.js";
import type { Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";

export const textEmpty: Rule = {
  id: "text-empty",
  summary: "The text body is empty.",
  severity: "warning",
  checkTemplate(checked) {
    const { template, compiled, document } = checked;
    const at = { file: template.text?.file ?? template.body.file };
    if (compiled.text_body.trim() !== "") {
      const found = TruthTable.of(checked).blank({ text: compiled.text_body });
      const what = template.text || document.first("img") ? "the text body" : "the email";
      return found
        ? [
            {
              message: `With ${inWords(found.variables)} ${what} is empty.`,
              at,
              hint: "Write something for that case, too, or let the schema rule it out.",
            },
          ]
        : [];
    }
    return [
      {
        message: "The text body is empty: who reads mail as text, on a watch or aloud, gets nothing.",
        at,
        hint: template.text
          ? "Write it, or remove the file: then the text is derived from the html."
          : `Write what the pictures say as ${stemOf(template.name)}.txt, or as text in the body.`,
      },
    ];
  },
};
