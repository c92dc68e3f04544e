import type { Site } from "./symbolic.js";

/** An operation on variables, as data: what has to be computed of them where an email is filled. */
export type Expression =
  | VariableExpression
  /** A value that is known while compiling: what JSON has, undefined, or a regular expression. */
  | { readonly kind: "value"; readonly value: unknown }
  /** A function or class of the language, such as `Math.round`. */
  | { readonly kind: "name"; readonly name: string }
  /** What a function around is given. */
  | { readonly kind: "parameter"; readonly name: string }
  /** A function that an import from a package brought: what is called at this site. */
  | { readonly kind: "imported"; readonly site: Site }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string | number }
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly given: readonly Expression[];
      /** Whether it is `new callee(…)`. */
      readonly isNew?: boolean;
    }
  /** `...of` in a call. */
  | { readonly kind: "spread"; readonly of: Expression }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "if"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "text"; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [name: string, value: Expression])[] }
  | { readonly kind: "function"; readonly parameters: readonly string[]; readonly body: Expression }
  /** `list.map((item) => body)`: in the body, variables of this loop are the item's. */
  | {
      readonly kind: "map";
      readonly method: "map" | "flatMap" | "some" | "every";
      readonly loop: number;
      readonly list: Expression;
      readonly body: Expression;
    }
  /** Which item of a loop's list it is, from 0. */
  | { readonly kind: "position"; readonly loop: ListLoop };

export interface VariableExpression {
  readonly kind: "variable";
  readonly names: readonly string[];
  /** The innermost loop whose item the names begin in. */
  readonly loop?: ListLoop;
  /** Whether it may be null or absent. */
  readonly mayBeMissing: boolean;
  /** Whether what it is a member of may be. */
  readonly isOfOptional?: boolean;
}

/** A list that is gone through. Its names may begin with the key of a computation that gives the list. */
export interface ListLoop {
  readonly id: number;
  readonly list: Pick<VariableExpression, "names" | "loop" | "mayBeMissing" | "isOfOptional">;
  /** Whether the items are no objects, as far as is known: texts or numbers. */
  readonly isOfValues: boolean;
}

/** What comes of an operation, as far as its name tells. */
export type ResultKind = "text" | "number" | "flag" | "list" | "unknown";

/** An operation that Mustache cannot do, whose result a component goes on with. Plain data: it crosses threads. */
export interface Computation {
  /** Stands for the result among the names of variables. */
  readonly key: string;
  readonly expression: Expression;
  readonly result: ResultKind;
  /** Goes on from the source text, as in `order.total * 2` "is arithmetic". */
  readonly problem: string;
  /** Where the component has the result: of what a function of its own gives, where it calls that. */
  readonly site?: Site;
  /** Where the operation itself is, if that is elsewhere. */
  readonly within?: Site;
  /** Whether the operation changes the very list that it is called on, which other code may go on with. */
  readonly changesVariable?: boolean;
}

/** The loops that are around an expression. */
export function loopsIn(expression: Expression): ListLoop[] {
  if (expression.kind === "variable" || expression.kind === "position") return expression.loop ? [expression.loop] : [];
  if (expression.kind !== "map") return partsOf(expression).flatMap(loopsIn);
  const inner = loopsIn(expression.body).filter(({ id }) => id !== expression.loop);
  return [...loopsIn(expression.list), ...inner];
}

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "member":
    case "spread":
    case "unary":
      return [expression.of];
    case "call":
      return [expression.callee, ...expression.given];
    case "binary":
      return [expression.left, expression.right];
    case "if":
      return [expression.test, expression.yes, expression.no];
    case "text":
      return expression.parts.filter((part) => typeof part !== "string");
    case "list":
      return expression.items;
    case "object":
      return expression.members.map(([, value]) => value);
    case "function":
      return [expression.body];
    case "map":
      return [expression.list, expression.body];
    case "variable":
    case "position":
    case "value":
    case "name":
    case "parameter":
    case "imported":
    default:
      return [];
  }
}

/** Whether something is null where a variable is: an operation on what isn't there has no result. */
export function mayBeNothing(expression: Expression): boolean {
  return needed(expression).length > 0;
}

/** The variables that may be missing, and without which there is nothing to compute. */
export function needed(expression: Expression): VariableExpression[] {
  if (expression.kind === "variable") return expression.mayBeMissing ? [expression] : [];
  if (expression.kind === "function") return [];
  if (expression.kind === "map") return needed(expression.list);
  if (expression.kind === "if") {
    // What a condition asks of a variable that is not there is the condition's affair.
    const { test, yes, no } = expression;
    const asked = new Set(variablesIn(test).map(nameOfVariable));
    return [...needed(yes), ...needed(no)].filter((variable) => !asked.has(nameOfVariable(variable)));
  }
  const parts = expression.kind === "binary" && isComparison(expression.operator) ? [] : partsOf(expression);
  return parts.flatMap(needed);
}

function isComparison(operator: string): boolean {
  return /^[!=]==?$/.test(operator);
}

function variablesIn(expression: Expression): VariableExpression[] {
  return expression.kind === "variable" ? [expression] : partsOf(expression).flatMap(variablesIn);
}

function nameOfVariable({ names, loop }: VariableExpression): string {
  return JSON.stringify([loop?.id, names]);
}

/**
 * The innermost of the loops around an expression.
 *
 * @returns undefined without any; "apart" where its variables are items of lists that are not in one another.
 */
export function innermostLoop(expression: Expression): ListLoop | "apart" | undefined {
  const loops = loopsIn(expression);
  const [innermost] = loops.toSorted((a, b) => aroundOf(b).length - aroundOf(a).length);
  const around = new Set(innermost && aroundOf(innermost).map(({ id }) => id));
  return loops.every(({ id }) => around.has(id)) ? innermost : "apart";
}

/** A loop and those around it. */
function aroundOf(loop: ListLoop): ListLoop[] {
  return [loop, ...(loop.list.loop ? aroundOf(loop.list.loop) : [])];
}

/** Whether an expression has parameters of functions that it is not in. */
export function hasFreeParameter(expression: Expression, own: readonly string[] = []): boolean {
  if (expression.kind === "parameter") return !own.includes(expression.name);
  const inner = expression.kind === "function" ? [...own, ...expression.parameters] : own;
  return partsOf(expression).some((part) => hasFreeParameter(part, inner));
}
