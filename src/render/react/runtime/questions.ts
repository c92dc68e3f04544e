import { byValue, choose, lift } from "./choices.js";
import { compareCount, isCount } from "./counts.js";
import { kindsOf, maybe, maybeMissing } from "./kinds.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import type { Test } from "./symbolic.js";
import { hasPlainText, symbolicOf } from "./texts.js";

/*
 * The questions that JavaScript asks of a value: is it truthy, is it there, is it this one. Of an ordinary value they are
 * answered; of a symbolic one the answer is a choice, or refused.
 */

/** What a value that is no choice is when it comes to yes or no: an answer, or the test that will give it. */
type Truth = boolean | Test;

export function truthOf(value: unknown): Truth {
  const symbolic = symbolicOf(value);
  if (!symbolic) return Boolean(value);
  if (symbolic.kind === "path") return { path: symbolic, question: { kind: "truthy" } };
  if (symbolic.kind === "text" && !hasPlainText(symbolic.text)) {
    refuse(symbolic, "asks whether a text made of variables is empty");
  }
  return true;
}

/** `condition ? yes() : no()` */
export function branch(condition: unknown, yes: () => unknown, no: () => unknown): unknown {
  return lift(withCountAsked(condition), (value) => {
    const truth = truthOf(value);
    if (typeof truth === "boolean") return truth ? yes() : no();
    return choose(truth, yes, no);
  });
}

/** A count is true unless it is 0, which is not one test but a choice. */
function withCountAsked(condition: unknown): unknown {
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

/** Decides in JavaScript's flow of control, where the function's body is run once for each answer. */
export function decide(condition: unknown): boolean {
  const now = rendering();
  const ask = (test: Test): boolean => {
    const answer = now.facts.decide(test);
    if (answer === undefined) refuse(test.path, "decides what runs, in code that can't be run once for each answer");
    return answer ?? true;
  };
  let value = truthiness(condition);
  for (let symbolic = symbolicOf(value); symbolic?.kind === "choice"; symbolic = symbolicOf(value)) {
    value = ask(symbolic.test) ? symbolic.yes : symbolic.no;
  }
  const truth = truthOf(value);
  return typeof truth === "boolean" ? truth : ask(truth);
}

/** What a value is where it is known to be falsy, as far as JavaScript can tell such values apart. */
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
