import path from "node:path";
import { type LoadedTemplates, loadTemplates } from "../../../template/load.js";
import type { UnusableTemplate } from "../../../template/template.js";

/**
 * Loads the templates roots again. Only the templates that were touched are read, which matters with hundreds of
 * templates.
 *
 * @param roots With links resolved.
 * @param files Files that were written, added or removed since.
 */
export function reload(
  before: LoadedTemplates,
  templates: readonly UnusableTemplate[],
  roots: readonly string[],
  files: ReadonlySet<string>,
): LoadedTemplates {
  const touched = new Set<string>();
  for (const file of files) {
    const root = roots.find((each) => isWithin(each, file));
    // Sources elsewhere and shared parts are not templates.
    if (root === undefined ? !roots.includes(file) : /^[_.]/.test(path.relative(root, file))) continue;
    const owner = templates.find(({ folder }) => !roots.includes(folder) && isWithin(folder, file));
    if (!owner) return loadTemplates(roots);
    touched.add(owner.name);
  }
  if (touched.size === 0) return before;
  const now = loadTemplates(roots, [...touched]);
  const isOther = (name: string | undefined) => name === undefined || !touched.has(name);
  const withNow = (which: "incomplete" | "unusable"): Pick<LoadedTemplates, typeof which> => {
    const all = [...(before[which] ?? []).filter(({ name }) => isOther(name)), ...(now[which] ?? [])];
    return all.length > 0 ? { [which]: all } : {};
  };
  return {
    names: new Set([...before.names].filter(isOther).concat([...touched].filter((name) => now.names.has(name)))),
    templates: [...before.templates.filter(({ name }) => isOther(name)), ...now.templates].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
    ...withNow("incomplete"),
    ...withNow("unusable"),
    diagnostics: [...before.diagnostics, ...now.diagnostics.filter(({ template }) => !isOther(template))].filter(
      (each) => isOther(each.template) || now.diagnostics.includes(each),
    ),
  };
}

function isWithin(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}
