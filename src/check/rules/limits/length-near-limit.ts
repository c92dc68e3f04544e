import { FIELD_LIMITS } from "../../../api/limits.js";
import type { SourcePosition } from "../../../diagnostic.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { metadataPosition, subjectPosition } from "../../source-position.js";
import { formatNumber } from "./format-number.js";

/** The share of a limit from which a warning is given. */
const NEAR = 0.9;

export const lengthNearLimit: Rule = {
  id: "length-near-limit",
  summary:
    "A field is close to the service's limit, or a description exceeds it together with the marker that sync adds.",
  severity: "warning",
  checkTemplate: (checked) =>
    FIELD_LIMITS.flatMap(([field, limit]): Finding[] => {
      const { length } = checked.compiled[field];
      const added = field === "description" ? checked.settings.markerLength : 0;
      if (length > limit - added)
        return [
          {
            severity: "error",
            message: `${field} is ${formatNumber(length)} characters, and sync adds a marker of ${added}; the limit is ${formatNumber(limit)}.`,
            at: fieldPosition(field, checked),
            hint: `Shorten it to ${formatNumber(limit - added)}.`,
          },
        ];
      if (length <= limit * NEAR) return [];
      return [
        {
          message: `${field} is ${formatNumber(length)} characters; the limit is ${formatNumber(limit)}.`,
          at: fieldPosition(field, checked),
          hint: "Shorten it now, before a change exceeds the limit.",
        },
      ];
    }),
};

function fieldPosition(field: (typeof FIELD_LIMITS)[number][0], checked: CheckedTemplate): SourcePosition {
  const { body, text } = checked.template;
  if (field === "description") return metadataPosition(checked, field);
  if (field === "subject") return subjectPosition(checked);
  return { file: (field === "text_body" ? text : undefined)?.file ?? body.file };
}
