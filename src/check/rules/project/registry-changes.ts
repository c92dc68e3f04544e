import type { SourcePosition } from "../../../diagnostic.js";
import { compareRegistry, type RegistryChange } from "../../../registry/compare.js";
import type { SourceFile } from "../../../template/template.js";
import type { CheckedProject } from "../../rule.js";
import { positionIn } from "../../source-position.js";

/** What callers notice of the registry's being out of date; nothing where that can't be told. */
export function registryChanges(project: CheckedProject): { registry: SourceFile; change: RegistryChange }[] {
  const { registry, generated } = project.files ?? {};
  if (!registry || generated === undefined) return [];
  return compareRegistry(registry.text, generated)
    .changes.filter(({ kind, template }) => kind !== "removed" || !isOnDisk(template, project))
    .map((change) => ({ registry, change }));
}

/** One that could not be loaded is not among the results; that is said of it. */
export function isOnDisk(template: string, { files }: CheckedProject): boolean {
  const own = new RegExp(`[\\\\/]${template}(?:[\\\\/]|\\.(?:mjml|tsx|html)$)`);
  return files?.all.some((file) => own.test(file)) ?? false;
}

/** Where the registry has a template. */
export function entryPosition(registry: SourceFile, template: string): SourcePosition {
  return positionIn(registry, new RegExp(`(?<=^ {4})"${template}": \\{$`, "m"));
}
