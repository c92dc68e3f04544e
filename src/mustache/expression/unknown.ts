import { CLASSES, CONSTANTS, FUNCTIONS, NATIVES } from "./builtins.js";
import type { Expression } from "./expression.js";
import { operandsOf } from "./expression-of.js";
import { isOperator } from "./operators.js";

/** What an expression uses that can't be evaluated. */
export type Unknown =
  /** The time or a random number, with the code that reads it: `Date.now()`. */
  | { readonly kind: "changing"; readonly code: string }
  /** A built-in function or class, or an operator. */
  | { readonly kind: "unknown"; readonly code: string };

/**
 * Finds what `evaluate` would refuse as unknown, whatever the variables are.
 *
 * @example
 * unknownIn({ kind: "call", callee: { kind: "name", name: "structuredClone" }, args: [] }); // { kind: "unknown", code: "structuredClone()" }
 */
export function unknownIn(expression: Expression): Unknown | undefined {
  const own = unknownOf(expression);
  if (own) return own;
  for (const part of operandsOf(expression)) {
    const found = unknownIn(part);
    if (found) return found;
  }
  return undefined;
}

function unknownOf(expression: Expression): Unknown | undefined {
  if (expression.kind === "call") return unknownOfCall(expression);
  if (expression.kind === "name") return isKnown(expression.name) ? undefined : called(expression.name);
  if (expression.kind !== "unary" && expression.kind !== "binary") return undefined;
  const { operator } = expression;
  if (!isOperator(operator)) return { kind: "unknown", code: operator };
  const type = operator === "instanceof" && expression.kind === "binary" ? expression.right : undefined;
  const isType = type?.kind !== "name" || NATIVES.has(type.name);
  return isType ? undefined : { kind: "unknown", code: `instanceof ${type.name}` };
}

function isKnown(name: string): boolean {
  return CONSTANTS.has(name) || FUNCTIONS.has(name) || CLASSES.has(name);
}

function unknownOfCall({ callee, args, isNew = false }: Extract<Expression, { kind: "call" }>): Unknown | undefined {
  if (callee.kind !== "name") return undefined;
  const { name } = callee;
  if (name === "Date" && (!isNew || args.length === 0))
    return { kind: "changing", code: isNew ? "new Date()" : "Date()" };
  if (isNew) return CLASSES.has(name) ? undefined : { kind: "unknown", code: `new ${name}()` };
  return isKnown(name) ? undefined : called(name);
}

function called(name: string): Unknown {
  return { kind: /^(?:Date\.now|Math\.random)$/.test(name) ? "changing" : "unknown", code: `${name}()` };
}
