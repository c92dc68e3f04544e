/**
 * The type of variables as a JSON Schema (draft 2020-12), in the subset that zod prints and inference produces.
 * One representation for what an application passes, whether it was written as zod or inferred.
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
}

/** Variables as an application passes them and Mustache reads them: JSON. */
export type Variables = Readonly<Record<string, unknown>>;

/** A question that a value answers with yes or no, wherever it stands. */
export type Question =
  /** Neither absent nor null, as JavaScript's `??` asks. */
  | { readonly kind: "present" }
  /** A list that is not empty. */
  | { readonly kind: "has-items" }
  /** A list with as many items, or a text with as many UTF-16 units. */
  | { readonly kind: "has-at-least"; readonly count: number }
  /** The same with just as many. */
  | { readonly kind: "has-exactly"; readonly count: number }
  /** What JavaScript takes for true; an empty list is. */
  | { readonly kind: "truthy" }
  /** What prints nothing: an absent value, an empty text or an empty list. */
  | { readonly kind: "empty" }
  /** The very value; an absent one equals null. */
  | { readonly kind: "equals"; readonly value: string | number | boolean | null }
  /** A number that is so; what is no number never is. */
  | { readonly kind: "compares"; readonly operator: "<" | "<=" | ">" | ">="; readonly value: number }
  /** A list of which an item, or each item, is so; the path begins in the item. */
  | { readonly kind: "some" | "every"; readonly path: string; readonly test: Question };

/** Whether null was passed, where it could have been left out: in filled variables both are null. */
export interface PassedNull {
  readonly kind: "null";
}

/** Whether the item that the section around stands at is one of so many at the list's beginning, or at its end. */
export type Standing =
  | { readonly kind: "among-first"; readonly count: number }
  | { readonly kind: "among-last"; readonly count: number };

/** What is added that is no boolean, because Mustache has no name for it. */
export type Selection =
  /** The item of a list, counted from 0, or from -1 at its end; null where there is none. */
  | { readonly kind: "item"; readonly index: number }
  /** How many items a list has, or UTF-16 units a text; null of anything else. */
  | { readonly kind: "length" }
  /** The very value, under a name that no item of a list has. */
  | { readonly kind: "value" }
  /** A list's items, each in an object under this name, so that there can be conditions on them. */
  | { readonly kind: "items"; readonly as: string };

/**
 * A variable that the compiler needs because Mustache cannot ask the question, added wherever variables are filled:
 * beside the value that it is about, in each of the contexts where its tag stands. A boolean, unless it is a selection.
 * Each may build on those before it.
 */
export interface Condition {
  /** The reserved variable's name, as the tag has it. */
  readonly name: string;
  /** The sections around the tag, outermost first; inverted ones open no context and are left out. */
  readonly within: readonly string[];
  /** The name that is asked about, read where the tag stands. `.` works where the items are objects. */
  readonly path: string;
  readonly test: Question | PassedNull | Standing | Selection;
}

/** What a template's tags need to be filled: its variables' type and what the framework adds to them. */
export interface VariablesContract {
  /** What the application passes. */
  readonly input: VariablesSchema;
  /**
   * The variables that the tags see otherwise than they are passed, as members of one object: what `derive` adds, and
   * what the schema turns into something else. Absent where there are none.
   */
  readonly derived?: VariablesSchema;
  /**
   * The derived variables that tags print without asking whether they are there, such as `total` and `lines[].price`: a
   * message that lacks one has a gap. Absent where there are none.
   */
  readonly printed?: readonly string[];
  readonly conditions: readonly Condition[];
}
