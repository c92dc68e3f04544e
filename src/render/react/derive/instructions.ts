import path from "node:path";
import type { Template } from "../../../project/template.js";
import { codeOfAdditions } from "./additions.js";
import type { DerivedCode } from "./derive-place.js";
import { lineChanges, type SourceEdit } from "./edits.js";
import { importDeclaration } from "./imports.js";

/*
 * Changes in words, with code to copy.
 */

/** What to add to an existing `derive`. */
export function additionsInWords({ additions, imports }: DerivedCode, file: string, template: Template): string {
  const code = [...imports.map(importDeclaration), codeOfAdditions(additions, "    ").trimEnd()].join("\n");
  return `Add to the object that derive returns in ${nameOf(file, template)}:\n\n${code}`;
}

/** One instruction for each file. */
export function changesInWords(
  edits: readonly SourceEdit[],
  sources: ReadonlyMap<string, string>,
  template: Template,
): string[] {
  const changes = lineChanges(edits, sources);
  const files = [...new Set(changes.map(({ file }) => file))];
  return files.map((file) => {
    const own = changes.filter((change) => change.file === file);
    if (!sources.has(file)) return creationInWords({ file, text: own.map(({ text }) => text).join("") }, template);
    const lines = own.map(({ first, last, text }) => {
      const place = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
      return `${place}:\n${text}`;
    });
    return `Change ${nameOf(file, template)} (current line numbers):\n\n${lines.join("\n\n")}`;
  });
}

export function creationInWords(
  { file, text }: { readonly file: string; readonly text: string },
  template: Template,
): string {
  return `Create ${nameOf(file, template)}:\n\n${text.trimEnd()}`;
}

/** The path from the templates folder on, as developers refer to it. */
function nameOf(file: string, { root }: Template): string {
  const relative = path.relative(path.dirname(root), file);
  return (relative.startsWith("..") ? file : relative).split(path.sep).join("/");
}
