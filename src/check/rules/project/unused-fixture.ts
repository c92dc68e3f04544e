import path from "node:path";
import type { Rule } from "../../rule.js";

export const unusedFixture: Rule = {
  id: "unused-fixture",
  summary: "A file in a fixtures folder is not a fixture of any template.",
  severity: "warning",
  checkAll({ results, files }) {
    const used = new Set(results.flatMap(({ template }) => template.fixtures.map(({ source }) => source.file)));
    const unused = files?.all.filter((file) => !used.has(file) && IS_EXAMPLE.test(file)) ?? [];
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

const IS_EXAMPLE = /\.(?:json[5c]?|ya?ml)$/i;
