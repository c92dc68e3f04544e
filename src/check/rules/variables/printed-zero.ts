import { positionAt } from "../../../position.js";
import { onceEach } from "../../once-each.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";

export const printedZero: Rule = {
  id: "printed-zero",
  summary: "A component prints 0 where it is to show nothing, as `{items.length && …}` does.",
  severity: "warning",
  checkTemplate(checked) {
    if (!/\.[jt]sx$/.test(checked.template.body.file)) return [];
    return onceEach(
      checked.document.texts.flatMap(({ text }) =>
        Array.from(text.matchAll(ZERO), ([, name = ""]) => name).flatMap((name) => findingsFor(checked, name)),
      ),
    );
  },
};

/** What is compiled of it: a 0 alone, where a question is answered so. */
const ZERO = /\{\{[#^]([^{}]+)\}\}0\{\{\/\1\}\}/g;

function findingsFor({ compiled, document }: CheckedTemplate, name: string): Finding[] {
  const path = compiled.contract.conditions.find((condition) => condition.name === name)?.path;
  const last = path === undefined || path === "." ? undefined : path.split(".").at(-1);
  if (last === undefined) return [];
  // A 0 that is meant is written, and no `&&` decides about it.
  const written = new RegExp(
    `\\{\\s*((?:[\\w$]+[?!]?\\.)*${last.replaceAll("$", "\\$")}(?:[?!]?\\.length)?)\\s*&&`,
    "g",
  );
  return [...document.input.sources].flatMap(([file, text]) =>
    (/\.[jt]sx$/.test(file) ? [...text.matchAll(written)] : []).map(({ index, 0: { length }, 1: asked = "" }) => ({
      message: `{${asked} && …} prints 0 where ${asked} is 0.`,
      at: { file, ...positionAt(text, index + length - text.slice(index, index + length).trimStart().length) },
      hint: `Write \`{${asked} > 0 && …}\`.`,
    })),
  );
}
