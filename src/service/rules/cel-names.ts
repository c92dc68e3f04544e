import type { CelEnv } from "@bufbuild/cel";
import type { Constant, Expr, Expr_Call } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { errorAt, expressionsIn, type ParsedCel } from "./cel-tree.js";

const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/**
 * Rejects functions that do not exist, including macros with wrong arguments: no value of the variables could make such
 * a call valid.
 *
 * @throws Error that names the function and its place.
 */
export function refuseUnknownFunctions(parsed: ParsedCel, expression: string, env: CelEnv): void {
  for (const expr of expressionsIn(parsed.expr)) {
    const { exprKind } = expr;
    if (exprKind.case !== "callExpr" || isKnown(exprKind.value, env)) continue;
    const problem = `there is no function ${exprKind.value.function} that can be called like this`;
    throw errorAt(parsed, expression, expr, problem);
  }
}

/**
 * Rejects integers that do not fit in 64 bits. The parser accepts them and the evaluator uses their exact value, so
 * that `9223372036854775808 > 0` would be true.
 *
 * @throws Error that names the integer and its place.
 */
export function refuseLargeIntegers(parsed: ParsedCel, expression: string): void {
  for (const expr of expressionsIn(parsed.expr)) {
    const { exprKind } = expr;
    const integer = exprKind.case === "constExpr" ? largeInteger(exprKind.value) : undefined;
    if (integer !== undefined) throw errorAt(parsed, expression, expr, `${integer} does not fit in 64 bits`);
  }
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

/** The integer of a constant, if it has more than 64 bits. */
function largeInteger({ constantKind: { case: kind, value } }: Constant): bigint | undefined {
  if (kind === "int64Value" && (value > INT_MAX || value < -INT_MAX - 1n)) return value;
  return kind === "uint64Value" && value > UINT_MAX ? value : undefined;
}
