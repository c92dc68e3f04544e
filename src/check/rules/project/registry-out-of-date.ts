import type { SourcePosition } from "../../../diagnostic.js";
import { compareRegistry, describeChange } from "../../../registry/compare.js";
import type { SourceFile } from "../../../project/template.js";
import type { BuiltInRule, CheckedProject } from "../../rule.js";
import { positionIn } from "../../checked-template.js";

/** Maximum number of changes in a message. */
const MOST = 5;

export const registryOutOfDate: BuiltInRule = {
  id: "registry-out-of-date",
  severity: "warning",
  isSilencedByComments: false,
  summary: "The registry differs from what the templates generate now.",
  why:
    "Applications are checked against the registry's types. If it is out of date, they may omit what a template needs. The " +
    "message says what changes for callers. Nothing is reported while a template does not compile.",
  fix: "Run `templates types`, and commit the file.",
  *checkAll(project) {
    const compared = compareWithRegistry(project);
    if (!compared) return;
    const { registry, upToDate, changes, missing } = compared;
    // If a template could not be loaded, the correct registry is unknown.
    if (upToDate || missing.some((template) => isOnDisk(template, project))) return;
    const lines = changes.flatMap(describeChange);
    // Missing templates are reported by `registry-template-missing`.
    if (lines.length === 0 && missing.length > 0) return;
    const [first] = changes;
    const more = lines.length > MOST ? `; and ${lines.length - MOST} more` : "";
    const what =
      lines.length === 0
        ? "callers pass the same variables, but what is sent has changed"
        : lines.slice(0, MOST).join("; ");
    yield {
      message: `The registry is out of date: ${what}${more}.`,
      at: first?.kind === "changed" ? entryPosition(registry, first.template) : { file: registry.file },
      hint: "Run: templates types",
    };
  },
};

/** The changes that callers notice, and the templates that only the registry has; undefined if nothing was generated. */
export function compareWithRegistry({ files }: CheckedProject) {
  const { registry, generated } = files ?? {};
  if (!registry || generated === undefined) return undefined;
  const { upToDate, changes } = compareRegistry(registry.text, generated);
  const missing = changes.flatMap(({ kind, template }) => (kind === "removed" ? [template] : []));
  return { registry, upToDate, missing, changes: changes.filter(({ kind }) => kind !== "removed") };
}

export function isOnDisk(template: string, { files }: CheckedProject): boolean {
  const own = new RegExp(`[\\\\/]${template}(?:[\\\\/]|\\.(?:mjml|tsx|html)$)`);
  return files?.all.some((file) => own.test(file)) ?? false;
}

/** The position of a template in the registry. */
export function entryPosition(registry: SourceFile, template: string): SourcePosition {
  return positionIn(registry, new RegExp(`(?<=^ {4})"${template}": \\{$`, "m"));
}
