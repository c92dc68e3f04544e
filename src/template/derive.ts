import type { Variables } from "../mustache/variables.js";
import { findForeign } from "./foreign.js";
import { pathText } from "./issue.js";
import { withLaterClock } from "./later-clock.js";

/** What `derive` gave, which is JSON but for members that are undefined, or what is wrong with it. */
export type Derived =
  | { readonly variables: Variables; readonly problem?: undefined }
  | { readonly variables?: undefined; readonly problem: DeriveProblem };

export interface DeriveProblem {
  readonly message: string;
  readonly hint: string;
  /** Whether it is that something else comes of each call. */
  readonly changes?: true;
}

/**
 * Calls `derive` twice, the second time more than a year later as far as it can tell, and checks that it gives the
 * same JSON.
 *
 * @param call Calls it, with arguments of its own each time.
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
      message: `derive gives another "${changing}" when it is called again with the same variables.`,
      hint: "What it gives may depend on its arguments alone, not on the time or on chance. Pass in what it needs.",
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
      hint: "It has to return its variables at once: it may not be async.",
    };
  }
  const found = findForeign(value);
  if (found === undefined) return undefined;
  return {
    message: `derive returns ${found.what} as ${pathText(found.path)}, which JSON does not have.`,
    hint: "Return it as it is to be printed: a text, formatted.",
  };
}

/** The first variable that is another the second time. */
function differingName(first: Variables, second: unknown): string | undefined {
  const again = isObject(second) ? second : {};
  const names = Object.keys({ ...first, ...again });
  return names.find((name) => JSON.stringify(first[name]) !== JSON.stringify(again[name]));
}
