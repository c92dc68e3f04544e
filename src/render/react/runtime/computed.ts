import { isBoolean, NUMBER, shapeOfValue } from "./builtins.js";
import { lift } from "./choices.js";
import { type Expression, innermostLoop, isComputedKey } from "./expression.js";
import { callExpression, expressionOf, type ResultOptions, resultVariable } from "./expressions.js";
import { isCount, printCountsAs, PROBLEMS } from "./loops.js";
import { refuse, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import { represented, type Symbolic } from "./symbolic.js";

/*
 * Computations that Mustache can't do. An operation is recorded as an expression, and the component continues with a
 * variable for its result, as if `derive` provided it. So later problems are found, too, and only results that the document
 * uses are reported.
 */

export interface ComputeOptions extends ResultOptions {
  readonly about?: Symbolic | undefined;
}

/** Returns a variable for the result of an operation; an operation that can't be recorded is refused. */
export function compute(computing: ComputeOptions, operation: () => Expression | undefined): unknown {
  const { about, problem, site = rendering().site } = computing;
  if (about?.kind === "refused") return refuse(about, problem);
  const expression = recorded(operation);
  return expression ? resultVariable(expression, { ...computing, site }) : refuse(about, problem, { site });
}

/**
 * Does something that may compute for each case of a choice; if it does, the result for all cases is that of one
 * operation.
 *
 * @param operation The operation on the whole choice.
 */
export function computeWhole(work: () => unknown, operation: () => Expression | undefined): unknown {
  const now = rendering();
  const { site, computed } = now;
  const before = computed.count;
  const result = work();
  if (computed.count === before || represented(result)?.kind !== "choice" || isBoolean(result)) return result;
  const last = computed.last;
  const expression = recorded(operation);
  return expression && last
    ? resultVariable(expression, { problem: last.problem, shape: shapeOfValue(result), site })
    : result;
}

/** Calls a function of the project: its computations belong to its call site. */
export function callOwn(called: () => unknown): unknown {
  const now = rendering();
  const { site, computed } = now;
  if (!site) return called();
  const before = computed.count;
  now.calls.push(site);
  let result: unknown;
  try {
    result = called();
  } finally {
    now.calls.pop();
  }
  const last = computed.last;
  if (computed.count === before || !last || !symbolicOf(result)) return result;
  const expression = recorded(() => expressionOf(result));
  if (!expression || isVariable(result)) return result;
  const within = last.within ?? last.site;
  const { problem } = last;
  return resultVariable(expression, { problem, shape: shapeOfValue(result), site, within });
}

/** Calls a function of a package. If it needs the value of a variable, the call is the operation. */
export function computeInPackage(called: () => unknown, args: readonly unknown[]): unknown {
  const now = rendering();
  const { site, findings } = now;
  const symbolic = args.map(symbolicOf).find(Boolean);
  if (!symbolic || !site) return called();
  const before = findings.length;
  try {
    const result = called();
    if (findings.length === before) return result;
  } catch (thrown) {
    if (typeof thrown === "object" && thrown !== null && "then" in thrown) throw thrown;
    if (!recorded(() => callExpression({ kind: "imported", site }, args))) throw thrown;
  }
  const refused = findings.splice(before);
  const [first] = refused;
  const problem = first?.problem ?? "needs the value of a variable";
  return compute({ problem, about: symbolic, site }, () => callExpression({ kind: "imported", site }, args));
}

/** Findings while recording an operation don't count: they don't affect the document. */
function recorded(operation: () => Expression | undefined): Expression | undefined {
  const now = rendering();
  const { site, findings } = now;
  const before = findings.length;
  try {
    const expression = operation();
    const isComplete = findings.length === before && expression && innermostLoop(expression) !== "apart";
    return isComplete ? expression : undefined;
  } finally {
    findings.splice(before);
    now.site = site;
  }
}

/** Whether it is a variable itself rather than a computed value. */
function isVariable(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "path" ? !isComputedKey(symbolic.names[0]) : isCount(symbolic);
}

/** A value that Mustache can print: positions, and lengths to which something was added, are computed. */
export function printable(value: unknown): unknown {
  return lift(value, (each) => {
    const symbolic = represented(each);
    if (!isCount(symbolic) || symbolic.kind === "several") return each;
    const isPart = symbolic.kind === "length" && symbolic.slice.limits.length > 0;
    if (symbolic.kind === "length" && symbolic.offset === 0 && !isPart) return each;
    const problem = PROBLEMS[isPart ? "part" : symbolic.kind];
    const { site = rendering().site } = symbolic;
    return compute({ problem, about: symbolic, shape: NUMBER, site }, () => expressionOf(each));
  });
}

printCountsAs(printable);
