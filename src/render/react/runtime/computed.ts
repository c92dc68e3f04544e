import { isKey } from "./computations.js";
import { isCount } from "./counts.js";
import { type Expression, innermostLoop } from "./expression.js";
import { callOf, expressionOf, resultOf, type Result } from "./expressions.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { isFlag, shapeOf } from "./result-shapes.js";
import { represented, type Symbolic } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/*
 * What a component computes of its variables, and Mustache cannot. An operation is recorded as an expression, and the
 * component goes on with a variable that stands for its result, as it would if `derive` gave it. So nothing hides what
 * comes after it, and only those results count that the document is made of.
 */

export interface Computing extends Result {
  /** What is computed with. */
  readonly about?: Symbolic | undefined;
}

/** Gives the variable that stands for the result of an operation; one that cannot be written down is refused. */
export function compute(computing: Computing, operation: () => Expression | undefined): unknown {
  const { about, problem, site = rendering().site } = computing;
  if (about?.kind === "refused") return refuse(about, problem);
  const expression = written(operation);
  return expression ? resultOf(expression, { ...computing, site }) : refuse(about, problem, { site });
}

/**
 * Does something that may compute with each case of a choice; where it does, what comes of all cases is the result of one
 * operation.
 *
 * @param operation The same on the whole.
 */
export function computeWhole(work: () => unknown, operation: () => Expression | undefined): unknown {
  const now = rendering();
  const { site, computed } = now;
  const before = computed.count;
  const result = work();
  if (computed.count === before || represented(result)?.kind !== "choice" || isFlag(result)) return result;
  const last = computed.last;
  const expression = written(operation);
  return expression && last ? resultOf(expression, { problem: last.problem, shape: shapeOf(result), site }) : result;
}

/** Calls a function of the project's own: what it computes, its caller has where it calls it. */
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
  const expression = written(() => expressionOf(result));
  if (!expression || isVariable(result)) return result;
  const within = last.within ?? last.site;
  const { problem } = last;
  return resultOf(expression, { problem, shape: shapeOf(result), site, ...(within && { within }) });
}

/**
 * Calls a function of a package. Where it needs the value of a variable, calling it is the operation.
 *
 * @param given What it is given.
 */
export function computeInPackage(called: () => unknown, given: readonly unknown[]): unknown {
  const now = rendering();
  const { site, findings } = now;
  const symbolic = given.map(symbolicOf).find(Boolean);
  if (!symbolic || !site) return called();
  const before = findings.length;
  try {
    const result = called();
    if (findings.length === before) return result;
  } catch (thrown) {
    if (typeof thrown === "object" && thrown !== null && "then" in thrown) throw thrown;
    if (!written(() => callOf({ kind: "imported", site }, given))) throw thrown;
  }
  const refused = findings.splice(before);
  const [first] = refused;
  const problem = first?.problem ?? "needs the value of a variable";
  return compute({ problem, about: symbolic, site }, () => callOf({ kind: "imported", site }, given));
}

/** What an operation leaves out of account while its functions run is nothing that the document is made of. */
function written(operation: () => Expression | undefined): Expression | undefined {
  const now = rendering();
  const { site, findings } = now;
  const before = findings.length;
  try {
    const expression = operation();
    const isWhole = findings.length === before && expression && innermostLoop(expression) !== "apart";
    return isWhole ? expression : undefined;
  } finally {
    findings.splice(before);
    now.site = site;
  }
}

/** Whether it is a variable itself, and nothing that is computed. */
function isVariable(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "path" ? !isKey(symbolic.names[0]) : isCount(symbolic);
}
