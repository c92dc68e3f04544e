import { builtin, callBuiltin, isInstance } from "./builtins.js";
import { childText } from "./child-text.js";
import { ExpressionError } from "./expression-error.js";
import {
  type ComputeContext,
  type Evaluate,
  type Expression,
  type ObjectMember,
  type VariableExpression,
} from "./expression.js";
import { operandsOf } from "./expression-of.js";
import { callFunction, callMethod, changedCopy, readMember, readOwn } from "./methods.js";
import { operate, operateOn } from "./operators.js";
import { packageKey } from "./packages.js";
import { newPattern } from "./pattern.js";
import { checkSize, Run } from "./run.js";
import { isIterable } from "./types.js";

export { ExpressionError };

/** The version of the expressions that this evaluates; `docs/expressions.md` describes it. */
export const EXPRESSION_VERSION = 1;

/**
 * Computes an expression as JavaScript does.
 *
 * @example
 * const cents = { kind: "variable", names: ["cents"] };
 * const divided = { kind: "binary", operator: "/", left: cents, right: { kind: "value", value: 100 } };
 * evaluate(divided, [{ cents: 1234 }], [0], { locale: "en-GB", timeZone: "Europe/London" }); // 12.34
 *
 * It is data, whoever wrote it: it reaches nothing but the variables, the built-in functions in a table and the context's
 * functions, and ends within limits.
 *
 * @param scopes The variables as they were passed, and the items of the sections around.
 * @param indexes The index of each of these items in its list; the first is not used.
 * @throws {ExpressionError} It has no result.
 */
export function evaluate(
  expression: Expression,
  scopes: readonly unknown[],
  indexes: readonly number[],
  context: ComputeContext,
): unknown {
  return evaluator(context)(expression, scopes, indexes);
}

/** Computes several expressions of the same variables, which must not change in between. */
export function evaluator(context: ComputeContext): Evaluate {
  const run = new Run(context);
  return (expression, scopes, indexes) => {
    try {
      run.begin();
      return valueOf(expression, { run, scopes, indexes, parameters: undefined });
    } catch (error) {
      throw asExpressionError(error);
    }
  };
}

function asExpressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isStack = error instanceof RangeError && /call stack|recursion/.test(message);
  return new ExpressionError(isStack ? "limit" : "throws", message, { cause: error });
}

/** What the names in an expression refer to. */
interface Scope {
  readonly run: Run;
  readonly scopes: readonly unknown[];
  readonly indexes: readonly number[];
  readonly parameters: Parameters | undefined;
}

interface Parameters {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly outer: Parameters | undefined;
}

function valueOf(expression: Expression, scope: Scope): unknown {
  if (expression.kind === "value") return expression.value;
  scope.run.enter();
  const value = compute(expression, scope);
  scope.run.leave();
  return value;
}

function compute(expression: Exclude<Expression, { kind: "value" }>, scope: Scope): unknown {
  const { run } = scope;
  switch (expression.kind) {
    case "variable":
      return variable(expression, scope);
    case "name":
      return builtin(run, expression.name);
    case "pattern":
      return newPattern(run, expression.source, expression.flags);
    case "index":
      return inSection(scope.indexes, expression.scope);
    case "parameter":
      return parameter(expression.name, scope.parameters);
    case "package":
      return packageFunction(packageKey(expression), run);
    case "member":
      return readMember(run, valueOf(expression.of, scope), expression.name);
    case "item":
      return readMember(run, valueOf(expression.of, scope), keyOf(expression.key, scope));
    case "call":
      return call(expression, scope);
    case "change":
      return changedCopy(run, valueOf(expression.of, scope), expression.names, values(expression.args, scope));
    case "unary":
      return operateOn(run, expression.operator, valueOf(expression.of, scope));
    case "binary":
      return binary(expression, scope);
    case "if":
      return valueOf(valueOf(expression.test, scope) ? expression.yes : expression.no, scope);
    case "try":
      return attempt(expression, scope);
    case "text":
      return text(expression.parts, scope);
    case "list":
      return run.admit(values(expression.items, scope));
    case "object":
      return run.admit(object(expression.members, scope));
    case "function":
      return functionOf(expression, scope);
    case "child":
      return run.admit(childText(valueOf(expression.of, scope)));
    case "spread":
    default:
      throw new ExpressionError("unknown", `There is no expression of the kind \`${expression.kind}\` here.`);
  }
}

function functionOf(
  { parameters: names, body }: FunctionExpression,
  { run, scopes, indexes, parameters }: Scope,
): unknown {
  return run.allow((...args) =>
    valueOf(body, { run, scopes, indexes, parameters: { names, values: args, outer: parameters } }),
  );
}

function variable({ scope: number = 0, names }: VariableExpression, { run, scopes }: Scope): unknown {
  return run.admit(names.reduce(readOwn, inSection(scopes, number)));
}

/** What belongs to a section, by its number. */
function inSection(all: readonly unknown[], number: number): unknown {
  return typeof number === "number" ? all[number] : undefined; // Data may have anything for it.
}

function parameter(name: string, parameters: Parameters | undefined): unknown {
  if (!parameters) throw new ExpressionError("unknown", `There is no parameter \`${name}\`.`);
  const index = parameters.names.indexOf(name);
  return index < 0 ? parameter(name, parameters.outer) : parameters.values[index];
}

function packageFunction(key: string, run: Run): unknown {
  const { functions = {} } = run.context;
  if (!Object.hasOwn(functions, key)) throw new ExpressionError("unknown", `The function \`${key}\` is not available.`);
  return run.adopt(functions[key]);
}

function keyOf(expression: Expression, scope: Scope): string | number {
  const key = valueOf(expression, scope);
  scope.run.spendOn([key]);
  return typeof key === "number" ? key : String(key);
}

type FunctionExpression = Extract<Expression, { kind: "function" }>;
type Call = Extract<Expression, { kind: "call" }>;

function call(expression: Call, scope: Scope): unknown {
  const { callee, args, isNew = false } = expression;
  const { run } = scope;
  if (callee.kind === "name" && callee.name.startsWith("Intl."))
    return constant(expression, run, () => callBuiltin(run, callee.name, values(args, scope), isNew));
  if (callee.kind === "name") return run.admit(callBuiltin(run, callee.name, values(args, scope), isNew));
  if (callee.kind === "member" && !isNew) {
    const receiver = valueOf(callee.of, scope);
    return callMethod(run, receiver, String(callee.name), values(args, scope));
  }
  const called = valueOf(callee, scope);
  const result = callFunction(run, called, values(args, scope), isNew);
  return run.isForeign(called) ? run.adopt(result) : run.admit(result);
}

interface Constant {
  readonly locale: string;
  readonly timeZone: string;
  readonly value: unknown;
}

const constants = new WeakMap<Call, Constant>();

/** A formatter with constant options is the same in each evaluation. */
function constant(expression: Call, { context: { locale, timeZone } }: Run, make: () => unknown): unknown {
  const known = constants.get(expression);
  if (known?.locale === locale && known.timeZone === timeZone) return known.value;
  const value = make();
  if (expression.args.every(isConstant)) constants.set(expression, { locale, timeZone, value });
  return value;
}

function isConstant(expression: Expression): boolean {
  return expression.kind === "value" || (expression.kind === "object" && operandsOf(expression).every(isConstant));
}

/** The items of a list or the arguments of a call. */
function values(parts: readonly Expression[], scope: Scope): unknown[] {
  const all: unknown[] = [];
  for (const part of parts) {
    if (part.kind !== "spread") {
      all.push(valueOf(part, scope));
      continue;
    }
    const spread = valueOf(part.of, scope);
    scope.run.spendOn([spread]);
    if (!isIterable(spread)) throw new TypeError("A value is not iterable");
    for (const item of spread) all.push(item);
    checkSize(all.length);
  }
  return all;
}

function object(members: readonly ObjectMember[], scope: Scope): unknown {
  const entries = members.flatMap((member): (readonly [string, unknown])[] => {
    if ("kind" in member) return Object.entries(Object(valueOf(member.of, scope)));
    const [name, value] = member;
    const key = typeof name === "string" ? name : String(keyOf(name, scope));
    return [[key, valueOf(value, scope)]];
  });
  return Object.fromEntries(entries);
}

function binary({ operator, left, right }: Extract<Expression, { kind: "binary" }>, scope: Scope): unknown {
  if (operator === "&&") return valueOf(left, scope) && valueOf(right, scope);
  if (operator === "||") return valueOf(left, scope) || valueOf(right, scope);
  if (operator === "??") return valueOf(left, scope) ?? valueOf(right, scope);
  if (operator === "instanceof" && right.kind === "name") return isInstance(valueOf(left, scope), right.name);
  return operate(scope.run, operator, valueOf(left, scope), valueOf(right, scope));
}

function attempt({ of, otherwise }: Extract<Expression, { kind: "try" }>, scope: Scope): unknown {
  const { depth } = scope.run;
  try {
    return valueOf(of, scope);
  } catch (error) {
    const { code } = asExpressionError(error);
    if (code !== "throws") throw error;
    scope.run.depth = depth;
    return valueOf(otherwise, scope);
  }
}

function text(parts: readonly (string | Expression)[], scope: Scope): string {
  let all = "";
  for (const part of parts) {
    const value = typeof part === "string" ? part : valueOf(part, scope);
    scope.run.spendOn([value]);
    all += String(value);
    checkSize(all.length);
  }
  return all;
}
