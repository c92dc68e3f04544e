import { BODY_MAX, DESCRIPTION_MAX, FIELD_LIMITS, NAME_MAX, SUBJECT_MAX } from "../../../api/limits.js";
import type { SourcePosition } from "../../../diagnostic.js";
import type { BuiltInRule, CheckedTemplate } from "../../rule.js";
import { metadataPosition, subjectPosition } from "../../checked-template.js";
import { formatNumber } from "../../lib/texts.js";

/** The share of a limit from which a warning is given. */
const NEAR = 0.9;

export const lengthNearLimit: BuiltInRule = {
  id: "length-near-limit",
  severity: "warning",
  isSilencedByComments: false,
  summary:
    "A field is close to the service's limit, or a description exceeds it together with the marker that sync adds.",
  details:
    "A field uses more than 90% of the service's limit (a warning), or a description exceeds the limit " +
    "together with the marker that sync appends (an error).",
  why:
    `The next change may be rejected. The limits are the service's own: name ${NAME_MAX}, subject ${SUBJECT_MAX}, ` +
    `description ${DESCRIPTION_MAX}, html and text body ${formatNumber(BODY_MAX)} characters each ` +
    "(`spec/api-v4.md`, part 4). Sync needs about 50 characters of the " +
    "description for its marker, and more if an environment has a `namePrefix` or a `nameSuffix`; if they don't " +
    "fit, the whole deployment is refused.",
  fix: "Shorten it before a change exceeds the limit.",
  *checkTemplate(checked) {
    for (const [field, limit] of FIELD_LIMITS) {
      const { length } = checked.compiled[field];
      const added = field === "description" ? checked.settings.markerLength : 0;
      if (length > limit - added)
        yield {
          severity: "error",
          message: `${field} is ${formatNumber(length)} characters, and sync adds a marker of ${added}; the limit is ${formatNumber(limit)}.`,
          at: fieldPosition(field, checked),
          hint: `Shorten it to ${formatNumber(limit - added)}.`,
        };
      else if (length > limit * NEAR)
        yield {
          message: `${field} is ${formatNumber(length)} characters; the limit is ${formatNumber(limit)}.`,
          at: fieldPosition(field, checked),
          hint: "Shorten it now, before a change exceeds the limit.",
        };
    }
  },
};

function fieldPosition(field: (typeof FIELD_LIMITS)[number][0], checked: CheckedTemplate): SourcePosition {
  const { body, text } = checked.template;
  if (field === "description") return metadataPosition(checked, field);
  if (field === "subject") return subjectPosition(checked);
  return { file: (field === "text_body" ? text : undefined)?.file ?? body.file };
}
