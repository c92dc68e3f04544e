import type { Variables, VariablesSchema } from "../../mustache/variables.js";

/**
 * What examples show of the variables' type, and nothing more: unlike `inferSchema`, it guesses nothing of what is null
 * in all of them.
 */
export function exampleSchema(examples: readonly Variables[]): VariablesSchema {
  return objectSchema(examples);
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
