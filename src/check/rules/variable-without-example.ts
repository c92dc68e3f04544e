import { Shape } from "../../mustache/shape.js";
import type { Finding, Rule } from "../rule.js";
import { positionOfOffset } from "../source-position.js";
import { namesIn, namesUsed } from "../variables-used.js";

export const variableWithoutExample: Rule = {
  id: "variable-without-example",
  checkTemplate({ template, compiled }) {
    const { contract, fixtures } = compiled;
    const used = namesUsed(compiled);
    const names = Shape.ofFilled(contract).names.filter((name) => used.has(name));
    if (names.length > 0 && fixtures.length === 0) {
      const hint = `Add fixtures/default.json to ${template.name}/: preview, types and tests use it.`;
      return [
        {
          severity: "warning",
          message: "The template has variables and no fixture.",
          at: { file: template.body.file },
          hint,
        },
      ];
    }
    const written = namesIn(template.body.text);
    const shown = (name: string) => fixtures.some(({ variables }) => (variables[name] ?? null) !== null);
    return names
      .filter((name) => !shown(name))
      .map((name): Finding => {
        const message = `No fixture has the variable "${name}", so no one ever sees what it does.`;
        return {
          severity: "warning",
          message,
          at: positionOfOffset(template, written.get(name)),
          hint: "Add it to a fixture.",
        };
      });
  },
};
