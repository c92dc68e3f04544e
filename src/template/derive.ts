import type { Variables } from "../mustache/variables.js";
import { pathText } from "./issue.js";
import { withLaterClock } from "./later-clock.js";

/** What `derive` gave, as JSON, or what is wrong with it. */
export type Derived =
  | { readonly variables: Variables; readonly problem?: undefined }
  | { readonly variables?: undefined; readonly problem: DeriveProblem };

export interface DeriveProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Calls `derive` twice, the second time more than a year later as far as it can tell, and checks that it gives the
 * same JSON.
 *
 * @param call Calls it, with arguments of its own each time.
 */
export function checkDerive(call: () => unknown): Derived {
  const first = call();
  const problem = problemWith(first);
  if (problem !== undefined) return { problem };
  const variables = toVariables(first);
  const changing = differingName(variables, toVariables(withLaterClock(call)));
  if (changing === undefined) return { variables };
  return {
    problem: {
      message: `derive gives another "${changing}" when it is called again with the same variables.`,
      hint: "What it gives may depend on its arguments alone, not on the time or on chance. Pass in what it needs.",
    },
  };
}

function problemWith(value: unknown): DeriveProblem | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { message: "derive does not return an object.", hint: 'Return the variables to add: { total: "€4.00" }.' };
  }
  if ("then" in value) {
    return {
      message: "derive returns a promise.",
      hint: "It has to return its variables at once: it may not be async.",
    };
  }
  const found = findForeign(value, []);
  if (found === undefined) return undefined;
  return {
    message: `derive returns ${found.what} as ${pathText(found.path)}, which JSON does not have.`,
    hint: "Return it as it is to be printed: a text, formatted.",
  };
}

interface Foreign {
  readonly path: readonly PropertyKey[];
  readonly what: string;
}

/** The first value that JSON would lose or refuse. An absent member may be undefined. */
function findForeign(
  value: unknown,
  path: readonly PropertyKey[],
  around: readonly unknown[] = [],
): Foreign | undefined {
  const what = foreignKind(value, around);
  if (what !== undefined) return { path, what };
  if (typeof value !== "object" || value === null) return undefined;
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, member] of members) {
    const found = findForeign(member, [...path, key], [...around, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foreignKind(value: unknown, around: readonly unknown[]): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["bigint", "function", "symbol"].includes(typeof value)) return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (around.includes(value)) return "an object within itself";
  return Array.isArray(value) || isPlain(value) ? undefined : `a ${value.constructor.name}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function toVariables(value: unknown): Variables {
  const variables: Variables = JSON.parse(JSON.stringify(value) ?? "{}");
  return variables;
}

function differingName(a: Variables, b: Variables): string | undefined {
  const names = Object.keys({ ...a, ...b });
  return names.find((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}
