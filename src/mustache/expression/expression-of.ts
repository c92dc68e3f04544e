/**
 * An operation on variables as data. What it ends in differs between expressions that are stored (`expression.ts`) and those that the
 * compiler of React components records (`render/react/runtime/expression.ts`).
 *
 * Each has the meaning of the JavaScript that it is named for.
 */
export type ExpressionOf<Leaf> =
  | Leaf
  /** A built-in function, class or constant: `Math.round`, `Intl.NumberFormat`, `undefined`, `NaN`, `Infinity`. */
  | { readonly kind: "name"; readonly name: string }
  /** A parameter of a function around. */
  | { readonly kind: "parameter"; readonly name: string }
  /** `of.name` or `of[0]`. */
  | { readonly kind: "member"; readonly of: ExpressionOf<Leaf>; readonly name: string | number }
  /** `of[key]` */
  | { readonly kind: "item"; readonly of: ExpressionOf<Leaf>; readonly key: ExpressionOf<Leaf> }
  /** `callee(…args)`, `of.name(…args)`, `new Name(…args)`. */
  | {
      readonly kind: "call";
      readonly callee: ExpressionOf<Leaf>;
      readonly args: readonly ExpressionOf<Leaf>[];
      readonly isNew?: boolean;
    }
  /** `of` after `of.name(…args)` or `of.name = value`; with two names, after `of.searchParams.name(…args)`. */
  | {
      readonly kind: "change";
      readonly of: ExpressionOf<Leaf>;
      readonly names: readonly string[];
      readonly args: readonly ExpressionOf<Leaf>[];
    }
  | SpreadOf<Leaf>
  /** `!`, `-`, `+`, `typeof` and `~`. */
  | { readonly kind: "unary"; readonly operator: string; readonly of: ExpressionOf<Leaf> }
  /** Arithmetic, comparisons, `in`, and `&&`, `||` and `??`, whose right side is evaluated only if needed. */
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: ExpressionOf<Leaf>;
      readonly right: ExpressionOf<Leaf>;
    }
  | {
      readonly kind: "if";
      readonly test: ExpressionOf<Leaf>;
      readonly yes: ExpressionOf<Leaf>;
      readonly no: ExpressionOf<Leaf>;
    }
  /** `of`, or if that throws, `otherwise`. */
  | { readonly kind: "try"; readonly of: ExpressionOf<Leaf>; readonly otherwise: ExpressionOf<Leaf> }
  /** A template literal. */
  | { readonly kind: "text"; readonly parts: readonly (string | ExpressionOf<Leaf>)[] }
  | { readonly kind: "list"; readonly items: readonly ExpressionOf<Leaf>[] }
  | { readonly kind: "object"; readonly members: readonly ObjectMemberOf<Leaf>[] }
  /** An argument of a method, such as `.sort((a, b) => a.price - b.price)`. */
  | { readonly kind: "function"; readonly parameters: readonly string[]; readonly body: ExpressionOf<Leaf> }
  /** What React prints for a child: nothing for null, undefined and booleans, and a list's items one after the other. */
  | { readonly kind: "child"; readonly of: ExpressionOf<Leaf> };

/** `...of`, among the arguments of a call, the items of a list or the members of an object. */
interface SpreadOf<Leaf> {
  readonly kind: "spread";
  readonly of: ExpressionOf<Leaf>;
}

/** `name: value`, `[key]: value` or `...value` in an object. */
export type ObjectMemberOf<Leaf> =
  | readonly [name: string | ExpressionOf<Leaf>, value: ExpressionOf<Leaf>]
  | SpreadOf<Leaf>;

interface AnyLeaf {
  readonly kind: "variable" | "value" | "pattern" | "index" | "position" | "package" | "map";
}

/** The same expression with other operands, or another leaf. */
export function mapExpression<Leaf extends AnyLeaf, Other>(
  expression: ExpressionOf<Leaf>,
  operand: (expression: ExpressionOf<Leaf>) => ExpressionOf<Other>,
  leaf: (expression: Leaf) => ExpressionOf<Other>,
): ExpressionOf<Other> {
  switch (expression.kind) {
    case "item":
      return { ...expression, of: operand(expression.of), key: operand(expression.key) };
    case "member":
    case "spread":
    case "unary":
    case "child":
      return { ...expression, of: operand(expression.of) };
    case "call":
      return { ...expression, callee: operand(expression.callee), args: expression.args.map(operand) };
    case "change":
      return { ...expression, of: operand(expression.of), args: expression.args.map(operand) };
    case "binary":
      return { ...expression, left: operand(expression.left), right: operand(expression.right) };
    case "if": {
      const { test, yes, no } = expression;
      return { ...expression, test: operand(test), yes: operand(yes), no: operand(no) };
    }
    case "try":
      return { ...expression, of: operand(expression.of), otherwise: operand(expression.otherwise) };
    case "text":
      return {
        ...expression,
        parts: expression.parts.map((part) => (typeof part === "string" ? part : operand(part))),
      };
    case "list":
      return { ...expression, items: expression.items.map(operand) };
    case "object":
      return {
        ...expression,
        members: expression.members.map((member) => {
          if ("kind" in member) return { ...member, of: operand(member.of) };
          const [name, value] = member;
          return [typeof name === "string" ? name : operand(name), operand(value)];
        }),
      };
    case "function":
      return { ...expression, body: operand(expression.body) };
    case "name":
    case "parameter":
      return expression;
    case "variable":
    case "value":
    case "pattern":
    case "index":
    case "position":
    case "package":
    case "map":
    default:
      return leaf(expression);
  }
}

/** The expressions that an expression consists of, in the order in which they are evaluated. */
export function operandsOf<Leaf extends AnyLeaf>(expression: ExpressionOf<Leaf>): readonly ExpressionOf<Leaf>[] {
  const operands: ExpressionOf<Leaf>[] = [];
  const add = (operand: ExpressionOf<Leaf>): ExpressionOf<Leaf> => {
    operands.push(operand);
    return operand;
  };
  mapExpression(expression, add, (leaf) => leaf);
  return operands;
}
