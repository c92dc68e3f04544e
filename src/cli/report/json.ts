import { rulePage } from "../../check/catalogue.js";
import type { GroupedDiagnostic } from "./group.js";
import { isFixable } from "../../diagnostic.js";
import { type CheckReport, countSeverities, relativeTo } from "./check-report.js";

/** The output of `check --json`; its schema is `docs/check-output.schema.json`. */
export function jsonDocument({ folder, diagnostics, shown, checked, unchecked, only, base, fixed }: CheckReport) {
  const notShown = diagnostics.length - shown.diagnostics.length;
  const { error, warning, info } = countSeverities(diagnostics);
  const described = (group: GroupedDiagnostic) => describe(group, folder);
  return {
    version: 1,
    diagnostics: shown.diagnostics.map(described),
    summary: { templates: checked.length, errors: error, warnings: warning, notes: info },
    ...(notShown > 0 && { notShown }),
    unchecked,
    ...(only && { only }),
    ...(base && { base }),
    ...(fixed && { fixed: fixed.map(described) }),
  };
}

function describe({ rule, severity, message, hint, at, templates, edits }: GroupedDiagnostic, folder: string) {
  return {
    rule,
    severity,
    message,
    ...(hint !== undefined && { hint }),
    ...(at && { at: { ...at, file: relativeTo(folder, at.file) } }),
    templates,
    ...(rulePage(rule) !== undefined && { help: `templates check --explain ${rule}` }),
    fixable: isFixable({ edits }, { unsafe: false }),
  };
}
