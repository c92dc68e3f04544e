import path from "node:path";
import { nearest } from "../../../nearest.js";
import { stemOf } from "../../../template/name.js";
import type { CompileResult } from "../../../template/template.js";
import type { Finding, Rule } from "../../rule.js";

export const unusedFile: Rule = {
  id: "unused-file",
  summary: "A file in a template's folder is named as if it belonged to it, and is not used.",
  severity: "warning",
  checkAll({ results, files }) {
    const used = new Set(results.flatMap(usedBy));
    const unused = files?.all.filter((file) => !used.has(file)) ?? [];
    return results.flatMap((result): Finding[] => {
      const { template } = result;
      // A template that is a single file has no folder of its own.
      if (template.folder === template.root) return [];
      const own = unused.filter((file) => file.startsWith(template.folder + path.sep));
      return [...findFiles(result, own), ...findFolders(result, own)];
    });
  },
};

function usedBy({ template, compiled }: CompileResult): string[] {
  const { body, text, metadataSource, variablesFile } = template;
  const read = [body, text, metadataSource].flatMap((source) => source?.file ?? []);
  return [...read, ...(variablesFile === undefined ? [] : [variablesFile]), ...(compiled?.sources ?? [])];
}

function findFiles({ template, compiled }: CompileResult, unused: readonly string[]): Finding[] {
  return unused.flatMap((file): Finding[] => {
    const name = path.basename(file);
    if (path.dirname(file) !== template.folder || /^[_.]/.test(name)) return [];
    const meant = meantBy(name, template);
    // What did not compile may include any part.
    if (compiled ? meant === undefined && !IS_PART.test(name) : meant === undefined || IS_MODULE.test(name)) return [];
    const hint = meant === undefined ? "Remove it, or include it." : `Is it meant to be ${meant}? Otherwise remove it.`;
    return [{ template: template.name, message: `${name} is not used.`, at: { file }, hint }];
  });
}

/** What a template may be made of, schemas and components aside: those import each other as they like. */
const IS_PART = /\.(?:mjml|html|txt|json)$/;
const IS_MODULE = /\.[cm]?[jt]sx?$/;
/** What other tools call a text body. */
const IS_TEXT = /\.(?:txt|text|mustache|mst|hbs|handlebars|liquid|plain)$/i;
const IS_METADATA = /^(?:template\.(?:ya?ml|json5|jsonc|toml)|(?:meta|metadata|config)\.json)$/i;

/** The file that its name comes near to, and that is not there. */
function meantBy(file: string, { name, text, metadataSource, variablesFile }: CompileResult["template"]) {
  const missing = [
    ...(text ? [] : [`${stemOf(name)}.txt`]),
    ...(metadataSource ? [] : ["template.json"]),
    ...(variablesFile === undefined ? ["variables.ts"] : []),
  ];
  if (IS_MODULE.test(file))
    return /\.d\.[cm]?ts$/.test(file)
      ? undefined
      : nearest(
          file,
          missing.filter((each) => IS_MODULE.test(each)),
          2,
        );
  const near = nearest(
    file,
    missing.filter((each) => !IS_MODULE.test(each)),
    2,
  );
  if (near !== undefined) return near;
  const [instead] = missing;
  if (IS_METADATA.test(file)) return metadataSource ? undefined : "template.json";
  if (file.endsWith(".json")) return `fixtures/${file}`;
  return IS_TEXT.test(file) && !text ? instead : undefined;
}

/** Folders that are nearly called `fixtures`, with what could be some. */
function findFolders({ template }: CompileResult, unused: readonly string[]): Finding[] {
  const folders = new Set(
    unused.flatMap((file) => {
      const [folder = "", ...rest] = path.relative(template.folder, file).split(path.sep);
      const isMisspelt = rest.length === 1 && folder !== "fixtures" && nearest(folder, ["fixtures"], 2) !== undefined;
      return isMisspelt && file.endsWith(".json") ? [folder] : [];
    }),
  );
  return Array.from(folders, (folder) => ({
    template: template.name,
    message: `Nothing in ${folder}/ is used.`,
    at: { file: path.join(template.folder, folder) },
    hint: "Is it meant to be fixtures/? Otherwise remove it.",
  }));
}
