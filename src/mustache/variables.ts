import type { Expression } from "./expression/expression.js";

/**
 * The type of variables as a JSON Schema (draft 2020-12), limited to what zod prints and inference produces.
 * The one representation of what an application passes, whether it was written as zod or inferred.
 */
export interface VariablesSchema {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, VariablesSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | VariablesSchema;
  readonly items?: VariablesSchema | boolean;
  readonly prefixItems?: readonly VariablesSchema[];
  readonly anyOf?: readonly VariablesSchema[];
  readonly oneOf?: readonly VariablesSchema[];
  readonly allOf?: readonly VariablesSchema[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly format?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, VariablesSchema>>;
  /** What a string is in JavaScript: see `javascript-values.ts`. */
  readonly "x-javascript"?: "Date" | "bigint";
}

/** Variables: in fixtures and for Mustache they are JSON; an application may pass dates and bigints, too. */
export type Variables = Readonly<Record<string, unknown>>;

/** What an application passes, after the schema's check, and what `derive` adds. */
export interface PassedVariables {
  readonly input: Variables;
  readonly derived?: Variables | undefined;
}

/** A condition on a value, true or false. */
export type Question =
  /** Neither absent nor null, like JavaScript's `??`. */
  | { readonly kind: "present" }
  /** A list that is not empty. */
  | { readonly kind: "has-items" }
  /** A list with at least this number of items, or a string with at least this number of UTF-16 units. */
  | { readonly kind: "has-at-least"; readonly count: number }
  /** The same with exactly this number. */
  | { readonly kind: "has-exactly"; readonly count: number }
  /** Truthy in JavaScript; an empty list is. */
  | { readonly kind: "truthy" }
  /** Prints nothing: an absent value, an empty string or an empty list. */
  | { readonly kind: "empty" }
  /** Exactly this value; an absent one equals null. */
  | { readonly kind: "equals"; readonly value: string | number | boolean | null }
  /** A number that compares so; false for anything that is not a number. */
  | { readonly kind: "compares"; readonly operator: "<" | "<=" | ">" | ">="; readonly value: number }
  /** A list with one matching item, or with only matching items; the path begins in the item. */
  | { readonly kind: "some" | "every"; readonly path: string; readonly test: Question };

/** Whether null was passed explicitly: in filled variables, absent values are null, too. */
export interface PassedNull {
  readonly kind: "null";
}

/** Whether the current item of the section around is among the first or last `count` items of its list. */
export type PositionTest =
  | { readonly kind: "among-first"; readonly count: number }
  | { readonly kind: "among-last"; readonly count: number };

/** A value that is added although it is not a boolean, because Mustache has no name for it. */
export type Selection =
  /** The item of a list, counted from 0, or from -1 at its end; null if there is none. */
  | { readonly kind: "item"; readonly index: number }
  /** The number of items of a list, or of UTF-16 units of a string; null for anything else. */
  | { readonly kind: "length" }
  /** The value itself, under a name that no list item has. */
  | { readonly kind: "value" }
  /** A list's items, each wrapped in an object under this name, so that conditions can be added to them. */
  | { readonly kind: "items"; readonly as: string };

/**
 * A value computed from other variables, because Mustache can't compute. `docs/expressions.md` describes the expressions. It
 * is added to the item of the innermost section in `within`, or to the variables as a whole; the path is `.`.
 */
export interface Computed {
  readonly kind: "computed";
  readonly expression: Expression;
}

/**
 * A variable that the compiler adds because Mustache can't test the condition itself. It is added wherever variables are
 * filled, next to the value that it depends on, in each context of its tag. A boolean, unless it is a selection or computed.
 * Each may depend on those before it.
 */
export interface Condition {
  /** The reserved variable's name, as in the tag. */
  readonly name: string;
  /** The sections around the tag, outermost first, without inverted ones, which open no context. */
  readonly within: readonly string[];
  /** The name of the tested variable, resolved in the scope of the tag. `.` works if the items are objects. */
  readonly path: string;
  readonly test: Question | PassedNull | PositionTest | Selection | Computed;
}

/** What is needed to fill a template's tags: the type of its variables and what the framework adds to them. */
export interface VariablesContract {
  /** What the application passes. */
  readonly input: VariablesSchema;
  /**
   * The variables that differ for the tags from what is passed, as members of one object: what `derive` adds, and what the
   * schema transforms. Absent if there are none.
   */
  readonly derived?: VariablesSchema;
  /**
   * The derived variables that tags print without testing whether they are there, such as `total` and `lines[].price`: a
   * message without one of them has a gap. Absent if there are none.
   */
  readonly printed?: readonly string[];
  readonly conditions: readonly Condition[];
  /**
   * In a registry: what earlier versions of the template needed, for the version that is still deployed. It is added if it
   * can be.
   */
  readonly former?: readonly Condition[];
}
