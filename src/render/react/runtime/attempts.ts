import { eitherShape } from "../../../mustache/expression/results.js";
import { shapeOfValue } from "./builtins.js";
import { fork, refuseThrowing } from "./choices.js";
import { recorded } from "./computed.js";
import { type Expression, mayThrow, operandsOf, throwsItself } from "./expression.js";
import { expressionOf, storedExpression } from "./expressions.js";
import { resultVariable } from "./result-variables.js";
import { refuse, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";

/*
 * A `try` and its `catch`, if both return a value: only when an email is filled is it known whether an operation throws. So both
 * are recorded. The result must contain all that may throw: what it doesn't need would not be evaluated then.
 */

/**
 * `try { return work(); } catch { return otherwise(); }`, where both only return a value.
 *
 * @param scope The scope of the variables that they declare.
 */
export function attempt(scope: string, work: () => unknown, otherwise: () => unknown): unknown {
  const now = rendering();
  const { site, computed } = now;
  const [before, assumed] = [computed.log.length, now.facts.count];
  const within = <T>(block: () => T): T => {
    now.recordCreation(scope);
    return block();
  };
  const tried = now.recordEffects(() => within(() => whileCatching(() => fork(work, otherwise))));
  const { result } = tried;
  const throwing = computed.log.slice(before).filter(({ computation }) => mayThrow(computation.expression));
  const returned = whileCatching(() => recorded(() => expressionOf(result)));
  if (throwing.length === 0 && !(returned && mayThrow(returned))) return result;
  const { result: instead, changed } = now.recordEffects(() => within(otherwise));
  const [change] = [...tried.changed.values(), ...changed.values()];
  if (change) return refuse(symbolicOf(result), UNSURE_CHANGE, { site: change.site ?? site, hint: CREATE_WITHIN });
  const shape = eitherShape(shapeOfValue(result), shapeOfValue(instead));
  const expression = recorded(() => {
    const [of, replacement] = [whileCatching(() => storedExpression(result)), storedExpression(instead)];
    return of && replacement && { kind: "try", of, otherwise: replacement };
  }, shape);
  const parts = returned ? partsOf(returned) : [];
  const isPart = (each: Expression, conditions: number): boolean =>
    parts.some((part) => part.conditions <= conditions && part.text === JSON.stringify(each)) ||
    (!throwsItself(each) && operandsOf(each).every((operand) => !mayThrow(operand) || isPart(operand, conditions)));
  const lost = throwing.find((each) => !isPart(each.computation.expression, each.assumed - assumed));
  if (!expression || lost) return refuseThrowing(symbolicOf(result), (lost ?? throwing[0])?.computation.site ?? site);
  return resultVariable(expression, { problem: "may throw", shape, site });
}

const UNSURE_CHANGE = "changes a value, depending on whether something in the `try` throws";
const CREATE_WITHIN = "Create what is changed within the `try`, and return it.";

/** All parts of an expression as JSON, and on how many conditions it depends whether each is evaluated. */
function partsOf(expression: Expression, conditions = 0): { readonly text: string; readonly conditions: number }[] {
  const { kind } = expression;
  const decides = kind === "if" || (kind === "binary" && /^(?:&&|\|\||\?\?)$/.test(expression.operator));
  const parts = operandsOf(expression).flatMap((operand, index) =>
    partsOf(operand, decides && index > 0 ? conditions + 1 : conditions),
  );
  return [{ text: JSON.stringify(expression), conditions }, ...parts];
}

function whileCatching<Result>(work: () => Result): Result {
  const now = rendering();
  now.attempts += 1;
  try {
    return work();
  } finally {
    now.attempts -= 1;
  }
}
