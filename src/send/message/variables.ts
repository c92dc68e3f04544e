import { completeVariables } from "../../mustache/complete.js";
import { unknownNames } from "../../mustache/unknown-names.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import { nearest } from "../../nearest.js";
import type { DeriveContext, RegistryEntry } from "../../template/registry.js";
import { parseWithDates } from "./dates.js";
import { InvalidVariablesError } from "../errors.js";
import type { Report } from "./report.js";
import { isRecord, schemaAt, valueAt } from "./schema-walk.js";

export interface VariablesInput {
  readonly template: string;
  readonly entry: RegistryEntry;
  /** What the application passed. */
  readonly variables: unknown;
  readonly context: DeriveContext;
}

export interface ReadVariables {
  /** What the application passed, as the schema reads it. */
  readonly asked: Variables;
  /** What the tags are filled with: the same with what `derive` and the compiled conditions add. */
  readonly complete: Variables;
}

/**
 * Checks and reads a template's variables. Undefined where something is wrong with them.
 *
 * @throws {InvalidVariablesError} The template's own code threw.
 */
export function readVariables(
  { template, entry, variables, context }: VariablesInput,
  report: Report,
): ReadVariables | undefined {
  if (!isRecord(variables)) {
    report("variables", "is not an object");
    return undefined;
  }
  let fits = true;
  const reject: Report = (path, message) => {
    fits = false;
    report(path, message);
  };
  const { input: schema } = entry.contract;
  const parsed = guard(template, "schema", () => parseWithDates(entry, variables));
  checkNames(variables, schema, reject);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues)
      reject(pathOf(schema, path), valueAt(variables, path) === undefined ? `is missing (${message})` : message);
    return undefined;
  }
  const { data } = parsed;
  if (!fits || !isRecord(data)) return undefined;
  // That its derive takes what its schema gives is known where the registry is generated, and is not in its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const derived = guard(template, "derive", () => entry.derive?.(data as never, context));
  const [asked, additions] = [asJson(data, reject), asJson(derived ?? {}, reject)];
  return asked && additions && { asked, complete: completeVariables(entry.contract, asked, additions) };
}

/**
 * Reports names that the schema doesn't have; zod drops them in silence. At the top every one: there the application
 * writes the template's own names. Further down, where it often passes records that hold more than the template needs,
 * those that look like a misspelling of one that is absent.
 */
function checkNames(variables: Variables, schema: VariablesSchema, report: Report): void {
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

function asJson(variables: Variables, report: Report): Variables | undefined {
  try {
    const read: Variables = JSON.parse(JSON.stringify(variables));
    return read;
  } catch {
    report("variables", "cannot be written as JSON");
    return undefined;
  }
}

/** `variables.items[0].price`. The keys of a record are data, and shown as a star. */
function pathOf(root: VariablesSchema, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key, index) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const { properties = {}, additionalProperties } = schemaAt(root, path.slice(0, index));
    const isRecordKey = typeof additionalProperties === "object" && !Object.hasOwn(properties, key);
    return `${text}.${isRecordKey ? "*" : String(key)}`;
  }, "variables");
}
