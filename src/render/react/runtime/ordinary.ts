import { refuse } from "./refusal.js";
import { symbolicOf } from "./texts.js";

/*
 * What must be an ordinary value, as what is done with it can be done once only. Each gives such a value back, and refuses
 * a symbolic one.
 */

/** @param problem Why it must. */
export function ordinary(value: unknown, problem: string, hint?: string): unknown {
  const symbolic = symbolicOf(value);
  return symbolic ? refuse(symbolic, problem, hint === undefined ? {} : { hint }) : value;
}

/** What decides in a function that cannot be run once for each answer. */
export function deciding(value: unknown): unknown {
  return ordinary(
    value,
    "decides what runs, in a function that can't be run once for each answer",
    "Write it as `condition ? a : b`, or decide in a function that isn't async and changes only variables of its own.",
  );
}

/** The condition of a loop. */
export function goingOn(condition: unknown): unknown {
  const symbolic = symbolicOf(condition);
  if (!symbolic) return condition;
  const isByLength = symbolic.kind === "choice" && symbolic.test.question.kind.startsWith("has-");
  const hint = isByLength
    ? "Go through the list itself: items.map((item, index) => …)."
    : "Let derive (variables.ts) make the list that it goes through, Array.from({ length: variables.count }, (_, index) => index + 1) for a number, and use .map.";
  refuse(symbolic, "decides how often a loop runs", { hint });
  return false;
}

/** What `...` in a call goes through. */
export function iterated(value: unknown): unknown {
  return ordinary(value, "goes through a list one by one", USE_ONE_MAP_EACH);
}

/** What `for … of` goes through, where the loop does something else than to add to one list. */
export function goneThrough(value: unknown, why: keyof typeof LOOPS): unknown {
  const problem = why === "takes members" ? "goes through an object's members" : "goes through a list one by one";
  return ordinary(value, problem, LOOPS[why]);
}

export const USE_MAP = "Use .map, and print what it gives.";

/** What to do about a list whose items are put among others. */
export const USE_ONE_MAP_EACH =
  "Go through each list with a .map of its own, one after the other; what is made of whole lists, as [...variables.a, ...variables.b], is for derive (variables.ts).";

/** What to do about a loop, by what it does beside adding to a list. */
export const LOOPS = {
  "ends early":
    "A section has all items of a list: take the first ones with .slice, or let derive (variables.ts) leave out the others, and use .map.",
  "carries on":
    "Let derive (variables.ts) compute what is carried on from one item to the next, and print the items with .map.",
  "takes members":
    "Let derive (variables.ts) make a list of it: Object.entries(labels).map(([key, value]) => ({ key, value })), and use .map.",
  "does more": `${USE_MAP} A loop may do the same with .push, if it does nothing else, and for each list in a loop of its own.`,
} as const;
