import { FIELD_LIMITS } from "../../api/limits.js";
import type { Diagnostic, SourcePosition } from "../../diagnostic.js";
import { jsonPosition } from "../../template/json.js";
import type { TemplateFields } from "../../template/template.js";
import type { Compilation } from "../compilation.js";
import { positionNear } from "../tokenised.js";

/**
 * Invariant 7: the fields are no longer than the service allows (version 4, part 4). Counted in UTF-16 units, of which
 * there are never fewer than code points.
 */
export function checkLengths(compilation: Compilation, fields: TemplateFields): Diagnostic[] {
  return FIELD_LIMITS.flatMap(([field, limit]): Diagnostic[] => {
    const { length } = fields[field];
    if (length <= limit) return [];
    const message = `${field} is ${formatted(length)} characters; the limit is ${formatted(limit)}.`;
    const hint = fields[field].includes("{{#") && field === "subject" && { hint: SUBJECT_HINT };
    return [{ rule: "too-long", severity: "error", message, at: placeOf(field, compilation), ...hint }];
  });
}

const SUBJECT_HINT =
  "Every branch of its sections counts, including the tags. Choose in derive (variables.ts), and print the result.";

function placeOf(field: keyof TemplateFields, { template, subject }: Compilation): SourcePosition {
  const { body, metadata, metadataSource } = template;
  if (metadataSource && (field === "subject" || field === "description") && metadata[field] !== undefined) {
    return jsonPosition(metadataSource, [field]);
  }
  const tag = field === "subject" ? positionNear(subject, subject.text.length) : undefined;
  return tag ?? { file: body.file };
}

function formatted(count: number): string {
  return count.toLocaleString("en-US");
}
