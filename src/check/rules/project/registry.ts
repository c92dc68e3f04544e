import type { SourcePosition } from "../../../diagnostic.js";
import { compareRegistry, describeChange } from "../../../registry/compare.js";
import type { SourceFile } from "../../../project/template.js";
import type { CheckedProject, Rule } from "../../rule.js";
import { positionIn } from "../../source-position.js";

/** Maximum number of changes in a message. */
const MOST = 5;

export const registryOutOfDate: Rule = {
  id: "registry-out-of-date",
  summary: "The registry differs from what the templates generate now.",
  severity: "warning",
  checkAll(project) {
    const compared = compare(project);
    if (!compared) return [];
    const { registry, upToDate, changes, missing } = compared;
    // If a template could not be loaded, the correct registry is unknown.
    if (upToDate || missing.some((template) => isOnDisk(template, project))) return [];
    const lines = changes.flatMap(describeChange);
    // Missing templates are reported by `registry-template-missing`.
    if (lines.length === 0 && missing.length > 0) return [];
    const [first] = changes;
    const more = lines.length > MOST ? `; and ${lines.length - MOST} more` : "";
    const what =
      lines.length === 0
        ? "callers pass the same variables, but what is sent has changed"
        : lines.slice(0, MOST).join("; ");
    return [
      {
        message: `The registry is out of date: ${what}${more}.`,
        at: first?.kind === "changed" ? entryPosition(registry, first.template) : { file: registry.file },
        hint: "Run: templates types",
      },
    ];
  },
};

export const registryTemplateMissing: Rule = {
  id: "registry-template-missing",
  summary: "The registry has a template that no longer exists.",
  severity: "error",
  checkAll(project) {
    const compared = compare(project);
    const gone = compared?.missing.filter((template) => !isOnDisk(template, project)) ?? [];
    return gone.map((template) => ({
      message: `The registry has the template "${template}", which is not on disk: code that sends it still compiles.`,
      at: compared && entryPosition(compared.registry, template),
      hint: "Run `templates types`, or restore the template. If it was renamed, set `renamedFrom` in template.json.",
    }));
  },
};

/** The changes that callers notice, and the templates that only the registry has; undefined if nothing was generated. */
function compare({ files }: CheckedProject) {
  const { registry, generated } = files ?? {};
  if (!registry || generated === undefined) return undefined;
  const { upToDate, changes } = compareRegistry(registry.text, generated);
  const missing = changes.flatMap(({ kind, template }) => (kind === "removed" ? [template] : []));
  return { registry, upToDate, missing, changes: changes.filter(({ kind }) => kind !== "removed") };
}

function isOnDisk(template: string, { files }: CheckedProject): boolean {
  const own = new RegExp(`[\\\\/]${template}(?:[\\\\/]|\\.(?:mjml|tsx|html)$)`);
  return files?.all.some((file) => own.test(file)) ?? false;
}

/** The position of a template in the registry. */
function entryPosition(registry: SourceFile, template: string): SourcePosition {
  return positionIn(registry, new RegExp(`(?<=^ {4})"${template}": \\{$`, "m"));
}
