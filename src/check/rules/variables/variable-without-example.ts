import type { Finding, Rule } from "../../rule.js";
import { allTags, type TagInPlace, withinOf } from "../../variables/tags.js";
import { valuesOf } from "../../variables/values.js";

export const variableWithoutExample: Rule = {
  id: "variable-without-example",
  summary: "No fixture has a variable.",
  severity: "warning",
  checkTemplate(checked) {
    const { template, compiled } = checked;
    const { fixtures } = compiled;
    const variables = allTags(checked).filter(({ found, name }) => found && name !== ".");
    const [first] = variables;
    if (!first) return [];
    if (fixtures.length === 0) {
      const hint = `Add fixtures/default.json to ${template.name}/: preview, types and tests use it.`;
      return [{ message: "The template has variables and no fixture.", at: { file: template.body.file }, hint }];
    }
    const findings = new Map<string, Finding>();
    const shown = new Set<string>();
    for (const tag of variables) {
      const path = tag.found?.path ?? tag.name;
      if (shown.has(path) || findings.has(path)) continue;
      const values = fixtures.flatMap((fixture) =>
        valuesOf(fixture.variables, { within: withinOf(tag), name: tag.name }),
      );
      if (values.some(isExample)) shown.add(path);
      // What no fixture comes to has a section around it of which that is said.
      else if (values.length > 0) findings.set(path, finding(tag, path, values));
    }
    return [...findings].filter(([path]) => !shown.has(path)).map(([, found]) => found);
  },
};

function finding({ at }: TagInPlace, path: string, values: readonly unknown[]): Finding {
  const message = values.some(Array.isArray)
    ? `No fixture has an item in "${path}", so no one ever sees what it does.`
    : `No fixture has the variable "${path}", so no one ever sees what it does.`;
  return { message, at: at(), hint: "Add it to a fixture." };
}

function isExample(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}
