import { format as formatChecks } from "@cfworker/json-schema";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import type { VariableProblem } from "../../../src/preview/contract.js";
import { isRecord } from "../../../src/values.js";
import {
  bestBranch,
  branchesOf,
  formats,
  itemSchema,
  kindOf,
  kindOfValue,
  kindWords,
  memberSchema,
  valuesOf,
} from "./resolve.js";

/** The problems of variables, each at the member that it is about. */
export function checkVariables(root: VariablesSchema, input: unknown): VariableProblem[] {
  return problemsOf(input, root, []);

  function problemsOf(value: unknown, part: VariablesSchema, path: VariableProblem["path"]): VariableProblem[] {
    const branches = branchesOf(part, root);
    const possible = branches.filter((branch) => isOfKind(value, branch));
    if (possible.length === 0) return [{ path, message: expectation(branches, value) }];
    const problems = possible.map((branch) => problemsWithin(value, branch, path));
    if (problems.some(({ length }) => length === 0)) return [];
    // Those of the branch that was most likely meant.
    return problems[possible.indexOf(bestBranch(value, possible, root))] ?? [];
  }

  function problemsWithin(value: unknown, schema: VariablesSchema, path: VariableProblem["path"]): VariableProblem[] {
    const { format = "", items, prefixItems = [], properties, required = [], additionalProperties } = schema;
    if (typeof value === "string")
      return isOfFormat(value, format)
        ? []
        : [{ path, message: `Expected ${formats[format]?.noun ?? `a string in the format ${format}`}.` }];
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown, index) => {
        if (items === false && index >= prefixItems.length) return [notOfTemplate([...path, index])];
        return problemsOf(item, itemSchema(schema, index), [...path, index]);
      });
    }
    if (!isRecord(value)) return [];
    const missing = required.filter((name) => !Object.hasOwn(value, name));
    const names = Object.keys({ ...properties, ...value }).filter((name) => Object.hasOwn(value, name));
    return [
      ...missing.map((name) => ({ path: [...path, name], message: "Required." })),
      ...names.flatMap((name) => {
        const member = memberSchema(schema, name);
        if (member) return problemsOf(value[name], member, [...path, name]);
        return additionalProperties === false ? [notOfTemplate([...path, name])] : [];
      }),
    ];
  }
}

function notOfTemplate(path: VariableProblem["path"]): VariableProblem {
  return { path, message: "Not a variable of the template." };
}

function isOfKind(value: unknown, schema: VariablesSchema): boolean {
  const kind = kindOf(schema);
  if (kind === "choice") return valuesOf(schema).some((each) => each === value);
  if (schema.type === "integer") return Number.isInteger(value);
  if (schema.format === "bigint" && Number.isInteger(value)) return true;
  return schema.type === undefined || kind === kindOfValue(value);
}

/** `Expected a number, found a string.` */
function expectation(branches: readonly VariablesSchema[], value: unknown): string {
  const choices = branches.flatMap(valuesOf);
  if (choices.length > 1 && branches.every((branch) => kindOf(branch) === "choice"))
    return `Expected one of ${listed(choices)}.`;
  const words = branches.flatMap((branch) =>
    kindOf(branch) === "choice" ? valuesOf(branch).map((each) => JSON.stringify(each)) : describeKind(branch),
  );
  const actual = kindOfValue(value);
  const isEmpty = Array.isArray(value) && value.length === 0;
  const isSaid = choices.length > 0 || (actual === "number" && branches.some(({ type }) => type === "integer"));
  const found = isSaid ? "" : `, found ${isEmpty ? "an empty list" : kindWords[actual].noun}`;
  return `Expected ${[...new Set(words)].join(" or ")}${found}.`;
}

/** `a string`, `a whole number`. */
export function describeKind(schema: VariablesSchema): string {
  return schema.type === "integer" ? "a whole number" : kindWords[kindOf(schema)].noun;
}

const MOST_LISTED = 6;

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map((value) => JSON.stringify(value));
  return shown.join(", ") + (values.length > MOST_LISTED ? ", …" : "");
}

/** A date is accepted as a date and time. */
function isOfFormat(value: string, format: string): boolean {
  if (format === "date-time" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value))) return true;
  return format === "bigint" ? /^-?\d+$/.test(value) : (formatChecks[format]?.(value) ?? true);
}
