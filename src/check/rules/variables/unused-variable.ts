import type { SourcePosition } from "../../../diagnostic.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { positionAt } from "../../../position.js";
import { jsonPosition } from "../../../template/json.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { positionIn } from "../../source-position.js";
import { UsedVariables } from "../../variables/used.js";

export const unusedVariable: Rule = {
  id: "unused-variable",
  summary: "The application has to pass a variable that no tag uses.",
  severity: "warning",
  checkTemplate(checked) {
    const used = new UsedVariables(checked);
    const { input } = checked.compiled.contract;
    const unused = membersOf(input).flatMap(({ path, parent, isRequired }): Finding[] => {
      if (used.uses(path) || (parent !== "" && !used.uses(parent))) return [];
      const passes = isRequired ? "has to pass" : "may pass";
      return [
        {
          // What is passed for several templates is natural to have more than one of them needs.
          severity: parent === "" ? "warning" : "info",
          message: `The application ${passes} "${path}", and no tag uses it.`,
          at: placeOf(path, checked),
          hint: `Remove it from ${placeInWords(checked.template)}.`,
        },
      ];
    });
    return [...unused, ...unusedDerived(checked, used)];
  },
};

/** Where a variable is from that nothing uses. */
function placeInWords({ variablesFile, engine }: CheckedTemplate["template"]): string {
  if (variablesFile !== undefined) return "the schema";
  return engine === "react" ? "the component's props and the fixtures" : "the fixtures";
}

/** What derive names itself; what it takes over with `...` is not of its making. */
function unusedDerived({ template, compiled, document }: CheckedTemplate, used: UsedVariables): Finding[] {
  const { variablesFile: file = "" } = template;
  const { input, derived } = compiled.contract;
  const text = document.input.sources.get(file) ?? "";
  const start = text.search(/\bderive\b/);
  if (start < 0) return [];
  const added = Object.keys(derived?.properties ?? {}).filter((name) => !Object.hasOwn(input.properties ?? {}, name));
  return added.flatMap((name) => {
    const key = new RegExp(`(?<=[{,]\\s*(?://[^\\n]*\\n\\s*)?)${name}\\s*[:,}]`, "g");
    key.lastIndex = start;
    const offset = used.isShown(name) ? undefined : key.exec(text)?.index;
    if (offset === undefined) return [];
    const at = { file, ...positionAt(text, offset) };
    return [{ message: `derive gives "${name}", and no tag uses it.`, at, hint: "Remove it from derive." }];
  });
}

interface Member {
  readonly path: string;
  /** The path of what it is in; empty at the top. */
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
  if (typeof value !== "object" || value === null || !(key in value)) return false;
  return hasPath(Reflect.get(value, key), keys);
}
