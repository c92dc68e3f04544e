import type { ExpressionOf, ObjectMemberOf } from "./expression-of.js";

/**
 * An operation on variables as data: JSON, to be computed when an email is filled. `docs/expressions.md` describes it for
 * senders in other languages.
 *
 * @example
 * // (order.cents / 100).toFixed(2)
 * const divided = { kind: "binary", operator: "/", left: { kind: "variable", names: ["order", "cents"] }, right: { kind: "value", value: 100 } };
 * const total = { kind: "call", callee: { kind: "member", of: divided, name: "toFixed" }, args: [{ kind: "value", value: 2 }] };
 */
export type Expression = ExpressionOf<Leaf>;

export type ObjectMember = ObjectMemberOf<Leaf>;

type Leaf =
  | VariableExpression
  /** A literal. */
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  /** A regular expression literal. */
  | { readonly kind: "pattern"; readonly source: string; readonly flags: string }
  /** The index, from 0, of the current item of the section with this number in `within`, from 1. */
  | { readonly kind: "index"; readonly scope: number }
  | PackageExpression;

/** A function or an object of a package: the one part that is not data. */
export interface PackageExpression {
  readonly kind: "package";
  /** As in an import: `date-fns`. */
  readonly module: string;
  /** `format`, `default`, or with members `default.utc`; `*` for all exports. */
  readonly name: string;
  /** Whether it is a React component: then it is a function of its properties that returns HTML. */
  readonly isComponent?: true;
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
export type Evaluate = (expression: Expression, scopes: readonly unknown[], indexes: readonly number[]) => unknown;
