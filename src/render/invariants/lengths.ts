import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX } from "../../api/limits.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { TemplateFields } from "../../template/template.js";

const LIMITS = [
  ["name", NAME_MAX],
  ["description", DESCRIPTION_MAX],
  ["subject", SUBJECT_MAX],
  ["html_body", BODY_MAX],
  ["text_body", BODY_MAX],
] as const;

/**
 * Invariant 7: the fields are no longer than the service takes (version 4, part 4). Counted in UTF-16 units, which are
 * never fewer than code points.
 */
export function checkLengths(fields: TemplateFields, file: string): Diagnostic[] {
  return LIMITS.flatMap(([field, limit]): Diagnostic[] => {
    const { length } = fields[field];
    if (length <= limit) return [];
    const message = `${field} has ${shown(length)} characters; the service takes ${shown(limit)}.`;
    return [{ rule: "too-long", severity: "error", message, at: { file } }];
  });
}

function shown(count: number): string {
  return count.toLocaleString("en-US");
}
