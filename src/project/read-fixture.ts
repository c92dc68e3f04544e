import { z } from "zod";
import type { SourcePosition } from "../diagnostic.js";
import { isJavaScript } from "../mustache/javascript-values.js";
import { parseVariables } from "../mustache/parse-variables.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { type Issue, issuesOf, pathText } from "./issues.js";
import type { DeriveContext } from "./registry-types.js";
import { enterMoment, LATER } from "../process/moment.js";
import { isPlainObject, isRecord } from "../values.js";

export interface ModuleProblem {
  readonly message: string;
  readonly hint?: string;
  readonly at?: SourcePosition;
  /** Whether the problem is that the module returns something else each time. */
  readonly changes?: true;
}

export interface FixtureReading {
  /** What does not fit the schema. */
  readonly issues: readonly Issue[];
  /** May contain dates and bigints. */
  readonly parsed?: Variables;
  readonly derived?: Variables;
  /** A problem of `derive` with this fixture. */
  readonly problem?: ModuleProblem;
}

export type Derive = (variables: unknown, context: DeriveContext) => unknown;

export interface FixtureInput {
  readonly schema: z.core.$ZodObject;
  /** The schema's input. */
  readonly jsonSchema: VariablesSchema;
  readonly derive: Derive | undefined;
  readonly variables: Variables;
  readonly context: DeriveContext;
}

/** Applies a schema and `derive` to variables. What they throw is not caught. */
export function readFixture(input: FixtureInput): FixtureReading {
  const { derive, context } = input;
  const { data: parsed, issues = [] } = parseFixture(input);
  if (parsed === undefined) return { issues };
  const foreign = findForeign(parsed, "variables");
  if (foreign) return { issues, problem: foreignProblem(foreign) };
  if (!derive) return { issues, parsed };
  // Parsed again for each call, so that a call doesn't see what an earlier one did to its variables.
  const derived = checkDerive(() => derive(parseFixture(input).data, context));
  return derived.problem ? { issues, problem: derived.problem } : { issues, parsed, derived: derived.variables };
}

function foreignProblem({ path, what }: Foreign): ModuleProblem {
  return {
    message: `The schema turns ${pathText(path)} into ${what}, which is not JSON, so no tag can print it.`,
    hint: "Keep the passed value, and compute the printed one in derive.",
  };
}

/** A message for a thrown value. */
export function thrownMessage(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} was thrown.`;
  return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
}

type ParsedFixture =
  | { readonly data: Variables; readonly issues?: undefined }
  | { readonly data?: undefined; readonly issues: readonly Issue[] };

function parseFixture({ schema, jsonSchema, variables }: FixtureInput): ParsedFixture {
  const parsed = parseVariables((value) => z.safeParse(schema, value), variables, jsonSchema);
  if (parsed.success) return { data: parsed.data };
  return { issues: parsed.error.issues.flatMap((issue) => issuesOf(issue, variables)) };
}

/** The result of `derive` (JSON, except that members may be undefined), or what is wrong with it. */
type Derived =
  | { readonly variables: Variables; readonly problem?: undefined }
  | { readonly variables?: undefined; readonly problem: ModuleProblem };

/**
 * Calls `derive` twice, the second time with `Date` more than a year ahead, and checks that both calls return the same
 * JSON.
 *
 * @param call Calls `derive` with fresh arguments each time.
 */
function checkDerive(call: () => unknown): Derived {
  const first = call();
  if (!isRecord(first)) return { problem: NO_OBJECT };
  const problem = problemWith(first);
  if (problem !== undefined) return { problem };
  const variables = structuredClone(first);
  const changing = differingName(variables, withLaterClock(call));
  if (changing === undefined) return { variables };
  return {
    problem: {
      message: `derive returns a different "${changing}" when it is called again with the same variables.`,
      hint: "Its result may depend only on its arguments, not on the time or random numbers. Pass in what it needs.",
      changes: true,
    },
  };
}

const NO_OBJECT: ModuleProblem = {
  message: "derive does not return an object.",
  hint: 'Return the variables to add: { total: "€4.00" }.',
};

function problemWith(value: Variables): ModuleProblem | undefined {
  if ("then" in value) {
    return {
      message: "derive returns a promise.",
      hint: "Make it synchronous: return the variables themselves.",
    };
  }
  const foreign = findForeign(value, "JSON");
  if (foreign === undefined) return undefined;
  return {
    message: `derive returns ${foreign.what} as ${pathText(foreign.path)}, which JSON does not have.`,
    hint: "Return it as a formatted string, ready to print.",
  };
}

/** The first variable that differs on the second call. */
function differingName(first: Variables, second: unknown): string | undefined {
  const again = isRecord(second) ? second : {};
  const names = Object.keys({ ...first, ...again });
  return names.find((name) => JSON.stringify(first[name]) !== JSON.stringify(again[name]));
}

/** Calls a function with a clock more than a year ahead. */
function withLaterClock<Result>(call: () => Result): Result {
  const leave = enterMoment(LATER);
  try {
    return call();
  } finally {
    leave();
  }
}

/** A value that JSON does not have. */
interface Foreign {
  readonly path: readonly PropertyKey[];
  /** `a Date` */
  readonly what: string;
}

/**
 * The first value that JSON would lose or refuse; variables may be dates and bigints. A member may be undefined: it counts
 * as absent.
 */
function findForeign(
  value: unknown,
  to: "JSON" | "variables",
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
): Foreign | undefined {
  if (to === "variables" && isJavaScript(value)) return undefined;
  const what = foreignKind(value, ancestors);
  if (what !== undefined) return { path, what };
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && value.includes(undefined)) {
    return { path: [...path, value.indexOf(undefined)], what: "undefined" };
  }
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, member] of members) {
    const foreign = findForeign(member, to, [...path, key], [...ancestors, value]);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

function foreignKind(value: unknown, ancestors: readonly unknown[]): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["bigint", "function", "symbol"].includes(typeof value)) return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (ancestors.includes(value)) return "an object within itself";
  if (value instanceof Date && Number.isNaN(value.getTime())) return "an invalid Date";
  return Array.isArray(value) || isPlainObject(value) ? undefined : `a ${value.constructor.name}`;
}
