import type { Rule } from "../rule.js";
import { namesUsed } from "../variables-used.js";

export const unusedVariable: Rule = {
  id: "unused-variable",
  checkTemplate({ template, compiled }) {
    const { input, derived } = compiled.contract;
    // What `derive` reads can't be seen, so a template that has it may use any variable.
    if (template.variablesFile === undefined || derived) return [];
    const used = namesUsed(compiled);
    return Object.keys(input.properties ?? {})
      .filter((name) => !used.has(name))
      .map((name) => ({
        severity: "warning",
        message: `The application has to pass "${name}", and no tag uses it.`,
        at: { file: template.variablesFile ?? template.body.file },
        hint: "Remove it from the schema, or make it optional.",
      }));
  },
};
