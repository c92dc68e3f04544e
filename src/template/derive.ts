import type { Variables } from "../mustache/variables.js";
import { findForeign } from "./foreign.js";
import { pathText } from "./issue.js";
import { withLaterClock } from "./later-clock.js";

/** The result of `derive` (JSON, except that members may be undefined), or what is wrong with it. */
export type Derived =
  | { readonly variables: Variables; readonly problem?: undefined }
  | { readonly variables?: undefined; readonly problem: DeriveProblem };

export interface DeriveProblem {
  readonly message: string;
  readonly hint: string;
  /** Whether the problem is that each call returns something else. */
  readonly changes?: true;
}

/**
 * Calls `derive` twice, the second time with `Date` more than a year ahead, and checks that both calls return the same
 * JSON.
 *
 * @param call Calls `derive` with fresh arguments each time.
 */
export function checkDerive(call: () => unknown): Derived {
  const first = call();
  if (!isObject(first)) return { problem: NO_OBJECT };
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

const NO_OBJECT: DeriveProblem = {
  message: "derive does not return an object.",
  hint: 'Return the variables to add: { total: "€4.00" }.',
};

function isObject(value: unknown): value is Variables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function problemWith(value: Variables): DeriveProblem | undefined {
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
  const again = isObject(second) ? second : {};
  const names = Object.keys({ ...first, ...again });
  return names.find((name) => JSON.stringify(first[name]) !== JSON.stringify(again[name]));
}
