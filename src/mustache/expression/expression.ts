/**
 * An operation on variables as data: JSON, to be computed when an email is filled. `docs/expressions.md` describes it for
 * senders in other languages.
 *
 * @example
 * // (order.cents / 100).toFixed(2)
 * const divided = { kind: "binary", operator: "/", left: { kind: "variable", names: ["order", "cents"] }, right: { kind: "value", value: 100 } };
 * const total = { kind: "call", callee: { kind: "member", of: divided, name: "toFixed" }, args: [{ kind: "value", value: 2 }] };
 *
 * Each has the meaning of the JavaScript that it is named for.
 */
export type Expression =
  | VariableExpression
  /** A literal. */
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  /** A built-in function, class or constant: `Math.round`, `Intl.NumberFormat`, `undefined`, `NaN`, `Infinity`. */
  | { readonly kind: "name"; readonly name: string }
  /** A regular expression literal. */
  | { readonly kind: "pattern"; readonly source: string; readonly flags: string }
  /** The index, from 0, of the current item of the section with this number in `within`, from 1. */
  | { readonly kind: "index"; readonly scope: number }
  /** A parameter of a function around. */
  | { readonly kind: "parameter"; readonly name: string }
  | PackageExpression
  /** `of.name` or `of[0]`. */
  | { readonly kind: "member"; readonly of: Expression; readonly name: string | number }
  /** `of[key]` */
  | { readonly kind: "item"; readonly of: Expression; readonly key: Expression }
  /** `callee(…args)`, `of.name(…args)`, `new Name(…args)`. */
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly isNew?: boolean;
    }
  /** `...of`, among the arguments of a call, the items of a list or the members of an object. */
  | { readonly kind: "spread"; readonly of: Expression }
  /** `!`, `-`, `+`, `typeof` and `~`. */
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expression }
  /** Arithmetic, comparisons, `in`, and `&&`, `||` and `??`, whose right side is evaluated only if needed. */
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "if"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  /** A template literal. */
  | { readonly kind: "text"; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "object"; readonly members: readonly ObjectMember[] }
  /** An argument of a method, such as `.sort((a, b) => a.price - b.price)`. */
  | { readonly kind: "function"; readonly parameters: readonly string[]; readonly body: Expression }
  /** What React prints for a child: nothing for null, undefined and booleans, and a list's items one after the other. */
  | { readonly kind: "child"; readonly of: Expression };

/** `name: value`, `[key]: value` or `...value` in an object. */
export type ObjectMember =
  | readonly [name: string | Expression, value: Expression]
  | Extract<Expression, { kind: "spread" }>;

/** A function or an object of a package: the one part that is not data. */
export interface PackageExpression {
  readonly kind: "package";
  /** As in an import: `date-fns`. */
  readonly module: string;
  /** `format`, `default`, or with members `default.utc`; `*` for all exports. */
  readonly name: string;
  /** What is evaluated before, for its effect on the package: `dayjs.extend(utc)`. */
  readonly setup?: readonly Expression[];
}

/** A variable as it was passed, before absent ones become null: missing ones are undefined. */
export interface VariableExpression {
  readonly kind: "variable";
  /** How many of the sections in `within` are around the object that the names begin in. Default 0: the variables as a whole. */
  readonly scope?: number;
  /** Empty for the item itself. */
  readonly names: readonly string[];
}

/** What expressions are computed with, besides variables. */
export interface ComputeContext {
  /** The locale and the time zone where an expression names none. */
  readonly locale: string;
  readonly timeZone: string;
  /** The functions of packages that expressions call, by their module and name: "date-fns format". */
  readonly functions?: Readonly<Record<string, unknown>>;
}

/**
 * Computes an expression.
 *
 * @param scopes The variables as they were passed, and the items of the sections around.
 * @param indexes The index of each of these items in its list.
 */
export type Evaluate = (
  expression: Expression,
  scopes: readonly unknown[],
  indexes: readonly number[],
  context: ComputeContext,
) => unknown;

/** The expressions that an expression consists of, in the order in which they are evaluated. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "item":
      return [expression.of, expression.key];
    case "member":
    case "spread":
    case "unary":
    case "child":
      return [expression.of];
    case "call":
      return [expression.callee, ...expression.args];
    case "binary":
      return [expression.left, expression.right];
    case "if":
      return [expression.test, expression.yes, expression.no];
    case "text":
      return expression.parts.filter((part) => typeof part !== "string");
    case "list":
      return expression.items;
    case "object":
      return expression.members.flatMap((member) =>
        "kind" in member ? [member] : member.filter((part) => typeof part !== "string"),
      );
    case "function":
      return [expression.body];
    case "variable":
    case "value":
    case "name":
    case "pattern":
    case "index":
    case "parameter":
    case "package":
    default:
      return [];
  }
}
