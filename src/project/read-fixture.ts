import { z } from "zod";
import type { SourcePosition } from "../diagnostic.js";
import type { Variables } from "../mustache/variables.js";
import { type Issue, issuesOf, pathText, valueAt } from "./issues.js";
import type { DeriveContext } from "./registry-types.js";
import { laterDate } from "../process/later-clock.js";
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
  readonly parsed?: Variables;
  readonly derived?: Variables;
  /** A problem of `derive` with this fixture. */
  readonly problem?: ModuleProblem;
}

export type Derive = (variables: unknown, context: DeriveContext) => unknown;

export interface FixtureInput {
  readonly schema: z.core.$ZodObject;
  readonly derive: Derive | undefined;
  readonly variables: Variables;
  readonly context: DeriveContext;
}

/** Applies a schema and `derive` to variables. What they throw is not caught. */
export function readFixture({ schema, derive, variables, context }: FixtureInput): FixtureReading {
  const { data, issues = [] } = parseFixture(schema, variables);
  if (data === undefined) return { issues };
  const parsed = withDatesAsStrings(data);
  const foreign = findForeign(parsed);
  if (foreign) return { issues, problem: foreignProblem(foreign) };
  if (!derive) return { issues, parsed };
  // Parsed again for each call, so that a call doesn't see what an earlier one did to its variables.
  const derived = checkDerive(() => derive(parseFixture(schema, variables).data, context));
  return derived.problem ? { issues, problem: derived.problem } : { issues, parsed, derived: derived.variables };
}

/** Dates become strings, as in JSON. */
function withDatesAsStrings(value: Variables): Variables;
function withDatesAsStrings(value: unknown): unknown;
function withDatesAsStrings(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => withDatesAsStrings(item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDatesAsStrings(member)]));
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

/**
 * Checks a fixture against its template's schema. Where the schema expects a date, the fixture has an ISO 8601 string,
 * because JSON has no dates.
 */
function parseFixture(schema: z.core.$ZodObject, variables: Variables): ParsedFixture {
  const first = z.safeParse(schema, variables);
  const dates = first.success ? [] : first.error.issues.filter((issue) => isDateText(issue, variables));
  const parsed = dates.length === 0 ? first : z.safeParse(schema, withDates(variables, dates));
  if (parsed.success) return { data: parsed.data };
  return { issues: parsed.error.issues.flatMap((issue) => issuesOf(issue, variables)) };
}

function isDateText(issue: z.core.$ZodIssue, variables: Variables): boolean {
  if (issue.code !== "invalid_type" || issue.expected !== "date") return false;
  const value = valueAt(variables, issue.path);
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value));
}

function withDates(variables: Variables, dates: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(variables);
  for (const { path } of dates) {
    const [holder, name] = [valueAt(copy, path.slice(0, -1)), path.at(-1)];
    if (typeof holder !== "object" || holder === null || name === undefined) continue;
    Reflect.set(holder, name, new Date(String(Reflect.get(holder, name))));
  }
  return copy;
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
  const foreign = findForeign(value);
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

/** Calls a function with `Date` set more than a year ahead. */
function withLaterClock<Result>(call: () => Result): Result {
  const RealDate = globalThis.Date;
  globalThis.Date = laterDate(RealDate);
  try {
    return call();
  } finally {
    globalThis.Date = RealDate;
  }
}

/** A value that JSON does not have. */
interface Foreign {
  readonly path: readonly PropertyKey[];
  /** `a Date` */
  readonly what: string;
}

/** The first value that JSON would lose or refuse. A member may be undefined: it counts as absent. */
function findForeign(
  value: unknown,
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
): Foreign | undefined {
  const what = foreignKind(value, ancestors);
  if (what !== undefined) return { path, what };
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && value.includes(undefined)) {
    return { path: [...path, value.indexOf(undefined)], what: "undefined" };
  }
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, member] of members) {
    const foreign = findForeign(member, [...path, key], [...ancestors, value]);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

function foreignKind(value: unknown, ancestors: readonly unknown[]): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["bigint", "function", "symbol"].includes(typeof value)) return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (ancestors.includes(value)) return "an object within itself";
  return Array.isArray(value) || isPlainObject(value) ? undefined : `a ${value.constructor.name}`;
}
