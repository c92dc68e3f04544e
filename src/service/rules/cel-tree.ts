import type { parse } from "@bufbuild/cel";
import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";

/** A parsed expression: a tree with source positions. */
export type ParsedCel = ReturnType<typeof parse>;

/** An error about a part of the expression. The message starts with its place if the parser recorded one. */
export function errorAt(parsed: ParsedCel, source: string, { id }: Expr, problem: string): Error {
  const offset = parsed.sourceInfo?.positions[String(id)];
  return new Error(offset === undefined ? problem : `${placeOf(source, offset)}: ${problem}`);
}

/** The expression and everything inside it, in source order. */
export function* expressionsIn(expr: Expr | undefined): Generator<Expr> {
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

function placeOf(expression: string, offset: number): string {
  const before = expression.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
