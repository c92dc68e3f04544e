import { types } from "node:util";
import { completeVariables } from "../../mustache/complete.js";
import { writeJson } from "../../mustache/javascript-values.js";
import { parseVariables, shapeAt, valueAt } from "../../mustache/parse-variables.js";
import type { computingOf as ComputingOf } from "../../mustache/expression/computing.js";
import type { MakeFunctions } from "../../mustache/expression/package-functions.js";
import { readInferred, type ReadValue, unknownNames } from "../../mustache/read-inferred.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import { nearest } from "../../text/nearest.js";
import type { DeriveContext, RegistryEntry } from "../../project/registry-types.js";
import { InvalidVariablesError } from "../errors.js";
import type { ReportProblem } from "../report.js";
import { isRecord } from "../../values.js";
import { plainValues } from "./plain-values.js";

export interface VariablesInput {
  readonly template: string;
  readonly entry: RegistryEntry;
  readonly variables: unknown;
  readonly context: DeriveContext;
  /** How to compute values, if the template has some. */
  readonly computingOf?: typeof ComputingOf | undefined;
  readonly functions?: MakeFunctions | undefined;
}

export interface ReadVariables {
  /** The variables that the application passed, parsed by the schema, as JSON. */
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
  { template, entry, variables, context, computingOf, functions }: VariablesInput,
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
  const { input: schema, derived: derivedSchema = {} } = entry.contract;
  const result = guard(template, "schema", () => parse(entry, variables));
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
  const parsed = plainValues(data, (path, message) => reject(pathOf(schema, path), message));
  const additions = plainValues(derived, (path, message) =>
    reject(pathOf(derivedSchema, path), `${message}. The template's derive returned it`),
  );
  for (const path of entry.contract.printed ?? [])
    for (const place of gapsAt(path, { ...parsed, ...additions }))
      reject(place, "is missing from the result of the template's derive, but the template prints it");
  if (!fits) return undefined;
  const complete = guard(template, "computed values", () =>
    completeVariables(
      entry.contract,
      parsed,
      additions,
      computingOf?.({ contract: entry.contract, functions }, context),
    ),
  );
  return { parsed: writeJson(parsed), complete };
}

function parse({ schema, contract }: RegistryEntry, variables: unknown): ReadValue {
  if (schema === undefined) return readInferred(variables, contract.input);
  return parseVariables((value) => schema.safeParse(value), variables, contract.input);
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

function guard<Value>(template: string, code: "schema" | "derive" | "computed values", run: () => Value): Value {
  try {
    return run();
  } catch (cause) {
    throw new InvalidVariablesError(template, [{ path: "variables", message: `made the template's ${code} throw` }], {
      cause,
    });
  }
}

/** `variables.items[0].price`. The keys of a record are data, so they are shown as a star. */
function pathOf(root: VariablesSchema, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key, index) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const { kinds } = shapeAt(path.slice(0, index), root);
    const isRecordKey =
      kinds.some(({ additionalProperties }) => typeof additionalProperties === "object") &&
      !kinds.some(({ properties }) => properties && Object.hasOwn(properties, key));
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
