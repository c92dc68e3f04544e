import { isOpenSchema } from "../../mustache/infer.js";
import { BIGINT_SCHEMA, DATE_SCHEMA, isJavaScript } from "../../mustache/javascript-values.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import type { Template } from "../../project/template.js";
import type { VariablesModule } from "../../project/variables-module.js";
import { isPlainObject, isRecord } from "../../values.js";
import { pathText } from "../../project/issues.js";

/** What is known about a component's props: the passed variables, and those that `derive` adds. */
export interface KnownProps {
  readonly schema?: VariablesSchema;
  /** Whether the schema leaves types open that only examples show. */
  readonly isOpen?: boolean;
  readonly examples: readonly Variables[];
  /** The names of derived variables, which are only known from examples. */
  readonly derived?: readonly string[];
}

/** @param module The template's `variables.ts`, or the type of its component's props. */
export function knownProps({ variablesFile, fixtures }: Template, module: VariablesModule | undefined): KnownProps {
  if (!module || (variablesFile === undefined && !module.schema))
    return { examples: fixtures.map(({ variables }) => variables) };
  const { schema, output = schema } = module;
  if (variablesFile === undefined)
    return { ...(schema && { schema }), isOpen: true, examples: module.fixtures.map(({ parsed }) => parsed) };
  const examples = module.fixtures.map(({ parsed, derived }) => ({ ...parsed, ...derived }));
  if (!output) return { examples };
  const derived = module.fixtures.map((fixture) => fixture.derived ?? {});
  const names = [...new Set(derived.flatMap((each) => Object.keys(each)))];
  const { properties, required = [] } = exampleSchema(derived);
  const schemaWithDerived = {
    ...output,
    properties: { ...output.properties, ...properties },
    required: [...new Set([...(output.required ?? []), ...required])],
  };
  return { schema: schemaWithDerived, examples, derived: names };
}

/** A kind of value that is only known from examples: others may occur. */
export interface ExampleKind extends VariablesSchema {
  readonly isExample: true;
}

/**
 * A schema whose open types are completed from examples.
 *
 * @param known Names of members that it need not have because another type in the same union has them.
 */
export function withExamples(
  schema: VariablesSchema,
  values: readonly unknown[],
  known: readonly string[] = [],
): VariablesSchema {
  const { type, anyOf, items } = schema;
  if (isOpenSchema(schema)) return { ...schema, ...kindsIn(values) };
  if (anyOf) {
    const others = anyOf.flatMap((kind) => Object.keys(kind.properties ?? {}));
    return { ...schema, anyOf: anyOf.map((kind) => withExamples(kind, values, others)) };
  }
  if (type === "array" && typeof items === "object")
    return { ...schema, items: withExamples(items, values.filter(Array.isArray).flat()) };
  return type === "object" ? objectWithExamples(schema, values.filter(isRecord), known) : schema;
}

function objectWithExamples(
  schema: VariablesSchema,
  objects: readonly Variables[],
  known: readonly string[],
): VariablesSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  const shown = exampleSchema(objects);
  const isOpen = (name: string): boolean => isOpenSchema(properties[name] ?? {});
  const added =
    additionalProperties === undefined
      ? Object.keys(shown.properties ?? {}).filter((name) => !known.includes(name))
      : [];
  const names = [...new Set([...Object.keys(properties), ...added])];
  const members = names.map((name) => [
    name,
    withExamples(
      properties[name] ?? {},
      objects.map((object) => object[name]),
    ),
  ]);
  const isRequired = (name: string): boolean =>
    (!Object.hasOwn(properties, name) || required.includes(name)) &&
    (!isOpen(name) || (objects.length > 0 && (shown.required ?? []).includes(name)));
  return { ...schema, properties: Object.fromEntries(members), required: names.filter(isRequired) };
}

function kindsIn(values: readonly unknown[]): VariablesSchema {
  const kinds = (schemaOf(values).anyOf ?? []).map((kind): ExampleKind => ({ ...kind, isExample: true }));
  return kinds.length > 0 ? { anyOf: kinds } : {};
}

function schemaOf(values: readonly unknown[]): VariablesSchema {
  const kinds: VariablesSchema[] = [];
  for (const type of ["string", "number", "boolean"] as const) {
    if (values.some((value) => typeof value === type)) kinds.push({ type });
  }
  if (values.some((value) => value instanceof Date)) kinds.push(DATE_SCHEMA);
  if (values.some((value) => typeof value === "bigint")) kinds.push(BIGINT_SCHEMA);
  if (values.includes(null)) kinds.push({ type: "null" });
  const lists = values.filter(Array.isArray);
  if (lists.length > 0) kinds.push({ type: "array", items: schemaOf(lists.flat()) });
  const objects = values.filter(isPlainObject);
  if (objects.length > 0) kinds.push(exampleSchema(objects));
  return { anyOf: kinds };
}

/**
 * The type that examples show: unlike `inferSchema`, it guesses nothing about values that are null in all examples.
 */
export function exampleSchema(objects: readonly Variables[]): VariablesSchema {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(objects.map((object) => object[name]))])),
    required: names.filter((name) => objects.every((object) => object[name] !== undefined)),
  };
}

/** A component's `PreviewProps`, which may contain dates and bigints, or why they can't be used. */
export interface PreviewProps {
  readonly previewProps?: Variables;
  readonly previewProblem?: PreviewProblem;
}

export interface PreviewProblem {
  readonly problem: string;
  readonly steps: readonly (string | number)[];
}

/** The `PreviewProps` of a component, if they are valid variables. */
export function previewPropsOf(component: unknown): PreviewProps {
  const props: unknown =
    typeof component === "function" || typeof component === "object"
      ? Reflect.get(component ?? {}, "PreviewProps")
      : undefined;
  if (props === undefined || props === null) return {};
  if (!isRecord(props)) return { previewProblem: { problem: "PreviewProps is not an object.", steps: [] } };
  const previewProblem = problemIn(props, []);
  return previewProblem ? { previewProblem } : { previewProps: copyOf(props) };
}

/** A copy as JSON would have it, with dates and bigints. */
function copyOf(value: Variables): Variables;
function copyOf(value: unknown): unknown;
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item) ?? null);
  if (!isRecord(value) || isJavaScript(value)) return value;
  if (typeof value["toJSON"] === "function") return copyOf(value["toJSON"]());
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, copyOf(member)]));
}

function problemIn(value: unknown, steps: readonly (string | number)[]): PreviewProblem | undefined {
  const what = foreignKind(value);
  if (what !== undefined) return { problem: `${pathText(["PreviewProps", ...steps])} is ${what}`, steps };
  if (typeof value !== "object" || value === null) return undefined;
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, member] of members) {
    const problem = problemIn(member, [...steps, step]);
    if (problem) return problem;
  }
  return undefined;
}

const DATA = "variables are JSON, dates and bigints.";

function foreignKind(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${value}: ${DATA}`;
  if (["function", "symbol"].includes(typeof value)) return `a ${typeof value}: ${DATA}`;
  if (value instanceof Date) return isJavaScript(value) ? undefined : `an invalid Date: ${DATA}`;
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}: ${DATA}`;
  return isRecord(value) && "$$typeof" in value ? `a React element: ${DATA}` : undefined;
}
