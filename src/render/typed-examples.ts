import { shapeAt, valueAt } from "../mustache/parse-variables.js";
import { readInferred } from "../mustache/read-inferred.js";
import { Shape } from "../mustache/shape.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { either, describeValue, type Issue, KINDS } from "../project/issues.js";
import { isPlainObject, isRecord } from "../values.js";

/** Where an example doesn't match a component's type. */
export function typeMismatches(example: Variables, schema: VariablesSchema): Issue[] {
  const read = readInferred(example, schema);
  if (read.success) return [];
  return read.error.issues.map(({ path }) => {
    return {
      path,
      message: `expected ${expected(shapeAt(path, schema))}, found ${describeValue(valueAt(example, path))}`,
    };
  });
}

function expected({ kinds }: Shape): string {
  const words = kinds.flatMap(({ type, const: only, enum: values, "x-javascript": javaScript }) =>
    only !== undefined || values
      ? (values ?? [only]).map((value) => describeValue(value))
      : [KINDS[javaScript ?? type ?? ""] ?? "something else"],
  );
  return either([...new Set(words)]);
}

/** Drops nulls from an example where the type only allows absence: to templates they are the same. */
export function withoutNulls(example: Variables, schema: VariablesSchema): Variables {
  const cleaned = withoutNullsIn(example, Shape.of(schema));
  return isRecord(cleaned) ? cleaned : example;
}

function withoutNullsIn(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutNullsIn(item, shape.items(index)));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const known = shape.member(name) ?? Shape.UNKNOWN;
    const isAbsent = member === null && known.isKnown && !shape.requires(name) && !mayBeNull(known);
    return isAbsent ? [] : [[name, withoutNullsIn(member, known)] as const];
  });
  return Object.fromEntries(members);
}

function mayBeNull({ kinds }: Shape): boolean {
  return kinds.some(({ type }) => type === "null");
}

/** The type, opened for variables that don't match it in the component's own example. */
export function openedFor(example: Variables, schema: VariablesSchema): VariablesSchema {
  const names = new Set(typeMismatches(withoutNulls(example, schema), schema).map(({ path }) => String(path[0])));
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    name,
    names.has(name) ? {} : member,
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(members),
    required: (schema.required ?? []).filter((name) => !names.has(name)),
  };
}
