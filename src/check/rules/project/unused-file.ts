import path from "node:path";
import { nearest } from "../../../nearest.js";
import { stemOf } from "../../../template/name.js";
import type { CompileResult } from "../../../template/template.js";
import { readTexts } from "../../checked-template.js";
import type { Finding, ProjectFiles, Rule } from "../../rule.js";

export const unusedFile: Rule = {
  id: "unused-file",
  summary:
    "A file in a templates folder looks like part of a template, a fixture, a shared part or an image, and is not used.",
  severity: "warning",
  checkAll({ results, files }) {
    if (!files) return [];
    const used = new Set(results.flatMap(usedBy));
    const unused = files.all.filter((file) => !used.has(file));
    const areAllCompiled = results.length > 0 && results.every(({ compiled }) => compiled);
    return [
      ...results.flatMap((result) => inTemplateFolder(result, unused)),
      // What one that does not compile includes, nobody knows.
      ...(areAllCompiled ? [...sharedParts(results, unused, used), ...images(results, files)] : []),
    ];
  },
};

function usedBy({ template, compiled }: CompileResult): string[] {
  const { body, text, metadataSource, variablesFile, fixtures } = template;
  const read = [body, text, metadataSource, ...fixtures.map(({ source }) => source)];
  return [
    ...read.flatMap((source) => source?.file ?? []),
    ...(variablesFile === undefined ? [] : [variablesFile]),
    ...(compiled?.sources ?? []),
  ];
}

/** A template that is a single file has no folder of its own. */
function inTemplateFolder({ template, compiled }: CompileResult, unused: readonly string[]): Finding[] {
  const { folder, root, name } = template;
  if (folder === root) return [];
  return unused.flatMap((file): Finding[] => {
    const [first = "", ...rest] = path.relative(folder, file).split(path.sep);
    const found = (message: string, hint: string) => [{ template: name, message, at: { file }, hint }];
    if (first === ".." || path.isAbsolute(first) || /^[_.]/.test(path.basename(file))) return [];
    if (first === "fixtures")
      return IS_EXAMPLE.test(file)
        ? found(
            `${first}/${rest.join("/")} is not used: a fixture is a file fixtures/NAME.json.`,
            "Rename it, move it, or remove it.",
          )
        : [];
    if (rest.length === 1 && file.endsWith(".json") && nearest(first, ["fixtures"], 2) !== undefined)
      return found(`${first}/${rest[0]} is not used.`, `Rename ${first}/ to fixtures/, or remove it.`);
    if (rest.length > 0) return [];
    const meant = meantBy(first, template);
    // What did not compile may include any part.
    if (meant === undefined && !(compiled && IS_INCLUDED.test(first))) return [];
    return found(
      `${first} is not used.`,
      meant === undefined ? "Remove it, or include it." : `Rename it to ${meant}, or remove it.`,
    );
  });
}

const IS_EXAMPLE = /\.(?:json[5c]?|ya?ml|json\.txt)$/i;
/** Schemas and components import each other as they like. */
const IS_INCLUDED = /\.(?:mjml|html|txt|json)$/;
/** What other tools call a text body. */
const IS_TEXT = /\.(?:txt|text|mustache|mst|hbs|handlebars|liquid|plain)$/i;
const IS_METADATA = /^(?:template\.(?:ya?ml|json5|jsonc|toml)|(?:meta|metadata|config)\.json)$/i;

/** The file of a template that a name comes near to, and that is not there. */
function meantBy(file: string, { name, text, metadataSource, variablesFile }: CompileResult["template"]) {
  if (/\.[cm]?[jt]sx?$/.test(file))
    return variablesFile === undefined && !/\.d\.[cm]?ts$/.test(file) ? nearest(file, ["variables.ts"], 2) : undefined;
  const textName = text ? undefined : `${stemOf(name)}.txt`;
  const metadata = metadataSource ? undefined : "template.json";
  const near = nearest(
    file,
    [textName, metadata].filter((each) => each !== undefined),
    2,
  );
  if (near !== undefined) return near;
  if (IS_METADATA.test(file)) return metadata;
  if (file.endsWith(".json")) return `fixtures/${file}`;
  return IS_TEXT.test(file) ? textName : undefined;
}

/** Parts that no template includes. */
function sharedParts(
  results: readonly CompileResult[],
  unused: readonly string[],
  used: ReadonlySet<string>,
): Finding[] {
  const roots = rootsOf(results);
  const parts = unused.filter((file) => roots.some((root) => isPart(path.relative(root, file))));
  const code = parts.some(isCode) ? [...readTexts([...used].filter(isCode)).values()] : [];
  return parts
    .filter((file) => !isImported(file, code))
    .map((file) => ({
      message: `No template includes ${path.basename(file)}.`,
      at: { file },
      hint: "Remove it, or include it where it belongs.",
    }));
}

const IS_PART = /\.(?:mjml|html|txt|css|[cm]?[jt]sx?)$/;
/** Nothing includes these, and they are of use. */
const IS_FOR_DEVELOPMENT = /\.d\.[cm]?ts$|\.(?:test|spec|stories)\.[cm]?[jt]sx?$/;

function isPart(relative: string): boolean {
  const steps = relative.split(path.sep);
  if (steps[0] === ".." || path.isAbsolute(relative)) return false;
  if (!IS_PART.test(relative) || IS_FOR_DEVELOPMENT.test(relative)) return false;
  return steps.some((step) => step.startsWith("_")) && !steps.includes("_assets") && !steps.includes("node_modules");
}

function isCode(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file);
}

/** What is imported for its types alone is gone before anything is compiled. */
function isImported(file: string, code: readonly string[]): boolean {
  if (!isCode(file)) return false;
  const { name } = path.parse(file);
  const imported = new RegExp(`["'][^"'\\n]*\\b${name.replaceAll(/[.$]/g, "\\$&")}(?:\\.[cm]?[jt]sx?)?["']`);
  return code.some((text) => imported.test(text));
}

/** Images of `_assets` folders that no template shows. */
function images(results: readonly CompileResult[], { all }: ProjectFiles): Finding[] {
  const roots = rootsOf(results);
  const inAssets = all.filter(
    (file) =>
      IS_IMAGE.test(file) &&
      roots.some((root) => path.dirname(path.relative(root, file)).split(path.sep).includes("_assets")),
  );
  // Most are shown by what is at hand: the rest need not be read.
  const unseen = TEXTS.reduce(
    (left, textsOf) => (left.length === 0 ? left : notShown(left, textsOf(results))),
    inAssets,
  );
  return unseen.map((file) => ({
    severity: "info",
    message: `No template shows the image ${path.basename(file)}; it is uploaded with the others.`,
    at: { file },
    hint: "Remove it, unless something else shows it.",
  }));
}

const IS_IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$/i;

/** What may name an image: what is read already, the parts that templates share, and what was compiled of them. */
const TEXTS: readonly ((results: readonly CompileResult[]) => readonly string[])[] = [
  // A variable may bring an address.
  (results) =>
    results.flatMap(({ template: { body, fixtures } }) =>
      [body, ...fixtures.map(({ source }) => source)].map(({ text }) => text),
    ),
  (results) => [...readTexts(partsOf(results)).values()],
  (results) => results.map(({ compiled }) => compiled?.html_body ?? ""),
];

function notShown(files: readonly string[], texts: readonly string[]): string[] {
  const isShown = (name: string): boolean => texts.some((text) => text.includes(name));
  return files.filter((file) => !isShown(path.basename(file)) && !isShown(encodeURI(path.basename(file))));
}

function partsOf(results: readonly CompileResult[]): Set<string> {
  return new Set(
    results.flatMap(
      ({ template: { body, text }, compiled }) =>
        compiled?.sources.filter((file) => file !== body.file && file !== text?.file) ?? [],
    ),
  );
}

function rootsOf(results: readonly CompileResult[]): string[] {
  return [...new Set(results.map(({ template }) => template.root))];
}
