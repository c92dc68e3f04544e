import path from "node:path";
import { nearest } from "../../../text/nearest.js";
import { stemOf } from "../../../project/template-name.js";
import type { CompileResult } from "../../../project/template.js";
import { readSources } from "../../checked-template.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const unusedFile: BuiltInRule = {
  id: "unused-file",
  severity: "warning",
  summary:
    "A file in a templates folder looks like part of a template, a fixture, a shared part or an image, but is not used.",
  details:
    "A file in a templates folder looks like part of a template, a fixture, a shared part or an image of " +
    "`_assets`, but is not used.",
  why:
    "A template's files are found by name: `<name>.txt` is its text body, `template.json` its metadata, " +
    "`variables.ts` its schema, `fixtures/<name>.json` its examples. A misspelt one, such as `welcome.text`, " +
    "`template.yaml`, `variable.ts` or `fixture/`, is ignored: the text is derived from the HTML, and the subject " +
    "is missing. A part that no template includes looks as if it were in use, and gets edited along with the " +
    "others. An image that no template shows is uploaded all the same (a note).\n\n" +
    "Parts and images are reported only if all templates compile. A module that is imported only for its types is " +
    "in use.",
  fix:
    "Rename it, include it, or remove it. An image that only an earlier email shows has to stay on the server, not " +
    "here.",
  examples: {
    wrong: [
      { "order/order.html": "<p>Hello</p>", "order/template.yaml": "subject: Your order" },
      { "order/order.html": "<p>Hello</p>", "order/fixture/default.json": '{ "name": "Ada" }' },
    ],
    right: [{ "order/order.html": "<p>Hello</p>{{> ../_shared/end}}", "_shared/end.html": "<p>Goodbye</p>" }],
  },
  checkAll({ results, files }) {
    if (!files) return [];
    const used = new Set(results.flatMap(usedBy));
    const unused = files.all.filter((file) => !used.has(file));
    const areAllCompiled = results.length > 0 && results.every(({ compiled }) => compiled);
    return [
      ...results.flatMap((result) => inTemplateFolder(result, unused)),
      // It is unknown what a template that does not compile includes.
      ...(areAllCompiled ? shared(results, unused, used) : []),
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
function inTemplateFolder(result: CompileResult, unused: readonly string[]): Finding[] {
  const { folder, root, name } = result.template;
  if (folder === root) return [];
  return unused.flatMap((file): Finding[] => {
    if (!file.startsWith(folder + path.sep) || /^[_.]/.test(path.basename(file))) return [];
    const own = path.relative(folder, file).replaceAll(path.sep, "/");
    const hint = hintFor(own, result);
    return hint === undefined ? [] : [{ template: name, message: `${own} is not used.`, at: { file }, hint }];
  });
}

/** Undefined for files that need not be used. */
function hintFor(file: string, { template, compiled }: CompileResult): string | undefined {
  const [folder = "", ...rest] = file.split("/");
  if (folder === "fixtures")
    return IS_EXAMPLE.test(file) ? "Rename it to fixtures/NAME.json, or remove it." : undefined;
  if (rest.length === 1 && file.endsWith(".json") && nearest(folder, ["fixtures"], 2) !== undefined)
    return `Rename ${folder}/ to fixtures/, or remove it.`;
  if (rest.length > 0) return undefined;
  const meant = meantBy(file, template);
  if (meant !== undefined) return `Rename it to ${meant}, or remove it.`;
  // A template that does not compile may include any part.
  return compiled && IS_INCLUDED.test(file) ? "Remove it, or include it." : undefined;
}

const IS_EXAMPLE = /\.(?:json[5c]?|ya?ml|json\.txt)$/i;
/** Schemas and components import each other as they like. */
const IS_INCLUDED = /\.(?:mjml|html|txt|json)$/;
/** Other tools' names for a text body. */
const IS_TEXT = /\.(?:txt|text|mustache|mst|hbs|handlebars|liquid|plain)$/i;
const IS_METADATA = /^(?:template\.(?:ya?ml|json5|jsonc|toml)|(?:meta|metadata|config)\.json)$/i;
const IS_CODE = /\.[cm]?[jt]sx?$/;
/** Useful without being included. */
const IS_FOR_DEVELOPMENT = /\.d\.[cm]?ts$|\.(?:test|spec|stories)\.[cm]?[jt]sx?$/;

/** The missing file of a template that this one was probably meant to be. */
function meantBy(file: string, { name, text, metadataSource, variablesFile }: CompileResult["template"]) {
  if (IS_FOR_DEVELOPMENT.test(file)) return undefined;
  if (IS_CODE.test(file)) return variablesFile === undefined ? nearest(file, ["variables.ts"], 2) : undefined;
  const textName = text ? undefined : `${stemOf(name)}.txt`;
  const metadata = metadataSource ? undefined : "template.json";
  const missing = [textName, metadata].filter((each) => each !== undefined);
  const near = IS_METADATA.test(file) ? metadata : nearest(file, missing, 2);
  if (near !== undefined) return near;
  if (file.endsWith(".json")) return `fixtures/${file}`;
  return IS_TEXT.test(file) ? textName : undefined;
}

/** Shared parts that no template includes, and images in `_assets` that no template shows. */
function* shared(
  results: readonly CompileResult[],
  unused: readonly string[],
  used: ReadonlySet<string>,
): Generator<Finding> {
  const roots = [...new Set(results.map(({ template }) => template.root))];
  const inFolders = (file: string, test: (folder: string) => boolean): boolean =>
    roots.some((root) => file.startsWith(root + path.sep) && path.relative(root, file).split(path.sep).some(test));
  const parts = unused.filter(
    (file) =>
      IS_PART.test(file) &&
      !IS_FOR_DEVELOPMENT.test(file) &&
      inFolders(file, (folder) => folder.startsWith("_")) &&
      !inFolders(file, (folder) => folder === "_assets" || folder === "node_modules"),
  );
  const images = unused.filter((file) => IS_IMAGE.test(file) && inFolders(file, (folder) => folder === "_assets"));
  if (parts.length === 0 && images.length === 0) return;
  const sources = readSources(used);
  const code = [...sources].flatMap(([file, text]) => (IS_CODE.test(file) ? [text] : []));
  const texts = [...sources.values(), ...results.map(({ compiled }) => compiled?.html_body ?? "")];
  for (const file of parts.filter((each) => !isImported(each, code))) {
    const message = `No template includes ${path.basename(file)}.`;
    yield { message, at: { file }, hint: "Remove it, or include it." };
  }
  for (const file of images.filter((each) => !isNamed(path.basename(each), texts))) {
    const message = `No template shows the image ${path.basename(file)}; it is uploaded with the others.`;
    yield { severity: "info", message, at: { file }, hint: "Remove it, unless something else uses it." };
  }
}

const IS_PART = /\.(?:mjml|html|txt|css|[cm]?[jt]sx?)$/;
const IS_IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$/i;

/** Compiling never sees modules that are imported only for their types, so imports are searched for. */
function isImported(file: string, code: readonly string[]): boolean {
  if (!IS_CODE.test(file)) return false;
  const { name } = path.parse(file);
  const imported = new RegExp(`["'][^"'\\n]*\\b${name.replaceAll(/[.$]/g, "\\$&")}(?:\\.[cm]?[jt]sx?)?["']`);
  return code.some((text) => imported.test(text));
}

/** A URL may come from a fixture, or be put together by a component. */
function isNamed(image: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.includes(image) || text.includes(encodeURI(image)));
}
