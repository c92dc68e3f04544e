import { stemOf } from "../../../template/name.js";
import type { Rule } from "../../rule.js";

export const textEmpty: Rule = {
  id: "text-empty",
  summary: "The text body is empty.",
  severity: "warning",
  checkTemplate({ template, compiled }) {
    if (compiled.text_body.trim() !== "") return [];
    return [
      {
        message: "The text body is empty: who reads mail as text, on a watch or aloud, gets nothing.",
        at: { file: template.text?.file ?? template.body.file },
        hint: template.text
          ? "Write it, or remove the file: then the text is derived from the html."
          : `Write what the pictures say as ${stemOf(template.name)}.txt, or as text in the body.`,
      },
    ];
  },
};
