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

/**
 * A boolean variable that the compiler needs because Mustache cannot ask the question, added wherever variables are
 * filled: beside the value that it is about, in each of the contexts where its tag stands.
 */
export interface Condition {
  /** The reserved variable's name, as the section tag has it. */
  readonly name: string;
  /** The sections around the tag, outermost first; inverted ones open no context and are left out. */
  readonly within: readonly string[];
  /** The name that is asked about, read where the tag stands. `.` works where the items are objects. */
  readonly path: string;
  /**
   * - `present`: neither absent nor null, as JavaScript's `??` asks.
   * - `has-items`: a list that is not empty.
   * - `truthy`: what JavaScript takes for true; an empty list is.
   * - `equals`: the very value; an absent one equals null.
   */
  readonly test:
    | { readonly kind: "present" }
    | { readonly kind: "has-items" }
    | { readonly kind: "truthy" }
    | { readonly kind: "equals"; readonly value: string | number | boolean | null };
}

/** What a template's tags need to be filled: its variables' type and what the framework adds to them. */
export interface VariablesContract {
  /** What the application passes. */
  readonly input: VariablesSchema;
  /** Names that `derive` adds at the top level. */
  readonly derived: readonly string[];
  readonly conditions: readonly Condition[];
}
