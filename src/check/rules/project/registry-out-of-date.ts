import { changeInWords } from "../../../registry/change-in-words.js";
import { compareRegistry } from "../../../registry/compare.js";
import type { CheckedProject, Finding, Rule } from "../../rule.js";
import { entryPosition, isOnDisk, registryChanges } from "./registry-changes.js";

/** Changes that a message has room for. */
const MOST = 5;

export const registryOutOfDate: Rule = {
  id: "registry-out-of-date",
  summary: "The registry is not what the templates give now.",
  severity: "warning",
  checkAll(project) {
    const { registry, generated } = project.files ?? {};
    if (!registry || generated === undefined || !isWhole(project)) return [];
    if (compareRegistry(registry.text, generated).upToDate) return [];
    const changes = registryChanges(project);
    const shown = changes.filter(({ change }) => change.kind !== "removed");
    // Of those that are gone, another rule speaks.
    if (shown.length === 0 && changes.length > 0) return [];
    return [
      finding(
        shown.map(({ change }) => change),
        registry,
      ),
    ];
  },
};

function finding(
  changes: readonly ReturnType<typeof registryChanges>[number]["change"][],
  registry: ReturnType<typeof registryChanges>[number]["registry"],
): Finding {
  const lines = changes.flatMap(changeInWords);
  const more = lines.length > MOST ? `; and ${lines.length - MOST} more` : "";
  const what =
    lines.length === 0 ? "what callers pass is the same, what is sent is not" : lines.slice(0, MOST).join("; ");
  const [first] = changes;
  return {
    message: `The registry is out of date: ${what}${more}.`,
    at: first && first.kind === "changed" ? entryPosition(registry, first.template) : { file: registry.file },
    hint: "Run: templates types",
  };
}

/** Whether every template that the registry has could be loaded: otherwise nobody knows what it would be. */
function isWhole(project: CheckedProject): boolean {
  const { registry } = project.files ?? {};
  const names = Array.from(registry?.text.matchAll(/^ {4}"([^"]+)": \{$/gm) ?? [], ([, name = ""]) => name);
  const loaded = new Set(project.results.map(({ name }) => name));
  return names.every((name) => loaded.has(name) || !isOnDisk(name, project));
}
