import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import { nearest } from "../../text/nearest.js";
import { errorAt, expressionsIn, type ParsedCel } from "./cel-tree.js";
import { compileRegex } from "./regex.js";

/**
 * Rejects what the language allows but no rule can mean: a variable whose name is almost a known one, and a literal
 * regular expression that does not compile. Other unknown variables are accepted, because the documents do not list the
 * variables.
 *
 * @throws Error with the problem and its place.
 */
export function refuseMistakes(parsed: ParsedCel, expression: string, variables: readonly string[]): void {
  const all = [...expressionsIn(parsed.expr)];
  const known = new Set([...variables, ...all.flatMap(ownVariablesOf)]);
  for (const expr of all) {
    const problem = misspelling(expr, known, variables) ?? brokenRegex(expr);
    if (problem !== undefined) throw errorAt(parsed, expression, expr, problem);
  }
}

/** Variables that macros such as `all` define. */
function ownVariablesOf({ exprKind }: Expr): string[] {
  return exprKind.case === "comprehensionExpr" ? [exprKind.value.iterVar, exprKind.value.iterVar2] : [];
}

function misspelling({ exprKind }: Expr, known: ReadonlySet<string>, variables: readonly string[]): string | undefined {
  if (exprKind.case !== "identExpr" || known.has(exprKind.value.name)) return undefined;
  const { name } = exprKind.value;
  const meant = nearest(name, variables);
  return meant === undefined ? undefined : `there is no variable ${name}; did you mean ${meant}?`;
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
