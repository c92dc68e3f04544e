import { FIELD_LIMITS } from "../../../api/limits.js";
import type { SourcePosition } from "../../../diagnostic.js";
import type { CheckedTemplate, Rule } from "../../rule.js";
import { metadataPosition, subjectPosition } from "../../source-position.js";

/** How much of a limit may be used without a word. */
const NEAR = 0.9;

export const lengthNearLimit: Rule = {
  id: "length-near-limit",
  summary: "A field is nearly as long as the service takes.",
  severity: "warning",
  checkTemplate: (checked) =>
    FIELD_LIMITS.filter(([field, limit]) => checked.compiled[field].length > limit * NEAR).map(([field, limit]) => ({
      message: `${field} has ${shown(checked.compiled[field].length)} of the ${shown(limit)} characters that the service takes.`,
      at: placeOf(field, checked),
      hint: "Shorten it while there is time: the next change may be refused.",
    })),
};

function placeOf(field: (typeof FIELD_LIMITS)[number][0], checked: CheckedTemplate): SourcePosition {
  const { body, text } = checked.template;
  if (field === "description") return metadataPosition(checked, field);
  if (field === "subject") return subjectPosition(checked);
  return { file: (field === "text_body" ? text : undefined)?.file ?? body.file };
}

function shown(count: number): string {
  return count.toLocaleString("en-US");
}
