import { refuse } from "./rendering.js";
import { symbolicOf } from "./strings.js";

/*
 * Values that must be ordinary, because the operation on them can only be done once. Each function returns such a value,
 * and refuses a symbolic one.
 */

/** @param problem Why it must be ordinary. */
export function ordinary(value: unknown, problem: string, hint?: string): unknown {
  const symbolic = symbolicOf(value);
  return symbolic ? refuse(symbolic, problem, hint === undefined ? {} : { hint }) : value;
}

/** A condition in a function that can't run once for each case. */
export function deciding(value: unknown): unknown {
  return ordinary(
    value,
    "decides which code runs, in a function that can't run once for each case",
    "Write it as `condition ? a : b`, or decide in a function that isn't async and changes only its own variables.",
  );
}

/** The condition of a loop. */
export function goingOn(condition: unknown): unknown {
  const symbolic = symbolicOf(condition);
  if (!symbolic) return condition;
  const isByLength = symbolic.kind === "choice" && symbolic.test.question.kind.startsWith("has-");
  const hint = isByLength
    ? "Iterate the list itself: items.map((item, index) => …)."
    : "Create the list in derive (variables.ts), for a number with Array.from({ length: variables.count }, (_, index) => index + 1), and use .map.";
  refuse(symbolic, "decides how often a loop runs", { hint });
  return false;
}

/** The value of `...` in a call. */
export function iterated(value: unknown): unknown {
  return ordinary(value, "iterates a list item by item", USE_ONE_MAP_EACH);
}

/** The list of a `for … of` loop that does more than add to one list. */
export function iteratedByLoop(value: unknown, why: keyof typeof LOOPS): unknown {
  const problem = why === "takes members" ? "iterates an object's members" : "iterates a list item by item";
  return ordinary(value, problem, LOOPS[why]);
}

export const USE_MAP = "Use .map, and print the result.";

/** A hint for lists whose items are put among others. */
export const USE_ONE_MAP_EACH =
  "Use a separate .map for each list, one after the other, or combine the lists in derive (variables.ts): [...variables.a, ...variables.b].";

/** Hints for loops that do more than add to a list. */
export const LOOPS = {
  "ends early":
    "A section always contains all items of a list. Take the first ones with .slice, or filter the list in derive (variables.ts), and use .map.",
  "carries on":
    "Compute values that carry over from one item to the next in derive (variables.ts), and print the items with .map.",
  "takes members":
    "Turn it into a list in derive (variables.ts): Object.entries(labels).map(([key, value]) => ({ key, value })), and use .map.",
  "does more": `${USE_MAP} A loop with .push is supported, too, if it does nothing else and adds to a single list.`,
} as const;
