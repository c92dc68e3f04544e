import { isOpenSchema } from "../../mustache/infer.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";

/**
 * The type that examples show: unlike `inferSchema`, it guesses nothing about values that are null in all examples.
 */
export function exampleSchema(examples: readonly Variables[]): VariablesSchema {
  return objectSchema(examples);
}

/** A kind of value that is only known from examples: others may occur. */
export interface ExampleKind extends VariablesSchema {
  readonly isExample: true;
}

/** A schema whose open types are completed from examples. */
export function withExamples(schema: VariablesSchema, examples: readonly Variables[]): VariablesSchema {
  return filled(schema, examples);
}

/** @param known Names of members that it need not have because another type in the same union has them. */
function filled(schema: VariablesSchema, values: readonly unknown[], known: readonly string[] = []): VariablesSchema {
  const { type, anyOf, items } = schema;
  if (isOpenSchema(schema)) return { ...schema, ...kindsIn(values) };
  if (anyOf) {
    const others = anyOf.flatMap((kind) => Object.keys(kind.properties ?? {}));
    return { ...schema, anyOf: anyOf.map((kind) => filled(kind, values, others)) };
  }
  if (type === "array" && typeof items === "object")
    return { ...schema, items: filled(items, values.filter(Array.isArray).flat()) };
  return type === "object" ? filledObject(schema, values.filter(isObject), known) : schema;
}

function filledObject(
  schema: VariablesSchema,
  objects: readonly Variables[],
  known: readonly string[],
): VariablesSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  const shown = objectSchema(objects);
  const isOpen = (name: string): boolean => isOpenSchema(properties[name] ?? {});
  const added =
    additionalProperties === undefined
      ? Object.keys(shown.properties ?? {}).filter((name) => !known.includes(name))
      : [];
  const names = [...new Set([...Object.keys(properties), ...added])];
  const members = names.map((name) => [
    name,
    filled(
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
  if (values.includes(null)) kinds.push({ type: "null" });
  const lists = values.filter(Array.isArray);
  if (lists.length > 0) kinds.push({ type: "array", items: schemaOf(lists.flat()) });
  const objects = values.filter(isObject);
  if (objects.length > 0) kinds.push(objectSchema(objects));
  return { anyOf: kinds };
}

function objectSchema(objects: readonly Variables[]): VariablesSchema {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(objects.map((object) => object[name]))])),
    required: names.filter((name) => objects.every((object) => object[name] !== undefined)),
  };
}

function isObject(value: unknown): value is Variables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
