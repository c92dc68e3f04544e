import { asJavaScript } from "./javascript-values.js";
import type { Issue, ReadValue } from "./read-inferred.js";
import { Shape } from "./shape.js";
import type { VariablesSchema } from "./variables.js";
import { isRecord } from "../values.js";

/**
 * Checks variables against a zod schema. A date or a bigint may be one in JavaScript or a string, whichever of the two the
 * schema takes: fixtures and queues have strings, applications often have dates.
 *
 * @param input What the schema takes.
 */
export function parseVariables<Parsed extends ReadValue>(
  parse: (variables: unknown) => Parsed,
  variables: unknown,
  input: VariablesSchema,
): Parsed {
  const parsed = parse(variables);
  if (parsed.success) return parsed;
  const converted = placesOf(parsed.error.issues).reduce(
    (value, path) => withConverted(value, path, shapeAt(path, input)),
    variables,
  );
  return converted === variables ? parsed : parse(converted);
}

/** The places of issues, also of those in the branches of a union. */
function placesOf(issues: readonly Issue[], within: readonly PropertyKey[] = []): (readonly PropertyKey[])[] {
  return issues.flatMap(({ path, errors = [] }) => {
    const place = [...within, ...path];
    return [place, ...placesOf(errors.flat(), place)];
  });
}

/** What a schema says about a place in the variables. */
export function shapeAt(path: readonly PropertyKey[], schema: VariablesSchema): Shape {
  return path.reduce<Shape>(
    (shape, step) => (typeof step === "number" ? shape.items(step) : shape.member(String(step))) ?? Shape.UNKNOWN,
    Shape.of(schema),
  );
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function withConverted(variables: unknown, path: readonly PropertyKey[], { kinds }: Shape): unknown {
  const value = valueAt(variables, path);
  const other = kinds.map((kind) => otherForm(value, kind)).find((each) => each !== undefined);
  return other === undefined || other === value ? variables : withValue(variables, path, other);
}

function otherForm(value: unknown, kind: VariablesSchema): Date | bigint | string | undefined {
  if (kind["x-javascript"]) return asJavaScript(value, kind);
  if (kind.format !== "date-time" || !(value instanceof Date)) return undefined;
  return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
}

function withValue(holder: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = withValue(valueAt(holder, [key]), rest, value);
  if (Array.isArray(holder)) return holder.map((item: unknown, index) => (index === key ? inner : item));
  return isRecord(holder) ? { ...holder, [key]: inner } : holder;
}
