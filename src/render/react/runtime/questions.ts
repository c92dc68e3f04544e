import { byValue, choose, lift } from "./choices.js";
import { compareCount, isCount } from "./counts.js";
import { kindsOf, maybe, maybeMissing } from "./kinds.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import type { Test } from "./symbolic.js";
import { hasPlainText, symbolicOf } from "./texts.js";

/*
 * JavaScript's tests of a value: whether it is truthy, present, or equal to another. For an ordinary value the result is known;
 * for a symbolic one it is a choice, or the test is refused.
 */

/** Whether a value that isn't a choice is truthy: a boolean, or the test that determines it. */
type Truth = boolean | Test;

export function truthOf(value: unknown): Truth {
  const symbolic = symbolicOf(value);
  if (!symbolic) return Boolean(value);
  if (symbolic.kind === "path") return { path: symbolic, question: { kind: "truthy" } };
  if (symbolic.kind === "text" && !hasPlainText(symbolic.text)) {
    refuse(symbolic, "tests whether a string made from variables is empty");
  }
  return true;
}

/** `condition ? yes() : no()` */
export function branch(condition: unknown, yes: () => unknown, no: () => unknown): unknown {
  return lift(withCountTested(condition), (value) => {
    const truth = truthOf(value);
    if (typeof truth === "boolean") return truth ? yes() : no();
    return choose(truth, yes, no);
  });
}

/** A count is truthy unless it is 0, which takes a choice instead of a single test. */
function withCountTested(condition: unknown): unknown {
  return lift(condition, (value) => {
    const symbolic = symbolicOf(value);
    return isCount(symbolic) ? compareCount(symbolic, "!==", 0) : value;
  });
}

/** `Boolean(value)` */
export function truthiness(value: unknown): unknown {
  return branch(
    value,
    () => true,
    () => false,
  );
}

/** Decides a branch in control flow: the function's body runs once for each case. */
export function decide(condition: unknown): boolean {
  const now = rendering();
  const ask = (test: Test): boolean => {
    const answer = now.facts.decide(test);
    if (answer === undefined) refuse(test.path, "decides which code runs, in code that can't run once for each case");
    return answer ?? true;
  };
  let value = truthiness(condition);
  for (let symbolic = symbolicOf(value); symbolic?.kind === "choice"; symbolic = symbolicOf(value)) {
    value = ask(symbolic.test) ? symbolic.yes : symbolic.no;
  }
  const truth = truthOf(value);
  return typeof truth === "boolean" ? truth : ask(truth);
}

/** The value of something known to be falsy, as far as JavaScript can distinguish such values. */
export function falsyValue(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (isCount(symbolic)) return 0;
  if (symbolic?.kind !== "path") return symbolic ? "" : value;
  const path = symbolic;
  const values = [
    ...(maybe(path, "number") ? [0] : []),
    ...(maybe(path, "string") ? [""] : []),
    ...(kindsOf(path).has("boolean") ? [false] : []),
  ];
  const last = maybeMissing(path) || kindsOf(path).size === 0 ? undefined : values.pop();
  return byValue(
    path,
    values.map((each) => [each, each] as const),
    last,
  );
}
