import type { SourcePosition } from "../../../diagnostic.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { jsonPosition } from "../../../project/source-file.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { positionIn } from "../../checked-template.js";
import { UsedVariables } from "../../lib/variables.js";

export const unusedVariable: BuiltInRule = {
  id: "unused-variable",
  severity: "warning",
  summary: "The application passes a variable that no tag uses.",
  details: "The application passes a variable that no tag uses, or `derive` returns one.",
  why:
    "Applications compute and pass it for nothing, and developers search the templates for where it is shown. What " +
    "`derive` or a component reads counts as used; code that takes all fields of an object (`...order`) uses them " +
    "all. A field of an object or of a list's items is a note, because an object that several templates share has " +
    "more than each of them needs. Fields that `derive` names itself have to be used, too.",
  fix: "Remove it from the schema or from `derive`, or, without a schema, from the fixtures; or print it.",
  examples: {
    wrong: [
      {
        "order/order.html": "<p>Hello {{name}},</p>",
        "order/variables.ts": `import { z } from "zod";
export default z.object({
  name: z.string(),
  ‸age: z.int(),
});`,
        "order/fixtures/default.json": '{ "name": "Ada", "age": 36 }',
      },
      { "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada", ‸"age": 36 }' },
    ],
    right: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' }],
  },
  checkTemplate(checked) {
    const used = new UsedVariables(checked);
    const unused = membersOf(checked.compiled.contract.input).filter(
      ({ path, parent }) => !used.uses(path) && (parent === "" || used.uses(parent)),
    );
    const passed = unused.map(({ path, parent, isRequired }): Finding => ({
      // An object that several templates share naturally has more than one of them needs.
      severity: parent === "" ? "warning" : "info",
      message: `The application ${isRequired ? "has to" : "may"} pass "${path}", but no tag uses it.`,
      at: placeOf(path, checked),
      hint: `Remove it from ${placeInWords(checked.template)}.`,
    }));
    return [...passed, ...unusedDerived(checked, used)];
  },
};

/** Where to remove an unused variable. */
function placeInWords({ variablesFile, engine }: CheckedTemplate["template"]): string {
  if (variablesFile !== undefined) return "the schema";
  return engine === "react" ? "the component's props and the fixtures" : "the fixtures";
}

/** The fields that `derive` names itself; those it spreads with `...` are passed in. */
function unusedDerived({ template, compiled, document }: CheckedTemplate, used: UsedVariables): Finding[] {
  const { variablesFile: file = "" } = template;
  const text = document.input.sources.get(file) ?? "";
  const { input, derived } = compiled.contract;
  const added = Object.keys(derived?.properties ?? {}).filter((name) => !Object.hasOwn(input.properties ?? {}, name));
  return added.flatMap((name) => {
    const at = positionIn({ file, text }, new RegExp(`(?<=\\bderive\\b[^]*[{,\\s])${name}\\s*[:,}]`));
    if (used.isShown(name) || at.line === undefined) return [];
    return [{ message: `derive returns "${name}", but no tag uses it.`, at, hint: "Remove it from derive." }];
  });
}

interface Member {
  readonly path: string;
  /** The path of the object it is in; empty at the top. */
  readonly parent: string;
  readonly isRequired: boolean;
}

function membersOf({ properties = {}, required }: VariablesSchema, parent = ""): Member[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = parent === "" ? name : `${parent}.${name}`;
    const { items } = member;
    const inner = typeof items === "object" ? membersOf(items, `${path}[]`) : membersOf(member, path);
    return [{ path, parent, isRequired: required?.includes(name) ?? false }, ...inner];
  });
}

function placeOf(path: string, { template, document }: CheckedTemplate): SourcePosition {
  const keys = path.split(/\.|(?=\[)/).map((key) => (key === "[]" ? 0 : key));
  const name = keys.findLast((key) => key !== 0) ?? path;
  const { variablesFile, fixtures, body } = template;
  if (variablesFile !== undefined) {
    const text = document.input.sources.get(variablesFile) ?? "";
    return positionIn({ file: variablesFile, text }, new RegExp(`(?<![\\w.$])["']?${name}["']?\\s*[:,}]`));
  }
  const fixture = fixtures.find(({ variables }) => hasPath(variables, keys));
  return fixture ? jsonPosition(fixture.source, keys, "name") : positionIn(body, new RegExp(`\\b${name}\\??\\s*:`));
}

function hasPath(value: unknown, [key, ...keys]: readonly (string | number)[]): boolean {
  if (key === undefined) return true;
  return typeof value === "object" && value !== null && key in value && hasPath(Reflect.get(value, key), keys);
}
