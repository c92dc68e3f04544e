import { nearest } from "../../../text/nearest.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { allTags, UsedVariables, examplesOf, type TagInPlace } from "../../lib/variables.js";

export const variableWithoutExample: BuiltInRule = {
  id: "variable-without-example",
  severity: "warning",
  summary: "No fixture has a value for a variable.",
  details: "No fixture has a value for a variable, or a template has variables but no fixture.",
  why:
    "The preview, types and tests use fixtures, so nobody sees such a variable before a real email is sent. For a list, " +
    "one fixture needs an item.",
  fix:
    "If the name is mistyped, use the name in the fixtures. Otherwise add the variable to a fixture, or add a " +
    "fixture: `fixtures/<name>.json` next to the body.",
  examples: {
    wrong: [
      "<p>Hello {{name}},</p>",
      { "order/order.html": "<p>Hello ‸{{naem}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' },
    ],
    right: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' }],
  },
  checkTemplate(checked) {
    const { template, compiled } = checked;
    const { fixtures } = compiled;
    const variables = allTags(checked).filter(({ found, name }) => found && name !== ".");
    const [first] = variables;
    if (!first) return [];
    if (fixtures.length === 0) {
      const hint = `Add fixtures/default.json to ${template.name}/: the preview, types and tests use it.`;
      return [{ message: "The template has variables but no fixture.", at: { file: template.body.file }, hint }];
    }
    const findings = new Map<string, Finding>();
    const withExample = new Set<string>();
    for (const tag of variables) {
      const path = tag.found?.path ?? tag.name;
      if (withExample.has(path) || findings.has(path)) continue;
      const values = examplesOf(tag, checked).map(({ value }) => value);
      if (values.some(isExample)) withExample.add(path);
      // Without any value, no fixture enters the section around it, which is reported instead.
      else if (values.length > 0) findings.set(path, finding(tag, path, values, checked));
    }
    return [...findings].filter(([path]) => !withExample.has(path)).map(([, each]) => each);
  },
};

function finding(tag: TagInPlace, path: string, values: readonly unknown[], checked: CheckedTemplate): Finding {
  const message = values.some(Array.isArray)
    ? `No fixture has an item in "${path}", so the preview and the checks never show it.`
    : `No fixture has the variable "${path}", so the preview and the checks never show it.`;
  const meant = unusedNear(tag, path, checked);
  const hint = meant === undefined ? "Add it to a fixture." : `Did you mean ${meant}? If not, add it to a fixture.`;
  return { message, at: tag.at(), hint };
}

/** The similar name that a fixture has and no tag uses, which a mistyped name most likely means. */
function unusedNear(tag: TagInPlace, path: string, checked: CheckedTemplate): string | undefined {
  const dot = tag.name.lastIndexOf(".");
  const holder = tag.name.slice(0, Math.max(dot, 0)) || ".";
  const name = tag.name.slice(dot + 1);
  const prefix = path.slice(0, path.length - name.length);
  const used = new UsedVariables(checked);
  const others = examplesOf({ ...tag, name: holder }, checked).flatMap(({ value }) =>
    typeof value === "object" && value !== null ? Object.keys(value) : [],
  );
  return nearest(name, new Set(others.filter((other) => !used.uses(prefix + other))));
}

function isExample(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}
