import { types } from "node:util";
import { completeVariables } from "../../mustache/complete.js";
import { readInferred, type ReadValue, unknownNames } from "../../mustache/read-inferred.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import { nearest } from "../../text/nearest.js";
import type { DeriveContext, RegistryEntry } from "../../project/registry-types.js";
import { InvalidVariablesError } from "../errors.js";
import type { ReportProblem } from "../report.js";
import { isRecord } from "../../values.js";

export interface VariablesInput {
  readonly template: string;
  readonly entry: RegistryEntry;
  readonly variables: unknown;
  readonly context: DeriveContext;
}

export interface ReadVariables {
  /** The variables that the application passed, parsed by the schema. */
  readonly parsed: Variables;
  /** The values for the tags: the same, plus what `derive` and the compiled conditions add. */
  readonly complete: Variables;
}

/**
 * Checks and reads a template's variables. Undefined if something is wrong with them.
 *
 * @throws {InvalidVariablesError} The template's own code threw.
 */
export function readVariables(
  { template, entry, variables, context }: VariablesInput,
  report: ReportProblem,
): ReadVariables | undefined {
  if (!isRecord(variables)) {
    report("variables", "is not an object");
    return undefined;
  }
  let fits = true;
  const reject: ReportProblem = (path, message) => {
    fits = false;
    report(path, message);
  };
  const { input: schema } = entry.contract;
  const result = guard(template, "schema", () => parseWithDates(entry, variables));
  checkNames(variables, schema, reject);
  if (!result.success) {
    for (const { path, message } of result.error.issues)
      reject(pathOf(schema, path), valueAt(variables, path) === undefined ? `is missing (${message})` : message);
    return undefined;
  }
  const { data } = result;
  if (!fits || !isRecord(data)) return undefined;
  const derived = derive(template, entry, data, context);
  if (types.isPromise(derived) || !isRecord(derived)) {
    const what = types.isPromise(derived) ? "a promise instead of variables" : "something that is not an object";
    reject("variables", `made the template's derive return ${what}`);
    return undefined;
  }
  const written = asJson({ parsed: data, additions: derived }, reject);
  if (!written) return undefined;
  const { parsed, additions } = written;
  for (const path of entry.contract.printed ?? [])
    for (const place of gapsAt(path, { ...parsed, ...additions }))
      reject(place, "is missing from the result of the template's derive, but the template prints it");
  return fits ? { parsed, complete: completeVariables(entry.contract, parsed, additions) } : undefined;
}

function derive(template: string, entry: RegistryEntry, data: Variables, context: DeriveContext): unknown {
  const { derive: run } = entry;
  if (run === undefined) return {};
  // The registry verified that it takes the schema's output, but its type does not say so.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return guard(template, "derive", () => run(data as never, context));
}

/**
 * Reports names that the schema doesn't have; zod drops them silently. At the top level, reports all of them: there the
 * application writes the template's own names. Deeper, applications often pass records with more fields than the
 * template needs, so only likely typos of missing names are reported.
 */
function checkNames(variables: Variables, schema: VariablesSchema, report: ReportProblem): void {
  for (const { path, near: absent } of unknownNames(variables, schema)) {
    if (absent === undefined && path.length > 1) continue;
    const near = absent ?? nearest(String(path[0]), Object.keys(schema.properties ?? {}));
    const question = near === undefined ? "" : `; did you mean "${near}"?`;
    report(pathOf(schema, path), `is not a variable of the template${question}`);
  }
}

function guard<Value>(template: string, code: "schema" | "derive", run: () => Value): Value {
  try {
    return run();
  } catch (cause) {
    throw new InvalidVariablesError(template, [{ path: "variables", message: `made the template's ${code} throw` }], {
      cause,
    });
  }
}

function asJson<All extends Readonly<Record<string, Variables>>>(all: All, report: ReportProblem): All | undefined {
  try {
    if (isJson(all)) return all;
    const read: All = JSON.parse(JSON.stringify(all));
    return read;
  } catch {
    report("variables", "can't be converted to JSON");
    return undefined;
  }
}

/**
 * Whether parsing the value's JSON would return the same value. Mostly so, and completing the variables makes a copy
 * anyway.
 */
function isJson(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || "toJSON" in value) return false;
  if (Array.isArray(value)) return value.every(isJson) && Object.keys(value).length === value.length;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isJson);
}

/** `variables.items[0].price`. The keys of a record are data, so they are shown as a star. */
function pathOf(root: VariablesSchema, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key, index) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const { properties = {}, additionalProperties } = schemaAt(root, path.slice(0, index));
    const isRecordKey = typeof additionalProperties === "object" && !Object.hasOwn(properties, key);
    return `${text}.${isRecordKey ? "*" : String(key)}`;
  }, "variables");
}

/**
 * Finds missing values at a path. A missing list has no items, so it has no missing values either.
 *
 * @example
 * gapsAt("lines[].price", { lines: [{ price: "€4" }, {}] }); // ["variables.lines[1].price"]
 *
 * @param path In the format of a contract's `printed`.
 */
function gapsAt(path: string, variables: Variables): string[] {
  return gapsIn(variables, path.replaceAll("[]", ".[]").split("."), "variables");
}

function gapsIn(value: unknown, [part, ...rest]: readonly string[], place: string): string[] {
  if (part === "[]")
    return Array.isArray(value) ? value.flatMap((item, index) => gapsIn(item, rest, `${place}[${index}]`)) : [];
  if (value === undefined || value === null) return [place];
  return part !== undefined && isRecord(value) ? gapsIn(value[part], rest, `${place}.${part}`) : [];
}

/**
 * Checks variables against a template's schema. A date may be a `Date` or an ISO 8601 string, whichever of the two the
 * schema takes: fixtures and queues have strings, applications often have dates.
 */
function parseWithDates({ schema, contract }: RegistryEntry, variables: unknown): ReadValue {
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

function withValue(holder: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = withValue(valueAt(holder, [key]), rest, value);
  if (Array.isArray(holder)) return holder.map((item: unknown, index) => (index === key ? inner : item));
  return isRecord(holder) ? { ...holder, [key]: inner } : holder;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** Resolves a reference, or a union of one schema with null. */
function resolveSchema(schema: VariablesSchema, root: VariablesSchema): VariablesSchema {
  if (schema.$ref === "#") return root;
  const definition = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  if (definition !== undefined) return root.$defs?.[definition] ?? {};
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return only !== undefined && others.length === 0 ? resolveSchema(only, root) : schema;
}

/** The schema at a path; empty if it is ambiguous. */
function schemaAt(root: VariablesSchema, path: readonly PropertyKey[]): VariablesSchema {
  return path.reduce<VariablesSchema>((schema, key) => {
    const { properties = {}, additionalProperties, prefixItems, items } = resolveSchema(schema, root);
    const inner =
      typeof key === "number"
        ? (prefixItems?.[key] ?? items)
        : Object.hasOwn(properties, key)
          ? properties[String(key)]
          : additionalProperties;
    return typeof inner === "object" ? resolveSchema(inner, root) : {};
  }, root);
}
