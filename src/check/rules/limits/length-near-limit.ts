import { FIELD_LIMITS } from "../../../api/limits.js";
import type { SourcePosition } from "../../../diagnostic.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { metadataPosition, subjectPosition } from "../../source-position.js";

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
            message: `${field} is ${shown(length)} characters, and sync adds a marker of ${added}; the limit is ${shown(limit)}.`,
            at: placeOf(field, checked),
            hint: `Shorten it to ${shown(limit - added)}.`,
          },
        ];
      if (length <= limit * NEAR) return [];
      return [
        {
          message: `${field} is ${shown(length)} characters; the limit is ${shown(limit)}.`,
          at: placeOf(field, checked),
          hint: "Shorten it now, before a change exceeds the limit.",
        },
      ];
    }),
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
