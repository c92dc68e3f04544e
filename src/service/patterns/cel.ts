import {
  celEnv,
  type CelEnv,
  type CelInput,
  celMethod,
  type CelResult,
  CelScalar,
  isCelError,
  parse,
  plan,
} from "@bufbuild/cel";
import type { Expr, Expr_Call } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { strings } from "@bufbuild/cel/ext";
import { nearest } from "../../text/nearest.js";
import { positionAt } from "../../text/position.js";
import { compileRegex } from "./regex.js";

export interface CelOptions {
  /** Variables that rules have. Names that look like typos of these are rejected. */
  readonly variables?: readonly string[];
  /** These two are only needed by tests of the language. */
  readonly namespace?: string;
  readonly registry?: NonNullable<Parameters<typeof celEnv>[0]>["registry"];
}

/** A compiled expression, which is evaluated with values for its variables. Errors are returned as values. */
export type CelEvaluator = (variables: Record<string, CelInput>) => CelResult;

/** Part of the strings extension, but missing in the package's version. */
const reverse = celMethod("reverse", CelScalar.STRING, [], CelScalar.STRING, function () {
  return Array.from(this).toReversed().join("");
});

/**
 * Creates a function that compiles expressions of the Common Expression Language, with its standard functions and those
 * of the strings extension.
 */
export function celCompiler({ variables, namespace = "", registry }: CelOptions = {}): (
  expression: string,
) => CelEvaluator {
  const env = celEnv({ namespace, funcs: [...strings, reverse], ...(registry && { registry }) });
  return (expression) => {
    const parsed = parseWorded(expression);
    if (variables) refuse(parsed, expression, mistakeIn(parsed, variables));
    refuse(parsed, expression, largeInteger);
    const evaluate = plan(env, parsed);
    // An expression that has a value without variables, such as `unknown() || true`, needs no further checks.
    if (isCelError(evaluate({}))) refuse(parsed, expression, (expr) => unknownFunction(expr, env));
    return evaluate;
  };
}

const SYNTAX_ERROR = /^<input>:(\d+):(\d+): (.*)$/s;

/** Rewrites the parser's errors so that they start with the place. */
function parseWorded(expression: string): ParsedCel {
  try {
    return parseWithSelectors(expression);
  } catch (error) {
    const [, line, column, what] = SYNTAX_ERROR.exec(error instanceof Error ? error.message : "") ?? [];
    if (what === undefined) throw error;
    throw new Error(`line ${line}, column ${column}: ${what}`, { cause: error });
  }
}

/**
 * Rejects an expression if a part of it has a problem.
 *
 * @throws Error with the problem and its place, if the parser recorded one.
 */
function refuse(parsed: ParsedCel, expression: string, problemOf: (expr: Expr) => string | undefined): void {
  for (const expr of expressionsIn(parsed.expr)) {
    const problem = problemOf(expr);
    if (problem === undefined) continue;
    const offset = parsed.sourceInfo?.positions[String(expr.id)];
    if (offset === undefined) throw new Error(problem);
    const { line, column } = positionAt(expression, offset);
    throw new Error(`line ${line}, column ${column}: ${problem}`);
  }
}

/**
 * Finds what the language allows but no rule can mean: a variable whose name is almost a known one, and a literal
 * regular expression that does not compile. Other unknown variables are accepted, because the documents do not list the
 * variables.
 */
function mistakeIn({ expr: whole }: ParsedCel, variables: readonly string[]): (expr: Expr) => string | undefined {
  const known = new Set([...variables, ...[...expressionsIn(whole)].flatMap(ownVariablesOf)]);
  return (expr) => misspelling(expr, known, variables) ?? brokenRegex(expr);
}

/** Variables that macros such as `all` define. */
function ownVariablesOf({ exprKind }: Expr): string[] {
  return exprKind.case === "comprehensionExpr" ? [exprKind.value.iterVar, exprKind.value.iterVar2] : [];
}

function misspelling({ exprKind }: Expr, known: ReadonlySet<string>, variables: readonly string[]): string | undefined {
  if (exprKind.case !== "identExpr" || known.has(exprKind.value.name)) return undefined;
  const { name } = exprKind.value;
  const suggestion = nearest(name, variables);
  return suggestion === undefined ? undefined : `there is no variable ${name}; did you mean ${suggestion}?`;
}

function brokenRegex({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== "callExpr" || exprKind.value.function !== "matches") return undefined;
  const pattern = exprKind.value.args.at(-1)?.exprKind;
  if (pattern?.case !== "constExpr" || pattern.value.constantKind.case !== "stringValue") return undefined;
  try {
    compileRegex(pattern.value.constantKind.value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A comment, a raw string, a string, or a name in backticks, which is what we look for. Each hides its content. */
const TOKENS =
  /\/\/[^\n]*|(?:[bB]?[rR]|[rR][bB])("""|'''|"|')[^]*?\1|("""|'''|"|')(?:\\[^]|(?!\2)[^])*\2|`([\w./ -]+)`/g;

/**
 * Parses an expression that may select members by names in backticks (``headers.`list-id` ``), which the language has
 * but the parser does not. Each such name is replaced by a valid one of the same length, so that positions stay
 * correct, and restored in the tree.
 */
function parseWithSelectors(expression: string): ParsedCel {
  const names = new Map<string, string>();
  const plain = expression.replaceAll(TOKENS, (token: string, ...[, , name]: (string | undefined)[]) => {
    if (name === undefined) return token;
    const standIn = freeName(expression, names, token.length);
    names.set(standIn, name);
    return standIn;
  });
  // The parser requires a line break after a comment.
  const parsed = parse(/\/\/[^\n]*$/.test(plain) ? `${plain}\n` : plain);
  if (names.size > 0) restoreNames(parsed, expression, names);
  return parsed;
}

function freeName(expression: string, taken: ReadonlyMap<string, string>, length: number): string {
  for (let number = taken.size; ; number += 1) {
    const name = `_${number.toString(36).padStart(length - 1, "0")}`;
    if (!taken.has(name) && !expression.includes(name)) return name;
  }
}

function restoreNames(parsed: ParsedCel, expression: string, names: ReadonlyMap<string, string>): void {
  for (const { exprKind } of expressionsIn(parsed.expr)) {
    if (exprKind.case === "selectExpr") exprKind.value.field = names.get(exprKind.value.field) ?? exprKind.value.field;
    if (exprKind.case !== "structExpr") continue;
    for (const { keyKind } of exprKind.value.entries) {
      if (keyKind.case === "fieldKey") keyKind.value = names.get(keyKind.value) ?? keyKind.value;
    }
  }
  refuse(parsed, expression, ({ exprKind }) => {
    const other = exprKind.case === "identExpr" ? exprKind.value.name : undefined;
    const name = exprKind.case === "callExpr" ? exprKind.value.function : other;
    return name !== undefined && names.has(name) ? "only member names can be in backticks" : undefined;
  });
}

const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/**
 * Finds functions that do not exist, including macros with wrong arguments: no value of the variables could make such a
 * call valid.
 */
function unknownFunction({ exprKind }: Expr, env: CelEnv): string | undefined {
  if (exprKind.case !== "callExpr" || isKnown(exprKind.value, env)) return undefined;
  return `there is no function ${exprKind.value.function} that can be called like this`;
}

function isKnown({ function: name, target }: Expr_Call, { funcs }: CelEnv): boolean {
  // Operators have names that users cannot write.
  if (!/^\w+$/.test(name) || name.startsWith("_") || funcs.find(name)) return true;
  const qualifier = target && qualifiedName(target);
  return qualifier !== undefined && funcs.find(`${qualifier}.${name}`) !== undefined;
}

function qualifiedName({ exprKind }: Expr): string | undefined {
  if (exprKind.case === "identExpr") return exprKind.value.name;
  if (exprKind.case !== "selectExpr" || !exprKind.value.operand) return undefined;
  const operand = qualifiedName(exprKind.value.operand);
  return operand && `${operand}.${exprKind.value.field}`;
}

/**
 * Finds integers that do not fit in 64 bits. The parser accepts them and the evaluator uses their exact value, so that
 * `9223372036854775808 > 0` would be true.
 */
function largeInteger({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== "constExpr") return undefined;
  const { case: kind, value } = exprKind.value.constantKind;
  const isLarge =
    (kind === "int64Value" && (value > INT_MAX || value < -INT_MAX - 1n)) ||
    (kind === "uint64Value" && value > UINT_MAX);
  return isLarge ? `${value} does not fit in 64 bits` : undefined;
}

/** A parsed expression: a tree with source positions. */
type ParsedCel = ReturnType<typeof parse>;

/** The expression and everything inside it, in source order. */
function* expressionsIn(expr: Expr | undefined): Generator<Expr> {
  if (!expr) return;
  yield expr;
  for (const inner of innerOf(expr)) yield* expressionsIn(inner);
}

function innerOf({ exprKind }: Expr): (Expr | undefined)[] {
  if (exprKind.case === "callExpr") return [exprKind.value.target, ...exprKind.value.args];
  if (exprKind.case === "selectExpr") return [exprKind.value.operand];
  if (exprKind.case === "listExpr") return exprKind.value.elements;
  if (exprKind.case === "structExpr") {
    return exprKind.value.entries.flatMap(({ keyKind, value }) => [
      keyKind.case === "mapKey" ? keyKind.value : undefined,
      value,
    ]);
  }
  if (exprKind.case !== "comprehensionExpr") return [];
  const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
  return [iterRange, accuInit, loopCondition, loopStep, result];
}
