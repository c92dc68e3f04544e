import type { Bundle } from "../process/bundle.js";
import type { Reads } from "../process/module-inputs.js";
import type { TaskContext } from "../process/host.js";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../mustache/javascript-values.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { type Derive, type FixtureReading, type ModuleProblem, readFixture, thrownMessage } from "./read-fixture.js";
import type { DeriveContext } from "./registry-types.js";
import { z } from "zod";
import { isRecord } from "../values.js";

export interface VariablesTaskInput {
  readonly bundle: Bundle;
  readonly fixtures: readonly { readonly name: string; readonly variables: Variables }[];
  readonly context: DeriveContext;
}

/** The content of a `variables.ts`. */
export interface VariablesReading {
  /** Absent if the default export is not a schema, or can't be expressed as JSON Schema. */
  readonly schema?: VariablesSchema;
  /** The schema of the parsed values. */
  readonly output?: VariablesSchema;
  readonly hasDerive: boolean;
  /** About the module as a whole. */
  readonly problem?: ModuleProblem;
  readonly fixtures: readonly NamedReading[];
}

export interface NamedReading extends FixtureReading {
  readonly name: string;
}

/** Includes what the module's code read from its environment. */
export async function readVariables(
  input: VariablesTaskInput,
  worker: TaskContext,
): Promise<{ readonly reading: VariablesReading; readonly reads: Reads }> {
  const reading = await read(input, worker);
  return { reading, reads: worker.reads() };
}

async function read(input: VariablesTaskInput, worker: TaskContext): Promise<VariablesReading> {
  const { default: schema, derive } = await worker.load(input.bundle);
  const hasDerive = isFunction(derive);
  const nothing = { hasDerive, fixtures: [] };
  if (!isObjectSchema(schema)) return { ...nothing, problem: schemaProblem(schema) };
  if (derive !== undefined && !hasDerive)
    return { ...nothing, problem: { message: "derive is exported but is not a function." } };

  const { context } = input;
  const jsonSchema = variablesSchemaOf(schema);
  const fixtures = input.fixtures.map(({ name, variables }): NamedReading => {
    try {
      return {
        name,
        ...readFixture({ schema, jsonSchema, derive: hasDerive ? derive : undefined, variables, context }),
      };
    } catch (error) {
      return { name, issues: [], problem: thrown(error, worker) };
    }
  });
  return { schema: jsonSchema, output: variablesSchemaOf(schema, "output"), hasDerive, fixtures };
}

function isFunction(value: unknown): value is Derive {
  return typeof value === "function";
}

function schemaProblem(value: unknown): ModuleProblem {
  const hint = 'import { z } from "zod"; export default z.object({ … });';
  if (value === undefined) return { message: "variables.ts has no default export.", hint };
  if (typeof value === "object" && value !== null && "_def" in value && !("_zod" in value)) {
    return { message: "variables.ts uses zod 3.", hint: "Install zod 4: npm install zod@4" };
  }
  return { message: "The default export of variables.ts is not a zod object schema.", hint };
}

function thrown(error: unknown, worker: TaskContext): ModuleProblem {
  const at = error instanceof Error ? worker.positionOf(error) : undefined;
  return { message: thrownMessage(error), ...(at && { at }) };
}

/** Whether a value is an object schema of any zod 4: the project's zod need not be ours. */
function isObjectSchema(value: unknown): value is z.core.$ZodObject {
  return isSchema(value) && kindOf(value) === "object";
}

/** The JSON Schema of an object schema's input, or of its output; dates and bigints are strings in it. */
export function variablesSchemaOf(schema: z.core.$ZodObject, io: "input" | "output" = "input"): VariablesSchema {
  const printed = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    /* oxlint-disable no-underscore-dangle, typescript/no-unnecessary-type-assertion -- where zod describes a schema */
    override({ zodSchema, jsonSchema }) {
      const { def } = (zodSchema as z.core.$ZodTypes)._zod;
      if (def.type === "date") Object.assign(jsonSchema, DATE_SCHEMA);
      if (def.type === "bigint") Object.assign(jsonSchema, BIGINT_SCHEMA);
      // An absent value has no type.
      if (def.type === "union")
        jsonSchema.anyOf = jsonSchema.anyOf?.filter((_, index) => !ABSENT.includes(def.options[index]?._zod.def.type));
    },
    /* oxlint-enable no-underscore-dangle, typescript/no-unnecessary-type-assertion */
  });
  return JSON.parse(JSON.stringify(simplify(printed)));
}

const ABSENT: readonly unknown[] = ["undefined", "void"];

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function kindOf({ _zod: { def } }: z.core.$ZodType): string {
  return def.type;
}

type Simplified = Readonly<Record<string, unknown>>;

const plainKeywords = ["type", "description", "required", "enum", "const", "format", "default", "$ref", "x-javascript"];
const listKeywords = ["prefixItems", "anyOf", "oneOf", "allOf"];
const namedKeywords = ["properties", "$defs"];
const nestedKeywords = ["items", "additionalProperties"];

/** Keeps only the keywords of `VariablesSchema`; limits on length or size don't matter for tags. */
function simplify(schema: Simplified): Simplified {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === "type" && Array.isArray(value)) return [["anyOf", value.map((type: unknown) => ({ type }))]];
    if (plainKeywords.includes(keyword)) return [[keyword, value]];
    if (nestedKeywords.includes(keyword)) return [[keyword, simplifyPart(value)]];
    if (listKeywords.includes(keyword) && Array.isArray(value)) return [[keyword, value.map(simplifyPart)]];
    if (namedKeywords.includes(keyword) && isRecord(value)) return [[keyword, mapValues(value, simplifyPart)]];
    return [];
  });
  return Object.fromEntries(entries);
}

function simplifyPart(value: unknown): unknown {
  return isRecord(value) ? simplify(value) : value;
}

function mapValues(record: Simplified, change: (value: unknown) => unknown): Simplified {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
