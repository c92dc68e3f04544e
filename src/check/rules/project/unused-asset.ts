import path from "node:path";
import type { CompileResult } from "../../../template/template.js";
import { readTexts } from "../../checked-template.js";
import type { Rule } from "../../rule.js";

export const unusedAsset: Rule = {
  id: "unused-asset",
  summary: "No template shows an image of an `_assets` folder.",
  severity: "info",
  checkAll({ results, files }) {
    if (!files || results.length === 0 || results.some(({ compiled }) => !compiled)) return [];
    const roots = [...new Set(results.map(({ template }) => template.root))];
    const images = files.all.filter(
      (file) =>
        IS_IMAGE.test(file) &&
        roots.some((root) => path.relative(root, file).split(path.sep).slice(0, -1).includes("_assets")),
    );
    const inBodies = notShown(images, results.flatMap(textsOf));
    // Most are shown by a body: the sources need not be read.
    return (inBodies.length === 0 ? [] : notShown(inBodies, [...readTexts(sourcesOf(results)).values()])).map(
      (file) => ({
        message: `No template shows the image ${path.basename(file)}; it is uploaded with the others.`,
        at: { file },
        hint: "Remove it, unless something else shows it.",
      }),
    );
  },
};

function notShown(images: readonly string[], texts: readonly string[]): string[] {
  const isShown = (name: string): boolean => texts.some((text) => text.includes(name));
  return images.filter((file) => !isShown(path.basename(file)) && !isShown(encodeURI(path.basename(file))));
}

function textsOf({ template: { body, fixtures }, compiled }: CompileResult): string[] {
  // A variable may bring an address.
  return [body.text, compiled?.html_body ?? "", ...fixtures.map(({ source }) => source.text)];
}

function sourcesOf(results: readonly CompileResult[]): Set<string> {
  return new Set(
    results.flatMap(({ template, compiled }) => compiled?.sources.filter((file) => file !== template.text?.file) ?? []),
  );
}

const IS_IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$/i;
