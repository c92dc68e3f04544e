import { parse } from "@bufbuild/cel";
import { errorAt, expressionsIn, type ParsedCel } from "./cel-tree.js";

/** A comment, a raw string, a string, or a name in backticks, which is what we look for. Each hides its content. */
const TOKENS =
  /\/\/[^\n]*|(?:[bB]?[rR]|[rR][bB])("""|'''|"|')[^]*?\1|("""|'''|"|')(?:\\[^]|(?!\2)[^])*\2|`([\w./ -]+)`/g;

/**
 * Parses an expression that may select members by names in backticks (``headers.`list-id` ``), which the language has
 * but the parser does not. Each such name is replaced by a valid one of the same length, so that positions stay
 * correct, and restored in the tree.
 */
export function parseWithSelectors(expression: string): ParsedCel {
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
  for (const expr of expressionsIn(parsed.expr)) {
    const { exprKind } = expr;
    if (exprKind.case === "selectExpr") exprKind.value.field = names.get(exprKind.value.field) ?? exprKind.value.field;
    if (exprKind.case === "structExpr") {
      for (const { keyKind } of exprKind.value.entries) {
        if (keyKind.case === "fieldKey") keyKind.value = names.get(keyKind.value) ?? keyKind.value;
      }
    }
    const other = exprKind.case === "identExpr" ? exprKind.value.name : undefined;
    const name = exprKind.case === "callExpr" ? exprKind.value.function : other;
    if (name !== undefined && names.has(name)) {
      throw errorAt(parsed, expression, expr, "only member names can be in backticks");
    }
  }
}
