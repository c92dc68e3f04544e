import type { Loop, SourceRange } from "./symbolic.js";

/** An operation on variables as data, to be computed when an email is filled. */
export type Expression =
  | VariableExpression
  /** A value known at compile time: JSON, undefined, or a regular expression. */
  | { readonly kind: "value"; readonly value: unknown }
  /** A built-in function or class, such as `Math.round`. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "parameter"; readonly name: string }
  /** An imported package function, called at this site. */
  | { readonly kind: "imported"; readonly site: SourceRange }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string | number }
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly Expression[];
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
  /** `list.map((item) => body)`: in the body, variables of this loop refer to the item. */
  | {
      readonly kind: "map";
      readonly method: "map" | "flatMap" | "some" | "every";
      readonly loop: number;
      readonly list: Expression;
      readonly body: Expression;
    }
  /** The index of an item in a loop's list. */
  | { readonly kind: "position"; readonly loop: ListLoop };

export interface VariableExpression {
  readonly kind: "variable";
  readonly names: readonly string[];
  /** The innermost loop whose item the names begin in. */
  readonly loop?: ListLoop;
  readonly mayBeMissing: boolean;
  /** Whether the object that contains it may be. */
  readonly isOfOptional?: boolean;
}

/** An iterated list. Its names may begin with the key of a computation that returns the list. */
export interface ListLoop {
  readonly id: number;
  readonly list: Pick<VariableExpression, "names" | "loop" | "mayBeMissing" | "isOfOptional">;
  /** Whether the items are known to be primitive: strings, numbers or booleans. */
  readonly isOfValues: boolean;
}

/** The type of an operation's result, as far as its name tells. */
export type ResultKind = "text" | "number" | "flag" | "list" | "unknown";

/** An operation that Mustache can't do, and with whose result a component continues. Plain data: it crosses threads. */
export interface Computation {
  /** The name that represents the result among the names of variables. */
  readonly key: string;
  readonly expression: Expression;
  readonly result: ResultKind;
  /** Completes a sentence after the source text, as in `order.total * 2` "is arithmetic". */
  readonly problem: string;
  /** Where the component uses the result; for the result of an own function, the call. */
  readonly site?: SourceRange | undefined;
  /** Where the operation itself is, if elsewhere. */
  readonly within?: SourceRange;
  /** Whether the operation changes its list, which other code may still use. */
  readonly changesVariable?: boolean;
}

export function loopsIn(expression: Expression): ListLoop[] {
  if (expression.kind === "variable" || expression.kind === "position") return expression.loop ? [expression.loop] : [];
  if (expression.kind !== "map") return operandsOf(expression).flatMap(loopsIn);
  const inner = loopsIn(expression.body).filter(({ id }) => id !== expression.loop);
  return [...loopsIn(expression.list), ...inner];
}

export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "member":
    case "spread":
    case "unary":
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

/** Whether the result is missing if a variable is: an operation on a missing value has no result. */
export function mayBeNothing(expression: Expression): boolean {
  return missingOperands(expression).length > 0;
}

/** The variables that may be missing, and that the computation needs. */
export function missingOperands(expression: Expression): VariableExpression[] {
  if (expression.kind === "variable") return expression.mayBeMissing ? [expression] : [];
  if (expression.kind === "function") return [];
  if (expression.kind === "map") return missingOperands(expression.list);
  if (expression.kind === "if") {
    // Variables that a condition tests for presence are handled by the condition.
    const { test, yes, no } = expression;
    const tested = new Set(variablesIn(test).map(nameOfVariable));
    return [...missingOperands(yes), ...missingOperands(no)].filter(
      (variable) => !tested.has(nameOfVariable(variable)),
    );
  }
  const parts = expression.kind === "binary" && isComparison(expression.operator) ? [] : operandsOf(expression);
  return parts.flatMap(missingOperands);
}

function isComparison(operator: string): boolean {
  return /^[!=]==?$/.test(operator);
}

export function variablesIn(expression: Expression): VariableExpression[] {
  return expression.kind === "variable" ? [expression] : operandsOf(expression).flatMap(variablesIn);
}

function nameOfVariable({ names, loop }: VariableExpression): string {
  return JSON.stringify([loop?.id, names]);
}

/** The innermost loop around an expression; "apart" if its variables are items of lists that are not nested in each other. */
export function innermostLoop(expression: Expression): ListLoop | "apart" | undefined {
  const loops = loopsIn(expression);
  const [innermost] = loops.toSorted((a, b) => aroundOf(b).length - aroundOf(a).length);
  const around = new Set(innermost && aroundOf(innermost).map(({ id }) => id));
  return loops.every(({ id }) => around.has(id)) ? innermost : "apart";
}

function aroundOf(loop: ListLoop): ListLoop[] {
  return [loop, ...(loop.list.loop ? aroundOf(loop.list.loop) : [])];
}

/** Whether an expression uses parameters of functions outside it. */
export function hasFreeParameter(expression: Expression, own: readonly string[] = []): boolean {
  if (expression.kind === "parameter") return !own.includes(expression.name);
  const inner = expression.kind === "function" ? [...own, ...expression.parameters] : own;
  return operandsOf(expression).some((part) => hasFreeParameter(part, inner));
}

/** The index in a name that selects an item of a list: -1 for `[-1]`; undefined for other names. */
export function indexIn(name: string | undefined): number | undefined {
  const index = /^\[(-?\d+)\]$/.exec(name ?? "")?.[1];
  return index === undefined ? undefined : Number(index);
}

export function isComputedKey(name: string | undefined): boolean {
  return name?.startsWith(KEY) === true;
}

const KEY = "__computed";

let renderings = 0;

/** Begins a compilation with the same sequence of keys each time. */
export function resetComputedKeys(): void {
  renderings = 0;
}

export class Computations {
  /** The number of operations, duplicates included. */
  count = 0;
  last: Computation | undefined;
  readonly all = new Map<string, Computation>();
  readonly loops = new Map<number, Loop>();
  /** The nesting depth of functions being recorded. */
  parameters = 0;
  readonly #keys = new Map<string, string>();
  readonly #rendering = (renderings += 1);

  /** Computations whose results were changed afterwards. */
  readonly #changed = new Set<string>();

  change(key: string): void {
    this.#changed.add(key);
  }

  isChanged(key: string): boolean {
    return this.#changed.has(key);
  }

  add(computation: Omit<Computation, "key">): Computation {
    const content = JSON.stringify([computation.site, computation.expression]);
    const key = this.#keys.get(content) ?? `${KEY}_${this.#rendering}_${this.#keys.size + 1}`;
    this.#keys.set(content, key);
    const whole = this.all.get(key) ?? { key, ...computation };
    this.all.set(key, whole);
    this.#changed.delete(key); // The new result has not been changed.
    this.count += 1;
    this.last = whole;
    return whole;
  }
}
