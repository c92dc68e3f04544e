import path from "node:path";
import { nearest } from "../../../nearest.js";
import { stemOf } from "../../../template/name.js";
import type { CompileResult } from "../../../template/template.js";
import type { Rule } from "../../rule.js";

export const unusedFile: Rule = {
  id: "unused-file",
  summary: "A file in a template's folder is named as if it belonged to it, and is not used.",
  severity: "warning",
  checkAll({ results, files }) {
    const used = new Set(results.flatMap(({ compiled }) => compiled?.sources ?? []));
    const unused = files?.all.filter((file) => !used.has(file) && IS_PART.test(file)) ?? [];
    return results.flatMap(({ template, compiled }) => {
      // A template that is a single file has no folder of its own.
      if (!compiled || template.folder === template.root) return [];
      return unused
        .filter((file) => path.dirname(file) === template.folder && !/^[_.]/.test(path.basename(file)))
        .map((file) => ({
          template: template.name,
          message: `${path.basename(file)} is not used.`,
          at: { file },
          hint: hintFor(path.basename(file), template),
        }));
    });
  },
};

/** What a template may be made of, schemas and components aside: those import each other as they like. */
const IS_PART = /\.(?:mjml|html|txt|json)$/;

function hintFor(file: string, { name }: CompileResult["template"]): string {
  const text = `${stemOf(name)}.txt`;
  const near = nearest(file, [text, "template.json"]) ?? (file.endsWith(".txt") ? text : undefined);
  return near === undefined
    ? "Remove it, or include it."
    : `Is it meant to be ${near}? Otherwise remove it, or include it.`;
}
