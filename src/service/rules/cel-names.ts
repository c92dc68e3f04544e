import type { CelEnv } from "@bufbuild/cel";
import type { Constant, Expr, Expr_Call } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { errorAt, expressionsIn, type ParsedCel } from "./cel-tree.js";

const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/**
 * Refuses what the parser lets through and what no value of the variables can make right: functions that don't exist
 * (a macro with wrong arguments is one), and whole numbers of more than 64 bits.
 *
 * @throws Error that says what it is, and where.
 */
export function refuseUnknown(parsed: ParsedCel, expression: string, env: CelEnv): void {
  for (const expr of expressionsIn(parsed.expr)) {
    const problem = problemOf(expr, env);
    if (problem !== undefined) throw errorAt(parsed, expression, expr, problem);
  }
}

function problemOf({ exprKind }: Expr, env: CelEnv): string | undefined {
  if (exprKind.case === "callExpr" && !isKnown(exprKind.value, env)) {
    return `there is no function ${exprKind.value.function} that can be called like this`;
  }
  if (exprKind.case === "constExpr" && !isWithinRange(exprKind.value)) return "a whole number has at most 64 bits";
  return undefined;
}

function isKnown({ function: name, target }: Expr_Call, { funcs }: CelEnv): boolean {
  // Operators have names that nobody can write.
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

function isWithinRange({ constantKind }: Constant): boolean {
  if (constantKind.case === "int64Value") return constantKind.value <= INT_MAX && constantKind.value >= -INT_MAX - 1n;
  return constantKind.case !== "uint64Value" || constantKind.value <= UINT_MAX;
}
