import { hasSchema } from "../data/source.js";
import { unknownNames } from "../../src/mustache/read-inferred.js";
import type { Variables, VariablesContract, VariablesSchema } from "../../src/mustache/variables.js";
import type { FixtureDetail, TemplateDetail, VariableProblem } from "../../src/preview/contract.js";
import { problemOf } from "../../src/preview/variables-answer.js";
import { checkVariables } from "./schema/check.js";
import { isRecord } from "../../src/values.js";
import { resolve, takesOthers } from "./schema/resolve.js";
import { asFixtureName } from "../../src/preview/fixture-name.js";

/** The variables that fill the template: a fixture, or an edited version of it. */
export interface Input {
  readonly input: Variables;
  readonly isEdited: boolean;
  readonly problems: readonly VariableProblem[];
  /** The fixture that it is a version of. Undefined if the template has none. */
  readonly fixture?: FixtureDetail;
}

const nothing: Input = { input: {}, isEdited: false, problems: [] };

/** Returns the same object for the same arguments, because it is used as a cache key. */
export function inputOf(detail: TemplateDetail | undefined, name: string | undefined, edited?: string): Input {
  if (detail === undefined) return nothing;
  const known = inputs.get(detail) ?? new Map<string, Input>();
  inputs.set(detail, known);
  const key = `${name ?? ""}\n${edited ?? ""}`;
  const input = known.get(key) ?? makeInput(detail, name, edited);
  known.delete(key);
  known.set(key, input);
  for (const [oldest] of known) if (known.size > MOST_KEPT) known.delete(oldest);
  return input;
}

const inputs = new WeakMap<TemplateDetail, Map<string, Input>>();
const MOST_KEPT = 40;

function makeInput(detail: TemplateDetail, name: string | undefined, edited: string | undefined): Input {
  const fixture = chosenFixture(detail.fixtures, name);
  const value = edited === undefined ? undefined : parsed(edited);
  const input = value ?? fixture?.input ?? {};
  const problems = problemsOf(detail, input);
  return { input, isEdited: value !== undefined, problems, fixture };
}

function chosenFixture(fixtures: readonly FixtureDetail[], name: string | undefined): FixtureDetail | undefined {
  return fixtures.find((each) => each.name === (name ?? "default")) ?? fixtures[0];
}

/** Recently edited variables by their JSON. The form's fields detect unchanged parts by identity. */
const written = new Map<string, Variables>();

/** Variables as the URL stores them. */
export function editedText(variables: Variables): string {
  const text = JSON.stringify(variables);
  written.set(text, variables);
  for (const [oldest] of written) if (written.size > MOST_WRITTEN) written.delete(oldest);
  return text;
}

const MOST_WRITTEN = 5;

/** Undefined if the URL does not contain a valid object. */
function parsed(text: string): Variables | undefined {
  const known = written.get(text);
  if (known) return known;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function problemsOf(detail: TemplateDetail, input: Variables): VariableProblem[] {
  const schema = detail.compiled?.contract.input;
  if (schema === undefined) return [];
  const problems = checkVariables(schema, input);
  if (!hasSchema(detail)) return problems;
  const unknown = unknownNames(input, schema).flatMap(({ path, near }) => {
    const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
    return near !== undefined || path.length === 1
      ? [problemOf({ path, message: `Not a variable of the template.${meant}` })]
      : [];
  });
  return [...problems, ...unknown];
}

/** An unused fixture name for a copy. */
export function freeName(of: string | undefined, taken: readonly string[]): string {
  const stem = asFixtureName(of ?? "").replace(/-\d+$/, "") || "default";
  if (of === undefined && !taken.includes(stem)) return stem;
  let count = 2;
  while (taken.includes(`${stem}-${count}`)) count += 1;
  return `${stem}-${count}`;
}

/**
 * The variables that an application passed, from those that its mailer sent: without derived variables, conditions and
 * the nulls of optional variables that were left out.
 */
export const passedVariables = (contract: VariablesContract, sent: Variables): Variables => {
  const read = own(contract.input, sent, contract);
  return isRecord(read) ? read : {};
};

/** @param nulls Paths, dotted for nested members, that are null because the application passed null. */
const own = (
  schema: VariablesSchema | boolean | undefined,
  value: unknown,
  contract: VariablesContract,
  nulls: readonly string[] = [],
): unknown => {
  const here = resolve(schema, contract.input);
  if (Array.isArray(value)) return value.map((item) => own(here.items, item, contract));
  const { properties } = here;
  if (!isRecord(value) || !properties) return value;
  const required = new Set(here.required);
  const passed = contract.conditions.filter(({ name, test }) => test.kind === "null" && value[name] === true);
  const known = [...nulls, ...passed.map(({ path }) => path)];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const of = properties[name];
      const isPassed = member !== null || required.has(name) || known.includes(name);
      if (of === undefined ? !takesOthers(here) : !isPassed) return [];
      const inner = known.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
      return [[name, own(of, member, contract, inner)]];
    }),
  );
};
