import path from "node:path";
import type { Rule } from "../../rule.js";

export const unusedAsset: Rule = {
  id: "unused-asset",
  summary: "No template shows an image of an `_assets` folder.",
  severity: "info",
  checkAll({ results, checked, files }) {
    if (!files || results.length === 0 || results.some(({ compiled }) => !compiled)) return [];
    const roots = [...new Set(results.map(({ template }) => template.root))];
    const texts = checked.flatMap(({ template, compiled, document }) => [
      compiled.html_body,
      // A variable may bring an address.
      ...template.fixtures.map(({ source }) => source.text),
      ...document.input.sources.values(),
    ]);
    const isShown = (name: string): boolean => texts.some((text) => text.includes(name));
    return files.all
      .filter((file) =>
        roots.some((root) => path.relative(root, file).split(path.sep).slice(0, -1).includes("_assets")),
      )
      .filter(
        (file) => IS_IMAGE.test(file) && !isShown(path.basename(file)) && !isShown(encodeURI(path.basename(file))),
      )
      .map((file) => ({
        message: `No template shows the image ${path.basename(file)}; it is uploaded with the others.`,
        at: { file },
        hint: "Remove it, unless something else shows it.",
      }));
  },
};

const IS_IMAGE = /\.(?:png|jpe?g|gif|webp|svg|bmp|ico|avif)$/i;
