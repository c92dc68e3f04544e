import { memberOf } from "../../state/json.js";
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import type { VariableProblem } from "../../../src/preview/contract.js";
import { kindOf, kindOfValue, resolve, unescaped, valuesOf, branchesOf } from "./resolve.js";

/**
 * The problems of variables, each at the member that it is about.
 *
 * @example
 * checkVariables({ type: "object", required: ["name"], properties: { name: { type: "string" } } }, {});
 * // [{ path: ["name"], message: "Required." }]
 */
export function checkVariables(schema: VariablesSchema, input: unknown): VariableProblem[] {
  const { valid, errors } = validatorOf(schema).validate(input);
  if (valid) return [];
  const problems = leavesOf(errors).flatMap((error) => problemsOf(error, { schema, input }));
  return problems.filter(
    ({ path }, index) => index === problems.findIndex((other) => JSON.stringify(other.path) === JSON.stringify(path)),
  );
}

const validators = new WeakMap<VariablesSchema, Validator>();

function validatorOf(schema: VariablesSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    // The validator writes to its schema.
    const own: Schema = JSON.parse(JSON.stringify(schema));
    validator = new Validator(own, "2020-12", false);
    validators.set(schema, validator);
  }
  return validator;
}

const around = new Set(["properties", "items", "prefixItems", "$ref", "allOf"]);

/** The relevant errors. For a choice, those of the branch that was most likely meant. */
function leavesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  const choice = errors.find(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  if (choice === undefined) return errors.filter(({ keyword, error }) => !around.has(keyword) && !isRepeated(error));
  const isInside = ({ keywordLocation }: OutputUnit): boolean =>
    keywordLocation.startsWith(`${choice.keywordLocation}/`);
  const others = errors.filter((error) => error !== choice && !isInside(error));
  const branches = new Map<string, OutputUnit[]>();
  for (const error of errors.filter(isInside)) {
    const index = error.keywordLocation.slice(choice.keywordLocation.length + 1).split("/")[0] ?? "";
    branches.set(index, [...(branches.get(index) ?? []), error]);
  }
  const near = [...branches.values()]
    .map(leavesOf)
    .filter((branch) => !branch.some((error) => isOtherKind(error, choice)))
    .toSorted((a, b) => a.filter(isTelling).length - b.filter(isTelling).length || a.length - b.length)[0];
  return [...leavesOf(others), ...(near ?? [choice])];
}

/** Errors that the errors of each member repeat. */
function isRepeated(error: string): boolean {
  return error.startsWith("Property") && error.includes("does not match additional properties schema");
}

function isOtherKind({ keyword, instanceLocation }: OutputUnit, choice: OutputUnit): boolean {
  return ["type", "const", "enum", "anyOf", "oneOf"].includes(keyword) && instanceLocation === choice.instanceLocation;
}

/** Whether the error shows that another branch is meant. */
function isTelling({ keyword }: OutputUnit): boolean {
  return keyword === "const" || keyword === "enum";
}

interface Checked {
  readonly schema: VariablesSchema;
  readonly input: unknown;
}

function problemsOf({ keyword, instanceLocation, keywordLocation }: OutputUnit, checked: Checked): VariableProblem[] {
  const steps = instanceLocation
    .split("/")
    .slice(1)
    .map((step) => unescaped(decoded(step)));
  const { path, value } = follow(checked.input, steps);
  const schema = schemaAt(checked.schema, keywordLocation);
  switch (keyword) {
    case "required": {
      const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(Object(value), name));
      return missing.map((name) => ({ path: [...path, name], message: "Required." }));
    }
    case "false":
    case "additionalProperties":
      return [{ path, message: "Not a variable of the template." }];
    case "format": {
      const message = formatProblem(schema.format, value);
      return message === undefined ? [] : [{ path, message }];
    }
    default:
      return [{ path, message: expectation(schema, checked.schema, value) }];
  }
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function follow(input: unknown, steps: readonly string[]): { path: (string | number)[]; value: unknown } {
  const path: (string | number)[] = [];
  let value = input;
  for (const step of steps) {
    path.push(Array.isArray(value) ? Number(step) : step);
    value = memberOf(value, step);
  }
  return { path, value };
}

/** The part of the schema that contains a keyword. */
function schemaAt(root: VariablesSchema, keywordLocation: string): VariablesSchema {
  const steps = keywordLocation.split("/").slice(1, -1);
  let at: unknown = root;
  for (const step of steps) {
    const name = unescaped(decoded(step));
    const member = memberOf(at, name);
    at = name === "$ref" ? resolve({ $ref: String(member) }, root) : member;
  }
  return typeof at === "object" && at !== null ? at : {};
}

const kinds = {
  text: "a string",
  number: "a number",
  boolean: "true or false",
  null: "null",
  list: "a list",
  object: "an object",
  any: "anything",
  choice: "",
} as const;

/** `Expected a number, found a string.` */
function expectation(schema: VariablesSchema, root: VariablesSchema, value: unknown): string {
  const ways = branchesOf(schema, root);
  const choices = ways.flatMap(valuesOf);
  if (choices.length > 1 && ways.every((way) => kindOf(way) === "choice")) return `Expected one of ${listed(choices)}.`;
  const words = [
    ...new Set(
      ways.flatMap((way) =>
        kindOf(way) === "choice" ? valuesOf(way).map((each) => JSON.stringify(each)) : describeKind(way),
      ),
    ),
  ];
  const actual = kindOfValue(value);
  const isEmpty = Array.isArray(value) && value.length === 0;
  const isSaid = choices.length > 0 || (actual === "number" && ways.some(({ type }) => type === "integer"));
  return `Expected ${words.join(" or ")}${isSaid ? "" : `, found ${isEmpty ? "an empty list" : kinds[actual]}`}.`;
}

/** `a string`, `a whole number`. */
export function describeKind(schema: VariablesSchema): string {
  return schema.type === "integer" ? "a whole number" : kinds[kindOf(schema)];
}

const MOST_LISTED = 6;

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map((value) => JSON.stringify(value));
  return shown.join(", ") + (values.length > MOST_LISTED ? ", …" : "");
}

const formats: Readonly<Record<string, string>> = {
  date: "Expected a date, such as 2026-11-22.",
  "date-time": "Expected a date and time, such as 2026-11-22T09:30:00Z.",
  time: "Expected a time, such as 09:30:00.",
  email: "Expected an email address.",
  uri: "Expected a URL, such as https://example.com/.",
  uuid: "Expected a UUID.",
};

/** Undefined if the value is accepted all the same: a date is accepted as a date and time. */
function formatProblem(format: string | undefined, value: unknown): string | undefined {
  const isDate = typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value));
  if (format === "date-time" && isDate) return undefined;
  return formats[format ?? ""] ?? `Expected a string in the format ${format}.`;
}
