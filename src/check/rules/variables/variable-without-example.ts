import { nearest } from "../../../nearest.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { allTags, type TagInPlace } from "../../variables/tags.js";
import { UsedVariables } from "../../variables/used.js";
import { examplesOf } from "./examples.js";

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
      const values = examplesOf(tag, checked).map(({ value }) => value);
      if (values.some(isExample)) shown.add(path);
      // What no fixture comes to has a section around it of which that is said.
      else if (values.length > 0) findings.set(path, finding(tag, path, values, checked));
    }
    return [...findings].filter(([path]) => !shown.has(path)).map(([, found]) => found);
  },
};

function finding(tag: TagInPlace, path: string, values: readonly unknown[], checked: CheckedTemplate): Finding {
  const message = values.some(Array.isArray)
    ? `No fixture has an item in "${path}", so no one ever sees what it does.`
    : `No fixture has the variable "${path}", so no one ever sees what it does.`;
  const meant = unusedNear(tag, path, checked);
  const hint = meant === undefined ? "Add it to a fixture." : `Did you mean ${meant}? If not, add it to a fixture.`;
  return { message, at: tag.at(), hint };
}

/** What a mistyped name most likely meant: a variable beside it in a fixture, which no tag uses. */
function unusedNear(tag: TagInPlace, path: string, checked: CheckedTemplate): string | undefined {
  const dot = tag.name.lastIndexOf(".");
  const holder = tag.name.slice(0, Math.max(dot, 0)) || ".";
  const name = tag.name.slice(dot + 1);
  const around = path.slice(0, path.length - name.length);
  const used = new UsedVariables(checked);
  const others = examplesOf({ ...tag, name: holder }, checked).flatMap(({ value }) =>
    typeof value === "object" && value !== null ? Object.keys(value) : [],
  );
  return nearest(name, new Set(others.filter((other) => !used.uses(around + other))));
}

function isExample(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}
