import type { Expression, VariableExpression } from "./expression.js";
import { operandsOf } from "./expression-of.js";
import { ADDS_NOTHING, ONE_ITEM, SAME_ITEMS } from "./results.js";

/** What the names in an expression refer to: evidence about a variable, or its path. */
export interface References<Value> {
  readonly variable: (variable: VariableExpression) => Value;
  readonly member: (of: Value, name: string) => Value;
  readonly item: (of: Value) => Value;
}

/**
 * Follows every reference in an expression, also in functions that methods call for the items of a list.
 *
 * @returns What the result refers to: for `items.filter(…)`, the same as `items`. Undefined if it is a new value.
 */
export function followReferences<Value>(
  expression: Expression,
  references: References<Value>,
  parameters: ReadonlyMap<string, Value> = new Map(),
): Value | undefined {
  const follow = (part: Expression): Value | undefined => followReferences(part, references, parameters);
  switch (expression.kind) {
    case "variable":
      return references.variable(expression);
    case "parameter":
      return parameters.get(expression.name);
    case "member": {
      const { name } = expression;
      const of = follow(expression.of);
      if (of === undefined || name === "length") return undefined;
      return typeof name === "string" ? references.member(of, name) : references.item(of);
    }
    case "item": {
      const of = follow(expression.of);
      follow(expression.key);
      return of === undefined ? undefined : references.item(of);
    }
    case "list": {
      const items = expression.items.map(follow);
      return expression.items[0]?.kind === "spread" && items.length === 1 ? items[0] : undefined;
    }
    case "spread":
      return follow(expression.of);
    case "call":
      return followCall(expression, references, parameters);
    case "change": {
      const { names, args } = expression;
      const [method = ""] = names.slice(-1);
      const of = follow(expression.of);
      followArguments(args, { of, method }, references, parameters);
      return ADDS_NOTHING.test(method) ? of : undefined;
    }
    case "value":
    case "name":
    case "pattern":
    case "index":
    case "package":
    case "unary":
    case "binary":
    case "if":
    case "try":
    case "text":
    case "object":
    case "function":
    case "child":
    default:
      operandsOf(expression).forEach(follow);
      return undefined;
  }
}

function followCall<Value>(
  { callee, args }: Extract<Expression, { kind: "call" }>,
  references: References<Value>,
  parameters: ReadonlyMap<string, Value>,
): Value | undefined {
  const method = callee.kind === "member" && typeof callee.name === "string" ? callee.name : "";
  const of = followReferences(callee.kind === "member" ? callee.of : callee, references, parameters);
  followArguments(args, { of, method }, references, parameters);
  if (of === undefined || SAME_ITEMS.test(method)) return of;
  return ONE_ITEM.test(method) ? references.item(of) : undefined;
}

function followArguments<Value>(
  args: readonly Expression[],
  { of, method }: { readonly of: Value | undefined; readonly method: string },
  references: References<Value>,
  parameters: ReadonlyMap<string, Value>,
): void {
  for (const arg of args) {
    const items = new Map(parameters);
    if (of !== undefined && arg.kind === "function")
      for (const name of itemParameters(method, arg.parameters)) items.set(name, references.item(of));
    followReferences(arg, references, items);
  }
}

/** The parameters that stand for items in a function that a list's method calls. */
function itemParameters(method: string, parameters: readonly string[]): readonly string[] {
  if (method.startsWith("reduce")) return parameters.slice(1, 2);
  return parameters.slice(0, /^(?:sort|toSorted)$/.test(method) ? 2 : 1);
}
