import path from "node:path";
import { nearest } from "../../../nearest.js";
import type { Rule } from "../../rule.js";

export const unusedFixture: Rule = {
  id: "unused-fixture",
  summary: "A file in a fixtures folder is not a fixture of any template.",
  severity: "warning",
  checkAll({ results, files }) {
    const used = new Set(results.flatMap(({ template }) => template.fixtures.map(({ source }) => source.file)));
    const unused = files?.all.filter((file) => !used.has(file) && isExample(file)) ?? [];
    return results.flatMap(({ name, template: { folder } }) => {
      const fixtures = path.join(folder, "fixtures") + path.sep;
      const own = unused.filter((file) => file.startsWith(fixtures));
      return own.map((file) => ({
        template: name,
        message: `${path.relative(folder, file)} is not used: a fixture is a file fixtures/NAME.json.`,
        at: { file },
        hint: "Rename it or move it there, or remove it.",
      }));
    });
  },
};

const IS_EXAMPLE = /\.(?:json[5c]?|ya?ml|json\.txt)$/i;
const IS_OTHER = /\.(?:js|jsonl|son)$/i;

/** Also one whose ending is mistyped: `default.jsn`. */
function isExample(file: string): boolean {
  if (IS_EXAMPLE.test(file)) return true;
  const ending = path.extname(file).slice(1).toLowerCase();
  return ending.length > 2 && !IS_OTHER.test(file) && nearest(ending, ["json"], 1) !== undefined;
}
