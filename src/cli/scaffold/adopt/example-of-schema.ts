import { isOpenSchema } from "../../../mustache/infer.js";
import { readInferred, unknownNames } from "../../../mustache/read-inferred.js";
import { sampleOf } from "../../../mustache/sample.js";
import type { VariablesSchema } from "../../../mustache/variables.js";

/**
 * An example value for a schema, based on `given`. Members that don't fit the schema and required members that are missing get
 * sample values; names that look misspelt are removed.
 *
 * @returns `given` itself if it fits; undefined if the schema does not define the type of something required.
 *
 * @example
 * const schema = { type: "object", properties: { name: { type: "string" }, count: { type: "number" } }, required: ["name", "count"] } as const;
 * exampleOfSchema(schema, "item", { name: "Pen" }); // { name: "Pen", count: 1 }
 */
export function exampleOfSchema(schema: VariablesSchema, name: string, given?: unknown): unknown {
  if (given === undefined) return sampleAt(schema, name);
  if (problemsOf(given, schema) === 0) return given;
  const [nearest] = (schema.anyOf ?? [schema]).toSorted((a, b) => problemsOf(given, a) - problemsOf(given, b));
  const completed = nearest && complete(given, nearest, name);
  return completed !== undefined && problemsOf(completed, schema) === 0 ? completed : sampleAt(schema, name);
}

/** The number of problems that checking fixtures would report; infinite for a value of the wrong kind. */
function problemsOf(given: unknown, schema: VariablesSchema): number {
  const read = readInferred(given, schema);
  if (read.success) return isObject(given) || Array.isArray(given) ? misspeltIn(given, schema).length : 0;
  return read.error.issues.some(({ path }) => path.length === 0) ? Infinity : read.error.issues.length;
}

function misspeltIn(given: object, schema: VariablesSchema): (readonly PropertyKey[])[] {
  const holder = { properties: { given: schema }, type: "object" } as const;
  return unknownNames({ given }, holder).flatMap(({ path: [, ...path], near }) => (near === undefined ? [] : [path]));
}

/** Completes the members of an object or array; undefined for other values, and if that isn't possible. */
function complete(given: unknown, schema: VariablesSchema, name: string): unknown {
  const { type, items, properties = {}, required = [] } = schema;
  if (type === "array" && Array.isArray(given) && typeof items === "object") {
    const all = given.map((item: unknown) => exampleOfSchema(items, name, item));
    return all.includes(undefined) ? undefined : all;
  }
  if (type !== "object" || !isObject(given)) return undefined;
  const misspelt = misspeltIn(given, schema).flatMap((path) => (path.length === 1 ? path : []));
  const object = new Map(Object.entries(given).filter(([key]) => !misspelt.includes(key)));
  for (const [key, member] of Object.entries(properties)) {
    const value = object.get(key) ?? undefined;
    if (isOpenSchema(member) || (value === undefined && !required.includes(key))) continue;
    const example = exampleOfSchema(member, key, value);
    if (example !== undefined) object.set(key, example);
    else object.delete(key);
  }
  return Object.fromEntries(object);
}

function sampleAt(schema: VariablesSchema, name: string): unknown {
  const known = knownPart(schema);
  return known && sampleOf({ properties: { [name]: known } })[name];
}

/** A schema without optional members of unknown type; undefined if a required one is unknown. */
function knownPart(schema: VariablesSchema): VariablesSchema | undefined {
  if (isOpenSchema(schema)) return undefined;
  const { anyOf, items, properties = {}, required = [] } = schema;
  if (anyOf) {
    const kinds = anyOf.flatMap((kind) => knownPart(kind) ?? []);
    return kinds.length > 0 ? { anyOf: kinds } : undefined;
  }
  if (typeof items === "object") {
    const item = knownPart(items);
    return item && { ...schema, items: item };
  }
  const known = new Map<string, VariablesSchema>();
  for (const [name, member] of Object.entries(properties)) {
    const part = knownPart(member);
    if (part) known.set(name, part);
    else if (required.includes(name)) return undefined;
  }
  return { ...schema, properties: Object.fromEntries(known) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
