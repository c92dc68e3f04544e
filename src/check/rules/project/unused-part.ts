import path from "node:path";
import { readTexts } from "../../checked-template.js";
import type { Rule } from "../../rule.js";

export const unusedPart: Rule = {
  id: "unused-part",
  summary: "No template includes a shared part.",
  severity: "warning",
  checkAll({ results, files }) {
    // What one that does not compile includes, nobody knows.
    if (!files || results.length === 0 || results.some(({ compiled }) => !compiled)) return [];
    const used = new Set(results.flatMap(({ compiled }) => compiled?.sources ?? []));
    const roots = [...new Set(results.map(({ template }) => template.root))];
    const unused = files.all.filter(
      (file) => !used.has(file) && roots.some((root) => isPart(path.relative(root, file))),
    );
    const code = unused.some(isCode) ? [...readTexts([...used].filter(isCode)).values()] : [];
    return unused
      .filter((file) => !isImported(file, code))
      .map((file) => ({
        message: `No template includes ${path.basename(file)}.`,
        at: { file },
        hint: "Remove it, or include it where it belongs.",
      }));
  },
};

const IS_PART = /\.(?:mjml|html|txt|css|[cm]?[jt]sx?)$/;
/** Nothing includes these, and they are of use. */
const IS_BESIDE = /\.d\.[cm]?ts$|\.(?:test|spec|stories)\.[cm]?[jt]sx?$/;

function isPart(relative: string): boolean {
  const steps = relative.split(path.sep);
  if (steps[0] === ".." || path.isAbsolute(relative) || !IS_PART.test(relative) || IS_BESIDE.test(relative))
    return false;
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
