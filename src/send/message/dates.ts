import { type ReadValue, readInferred } from "../../mustache/read-inferred.js";
import type { RegistryEntry } from "../../template/registry.js";
import { isRecord, schemaAt, valueAt } from "./schema-walk.js";

/**
 * Checks variables against a template's schema. A date may be a `Date` or an ISO 8601 string, whichever of the two the
 * schema takes: fixtures and queues have strings, applications often have dates.
 */
export function parseWithDates({ schema, contract }: RegistryEntry, variables: unknown): ReadValue {
  if (schema === undefined) return readInferred(variables, contract.input);
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed;
  const converted = parsed.error.issues
    .filter(({ path }) => schemaAt(contract.input, path).format === "date-time")
    .reduce((value, { path }) => withConvertedDate(value, path), variables);
  return converted === variables ? parsed : schema.safeParse(converted);
}

function withConvertedDate(variables: unknown, path: readonly PropertyKey[]): unknown {
  const other = otherForm(valueAt(variables, path));
  return other === undefined ? variables : withValue(variables, path, other);
}

function otherForm(value: unknown): Date | string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A copy with one value replaced. */
function withValue(holder: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = withValue(valueAt(holder, [key]), rest, value);
  if (Array.isArray(holder)) return holder.map((item: unknown, index) => (index === key ? inner : item));
  return isRecord(holder) ? { ...holder, [key]: inner } : holder;
}
