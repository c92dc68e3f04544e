import { readCount } from "../../../process/moment.js";
import { kindOfResult, NUMBER, STRING } from "../../../mustache/expression/results.js";
import { Shape } from "../../../mustache/shape.js";
import { TEST_FIRST } from "./absent-dates.js";
import { isBoolean, isBuiltin, shapeOfValue } from "./builtins.js";
import { lift, refuseThrowing, someCase } from "./choices.js";
import { isRewritten } from "./components.js";
import { type Expression, isComputedKey, mayThrow, type PackageExpression } from "./expression.js";
import { callExpression, expressionOf, hasOrigin, methodCallExpression, recordOrigin } from "./expressions.js";
import { type ResultOptions, resultVariable } from "./result-variables.js";
import { provide } from "./later.js";
import { isCount, PROBLEMS } from "./loops.js";
import {
  areUncertain,
  layoutOfSamples,
  type CallSample,
  sampleCall,
  sampleMethod,
  shapeOfSamples,
  withoutAbsentIn,
  withSamples,
} from "./package-samples.js";
import { isHook, memberOfPackage, packageUses } from "./package-uses.js";
import { pathOf, tokenOf, valueOfPath } from "./paths.js";
import { canSubstituteIn } from "./probes.js";
import { isOwn, refuse, rendering } from "./rendering.js";
import { stringOf, symbolicOf } from "./strings.js";
import {
  type AccessPath,
  type AnyFunction,
  become,
  isElement,
  isPlain,
  isReference,
  type ReactElement,
  represented,
  type SourceRange,
  type Symbolic,
} from "./symbolic.js";

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
  const expression = recorded(operation, computing.shape ?? Shape.UNKNOWN);
  if (expression && rendering().tries > 0 && mayThrow(expression)) return refuseThrowing(about, site);
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
  const before = computed.log.length;
  const result = work();
  if (computed.log.length === before || represented(result)?.kind !== "choice" || isBoolean(result)) return result;
  const last = computed.last;
  const shape = shapeOfValue(result);
  const expression = recorded(operation, shape);
  if (expression) computed.log.splice(before);
  return expression && last ? resultVariable(expression, { problem: last.problem, shape, site }) : result;
}

/** Calls a function of the project: its computations belong to its call site. */
export function callOwn(called: () => unknown): unknown {
  const now = rendering();
  const { site, computed } = now;
  if (!site) return called();
  const before = computed.log.length;
  now.calls.push(site);
  let result: unknown;
  try {
    result = called();
  } finally {
    now.calls.pop();
  }
  const last = computed.last;
  if (computed.log.length === before || !last || !symbolicOf(result)) return result;
  const shape = shapeOfValue(result);
  const expression = recorded(() => expressionOf(result), shape);
  if (!expression || isVariable(result) || isChoiceOfOwn(result)) return result;
  const within = last.within ?? last.site;
  const { problem, layout } = last;
  const variable = resultVariable(expression, { problem, shape, site, within, layout });
  if (!isOwn(result) || !isReference(variable)) return variable;
  become(result, variable); // The function may have kept it elsewhere.
  return result;
}

/** Whether it is a choice between objects that may be changed later. */
function isChoiceOfOwn(value: unknown): boolean {
  return represented(value)?.kind === "choice" && someCase(value, isOwn);
}

/** A call of a function of a package. */
export interface PackageCall {
  readonly called: AnyFunction;
  /** The object whose method it is, and the method's name. */
  readonly self: unknown;
  readonly name: string;
  readonly args: readonly unknown[];
}

/**
 * Calls a function of a package. If it needs the value of a variable, the call is the operation.
 *
 * @param work Tries to call it.
 */
export function computeInPackage(
  work: (args: unknown[], isRecordable: () => boolean) => unknown,
  call: PackageCall,
): unknown {
  const now = rendering();
  const { site, findings } = now;
  const args = [...call.args];
  const symbolic = symbolicIn(args);
  if (!symbolic || !site) {
    const before = readCount();
    const result = work(args, () => false);
    lastCall = { ...call, site };
    return withOrigin(result, call, readCount() > before);
  }
  const before = findings.length;
  const operation = (): Expression | undefined => packageCallExpression(call);
  const isRecordable = (): boolean => recorded(operation) !== undefined;
  try {
    const isUntried = !hasChoice(args) && !canSubstituteIn(args) && !isRewritten(call.called) && isRecordable();
    const result = isUntried ? undefined : work(args, () => isRepeatable(call) && isRecordable());
    if (!isUntried && findings.length === before) return result;
  } catch (thrown) {
    if (typeof thrown === "object" && thrown !== null && "then" in thrown) throw thrown;
    if (!isRecordable()) throw thrown;
  }
  const refused = findings.splice(before);
  const [first] = refused;
  const problem = first?.problem ?? "needs the value of a variable";
  if (!isRepeatable(call)) return refuse(symbolic, problem, { site, hint: UNREPEATABLE });
  const results = samplesOfCall(call, args);
  if (results.some(({ isChanging }) => isChanging))
    return refuse(symbolic, "changes its argument", { site, hint: PASS_COPY });
  if (areUncertain(results)) return refuse(symbolic, UNCERTAIN, { site, hint: NO_CLOCK });
  const withoutAbsent = withoutAbsentIn(args);
  if (withoutAbsent && areUncertain(samplesOfCall(call, withoutAbsent)))
    return refuse(symbolic, `${UNCERTAIN} if its argument is absent`, { site, hint: TEST_FIRST });
  const computing = {
    problem,
    about: symbolic,
    site,
    shape: shapeOfSamples(results),
    layout: layoutOfSamples(results),
  };
  const result = compute(computing, operation);
  if (results.length > 0 && results.every(({ isNew }) => isNew)) now.recordCreation(result);
  return withSamples(result, results);
}

/** The tag of the HTML that a package's component renders; undefined if its properties can't be recorded. */
export function computeHtml(
  component: PackageExpression,
  props: ReactElement["props"],
  computing: Pick<ResultOptions, "problem" | "layout">,
): string | undefined {
  const { site } = rendering();
  const expression = recorded(() => callExpression({ ...component, isComponent: true }, [props]));
  const path = expression && pathOf(resultVariable(expression, { ...computing, shape: STRING, site }));
  return path && tokenOf(path, true);
}

/** Calls a method of an object that a package returned. */
export function callPackageMethod(path: AccessPath, object: unknown, name: string, args: readonly unknown[]): unknown {
  const results = sampleMethod(path, name, args);
  if (areUncertain(results)) return refuse(path, UNCERTAIN, { hint: NO_CLOCK });
  const problem = `calls .${name}() on a package's object`;
  if (results.some(({ isChanging }) => isChanging)) return refuse(path, `${problem}, which changes it`);
  const isChanged = results.length > 0 && results.every(({ isNew }) => !isNew);
  const computing = { problem, about: path, shape: shapeOfSamples(results), layout: layoutOfSamples(results) };
  const computed = compute(computing, () => methodCallExpression(object, name, args));
  const result = withSamples(computed, results);
  if (!isChanged || !isReference(result)) return result;
  const now = rendering();
  const [key = ""] = path.names;
  if (isOwn(object)) {
    now.recordMutation(object);
    become(object, result);
    return object;
  }
  now.computed.change(key);
  return result;
}

const PASS_COPY = "Pass a copy, and use the function's result: [...list], new Date(date).";
export const UNCERTAIN = "depends on the time or on random numbers";
export const NO_CLOCK =
  "Pass the time as a variable, such as sentAt, to a function that takes it, or compute the result in the application.";

const UNREPEATABLE =
  "A module changes this package when it is loaded, with a call that can't be repeated when an email is sent. Call the package in derive (variables.ts).";

function hasChoice(values: readonly unknown[]): boolean {
  return values.some((value) =>
    isHolder(value) ? hasChoice(Object.values(value)) : represented(value)?.kind === "choice",
  );
}

/** Whether a function comes from a package, or a package created it for a module: `const badge = cva(…)`. */
export function isOfPackage(called: object): boolean {
  return packageUses().find(called) !== undefined || hasOrigin(called);
}

function isRepeatable({ called, self }: PackageCall): boolean {
  const uses = packageUses();
  return [called, self].every((value) => {
    const found = isReference(value) && uses.find(value);
    return !found || uses.isRepeatable(found);
  });
}

function packageCallExpression({ called, self, name, args }: PackageCall): Expression | undefined {
  const known = packageUses().find(called) ?? (isReference(self) ? memberExpression(self, name) : expressionOf(called));
  return callExpression(known, args);
}

function memberExpression(object: object, name: string): Expression | undefined {
  const of = expressionOf(object);
  if (of?.kind === "package") return memberOfPackage(of, name);
  return of && { kind: "member", of, name };
}

/**
 * A function or an object that a package created, such as `cva(…)`, is recorded by the call.
 *
 * @param reads Whether the package has read the time or a random number.
 */
function withOrigin(result: unknown, call: PackageCall, reads: boolean): unknown {
  const isMade = isReference(result) && !isPlain(result) && !Array.isArray(result) && !isElement(result);
  if (!isMade || isHook(call.called) || isRewritten(result)) return result;
  if (represented(result) || packageUses().find(result)) return result;
  const isChanging = reads && areUncertain(samplesOfCall(call, call.args));
  recordOrigin(result, () => (isChanging ? NOW : withoutErrors(call)));
  return result;
}

function samplesOfCall({ called, self }: PackageCall, args: readonly unknown[]): readonly CallSample[] {
  return sampleCall((real) => Reflect.apply(called, self, real), args);
}

/** What reads the clock: it can't be computed when an email is filled. */
const NOW: Expression = { kind: "call", callee: { kind: "name", name: "Date" }, args: [], isNew: true };

/** The expression of a call; undefined if that needs a function of the project that can't be called alone. */
function withoutErrors(call: PackageCall): Expression | undefined {
  try {
    return packageCallExpression(call);
  } catch {
    return undefined;
  }
}

/** The first symbolic value among values and what these contain. */
export function symbolicIn(values: readonly unknown[]): Symbolic | undefined {
  for (const value of values) {
    const symbolic = symbolicOf(value) ?? (isHolder(value) ? symbolicIn(Object.values(value)) : undefined);
    if (symbolic) return symbolic;
  }
  return undefined;
}

function isHolder(value: unknown): value is object {
  return Array.isArray(value) || (isPlain(value) && !packageUses().find(value));
}

/** The last call of a package without variables. */
let lastCall: (PackageCall & { readonly site: SourceRange | undefined }) | undefined;

/**
 * Records what a module changes in a package when it is loaded.
 *
 * @param isCall Whether it does so with a single call, which was the last one.
 */
export function recordSetup(library: unknown, isCall: boolean): void {
  const uses = packageUses();
  const found = isReference(library) ? uses.find(library) : undefined;
  if (!found) return;
  const { site } = rendering();
  const call = isCall && JSON.stringify(lastCall?.site) === JSON.stringify(site) ? lastCall : undefined;
  // A function of the project may do anything to the package.
  const isRepeatableCall = call && !hasOwnFunction(call.args);
  uses.noteChange(isRepeatableCall ? recorded(() => withoutErrors(call)) : undefined, found.module);
}

function hasOwnFunction(values: readonly unknown[]): boolean {
  return values.some((value) => {
    if (typeof value === "function") return !isOfPackage(value) && !isBuiltin(value);
    return isHolder(value) && hasOwnFunction(Object.values(value));
  });
}

/** An operation as an expression; undefined if it can't be recorded. */
export function recorded(operation: () => Expression | undefined, shape: Shape = STRING): Expression | undefined {
  const now = rendering();
  return now.rehearse(() => {
    const before = now.findings.length;
    const { result: expression, parts } = now.computed.collecting(operation);
    if (!expression || now.findings.length > before) return undefined;
    // A string or a number contains nothing that may be changed later.
    if (["unknown", "list"].includes(kindOfResult(shape))) now.hold(parts);
    return expression;
  });
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
    if (!isCount(symbolic)) return each;
    const isPart = symbolic.kind === "length" && symbolic.slice.limits.length > 0;
    if (symbolic.kind === "length" && symbolic.offset === 0 && !isPart) return each;
    const problem = PROBLEMS[isPart ? "part" : symbolic.kind];
    const { site = rendering().site } = symbolic;
    return compute({ problem, about: symbolic, shape: NUMBER, site }, () => expressionOf(each));
  });
}

/** `String(value)` of a computed value. */
function computeString(path: AccessPath): unknown {
  const { site = rendering().site } = path;
  const computing = { problem: "converts a computed value to a string", about: path, shape: STRING, site };
  const text = compute(computing, () => {
    const of = expressionOf(valueOfPath(path));
    return of && { kind: "text", parts: [of] };
  });
  return stringOf(text);
}

function computeChild(path: AccessPath): unknown {
  const { site = rendering().site } = path;
  const printed = compute({ problem: "prints a computed value", about: path, shape: STRING, site }, () => {
    const of = expressionOf(valueOfPath(path));
    return of && { kind: "child", of };
  });
  const [key] = pathOf(printed)?.names ?? [];
  if (key !== undefined) rendering().computed.printed.set(key, path);
  return printed;
}

provide({ printCount: printable, computeString, computeChild });
