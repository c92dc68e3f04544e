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
    // Most are shown by what is at hand: the rest need not be read.
    const unseen = TEXTS.reduce(
      (left, textsOf) => (left.length === 0 ? left : notShown(left, textsOf(results))),
      images,
    );
    return unseen.map((file) => ({
      message: `No template shows the image ${path.basename(file)}; it is uploaded with the others.`,
      at: { file },
      hint: "Remove it, unless something else shows it.",
    }));
  },
};

/** What may name an image: what is read already, the parts that templates share, and what was compiled of them. */
const TEXTS: readonly ((results: readonly CompileResult[]) => readonly string[])[] = [
  // A variable may bring an address.
  (results) =>
    results.flatMap(({ template: { body, fixtures } }) =>
      [body, ...fixtures.map(({ source }) => source)].map(({ text }) => text),
    ),
  (results) => [...readTexts(sourcesOf(results)).values()],
  (results) => results.map(({ compiled }) => compiled?.html_body ?? ""),
];

function notShown(images: readonly string[], texts: readonly string[]): string[] {
  const isShown = (name: string): boolean => texts.some((text) => text.includes(name));
  return images.filter((file) => !isShown(path.basename(file)) && !isShown(encodeURI(path.basename(file))));
}

function sourcesOf(results: readonly CompileResult[]): Set<string> {
  return new Set(
    results.flatMap(
      ({ template: { body, text }, compiled }) =>
        compiled?.sources.filter((file) => file !== body.file && file !== text?.file) ?? [],
    ),
  );
}

const IS_IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$/i;
