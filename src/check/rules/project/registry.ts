import type { SourcePosition } from "../../../diagnostic.js";
import { changeInWords } from "../../../registry/change-in-words.js";
import { compareRegistry } from "../../../registry/compare.js";
import type { SourceFile } from "../../../template/template.js";
import type { CheckedProject, Rule } from "../../rule.js";
import { positionIn } from "../../source-position.js";

/** Changes that a message has room for. */
const MOST = 5;

export const registryOutOfDate: Rule = {
  id: "registry-out-of-date",
  summary: "The registry is not what the templates give now.",
  severity: "warning",
  checkAll(project) {
    const compared = compare(project);
    if (!compared) return [];
    const { registry, upToDate, changes, missing } = compared;
    // One that could not be loaded is not among the results: nobody knows what the registry would be.
    if (upToDate || missing.some((template) => isOnDisk(template, project))) return [];
    const lines = changes.flatMap(changeInWords);
    // Of those that are gone, another rule speaks.
    if (lines.length === 0 && missing.length > 0) return [];
    const [first] = changes;
    const more = lines.length > MOST ? `; and ${lines.length - MOST} more` : "";
    const what =
      lines.length === 0 ? "what callers pass is the same, what is sent is not" : lines.slice(0, MOST).join("; ");
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
  summary: "The registry has a template that is no longer there.",
  severity: "error",
  checkAll(project) {
    const compared = compare(project);
    const gone = compared?.missing.filter((template) => !isOnDisk(template, project)) ?? [];
    return gone.map((template) => ({
      message: `The registry has the template "${template}", which is not on disk: code that sends it still compiles.`,
      at: compared && entryPosition(compared.registry, template),
      hint: "Run: templates types; or bring the template back, with renamedFrom in template.json if it has another name now.",
    }));
  },
};

/** What callers notice of the registry's being out of date, and what it has that was not built; undefined where nothing is known. */
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

/** Where the registry has a template. */
function entryPosition(registry: SourceFile, template: string): SourcePosition {
  return positionIn(registry, new RegExp(`(?<=^ {4})"${template}": \\{$`, "m"));
}
