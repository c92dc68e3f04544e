import { kindOfResult } from "../../../mustache/expression/results.js";
import { Shape } from "../../../mustache/shape.js";
import type { HtmlLayout } from "../../../mustache/tokens.js";
import {
  type Computation,
  type Expression,
  innermostLoop,
  loopsIn,
  mayBeNothing,
  mayHaveNoResult,
} from "./expression.js";
import { valueOfPath } from "./paths.js";
import { rendering } from "./rendering.js";
import { AccessPath, type SourceRange } from "./symbolic.js";

export interface ResultOptions extends Pick<Computation, "problem" | "changesVariable" | "hasEffect" | "isOfLoop"> {
  readonly shape?: Shape | undefined;
  readonly site?: SourceRange | undefined;
  readonly within?: SourceRange | undefined;
  readonly layout?: HtmlLayout | undefined;
}

/** The variable with which a component continues in place of an operation. */
export function resultVariable(expression: Expression, options: ResultOptions): unknown {
  const value = valueOfPath(resultPath(expression, options));
  if (returnsOwn(expression)) rendering().recordCreation(value);
  return value;
}

export function resultPath(
  expression: Expression,
  { problem, shape = Shape.UNKNOWN, site, within, changesVariable, hasEffect, isOfLoop, layout }: ResultOptions,
): AccessPath {
  const { computed } = rendering();
  const isFrom = within && within !== site ? { within } : {};
  const result = kindOfResult(shape);
  const { key } = computed.add(
    {
      expression,
      result,
      problem,
      site,
      ...isFrom,
      ...(changesVariable && { changesVariable }),
      ...(hasEffect && { hasEffect }),
      ...(isOfLoop && { isOfLoop }),
      ...(layout && { layout }),
    },
    rendering().facts.count,
  );
  const innermost = innermostLoop(expression);
  // Of lists that are not nested in each other, the document decides which is the inner one.
  const last = innermost === "apart" ? loopsIn(expression).at(-1) : innermost;
  const loop = last && computed.loops.get(last.id);
  const optional =
    !isSomething(expression) && (!shape.isKnown || mayBeNothing(expression) || mayHaveNoResult(expression));
  return new AccessPath({ names: [key], shape, optional, sure: true, stated: true, loop, site });
}

/** Whether an operation has a result, whatever its operands are: a string or a new object. */
function isSomething(expression: Expression): boolean {
  if (expression.kind === "call") return expression.isNew === true;
  return expression.kind === "text" || expression.kind === "child" || expression.kind === "change";
}

/** Whether it is an object that only the component has, so that it may change it. */
function returnsOwn(expression: Expression): boolean {
  if (["map", "list", "object", "change"].includes(expression.kind)) return true;
  if (expression.kind !== "call") return false;
  const { callee, isNew } = expression;
  return isNew === true || ((callee.kind === "member" || callee.kind === "name") && returnsNew(callee.name));
}

/** The built-in class of a new object. */
export function classOfResult(expression: Expression): string {
  if (expression.kind === "change") return classOfResult(expression.of);
  if (expression.kind === "if") return classOfResult(expression.yes);
  if (expression.kind === "member" && expression.name === "searchParams") return "URLSearchParams";
  if (expression.kind === "object") return "Object";
  const known = rendering().computed.classes.get(classKey(expression));
  if (known !== undefined) return known;
  if (expression.kind !== "call" || expression.callee.kind !== "name") return "Array";
  const { name } = expression.callee;
  if (name === "Object.fromEntries") return "Object";
  return expression.isNew === true ? name : "Array";
}

/** For the class of a parameter, or of a member of one: `sum`, `state.total`. */
export function classKey(expression: Expression): string {
  if (expression.kind === "parameter") return expression.name;
  return expression.kind === "member" ? `${classKey(expression.of)}.${expression.name}` : "";
}

/** Whether a function always returns a new list or object. */
export function returnsNew(name: string | number): boolean {
  return typeof name === "string" && RETURN_NEW.has(name);
}

const RETURN_NEW: ReadonlySet<string> = new Set(
  (
    "filter map flatMap flat slice splice concat toSorted toReversed toSpliced with split match getAll Array.from Array.of " +
    "Object.keys Object.values Object.entries Object.fromEntries"
  ).split(" "),
);
