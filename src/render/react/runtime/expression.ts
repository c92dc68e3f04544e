import {
  type ExpressionOf,
  type ObjectMemberOf,
  operandsOf as operandsOfTree,
} from "../../../mustache/expression/expression-of.js";
import { NO_RESULT, type ResultKind } from "../../../mustache/expression/results.js";
import type { HtmlLayout } from "../../../mustache/tokens.js";
import type { Sample } from "./package-samples.js";
import type { AccessPath, Loop, SourceRange } from "./symbolic.js";

/** An operation on variables as data, to be computed when an email is filled. */
export type Expression = ExpressionOf<Leaf>;

export type ObjectMember = ObjectMemberOf<Leaf>;

export type Leaf =
  | VariableExpression
  /** A value known at compile time: JSON, undefined, or a regular expression. */
  | { readonly kind: "value"; readonly value: unknown }
  | PackageExpression
  | MapExpression
  /** The index of an item in a loop's list. */
  | { readonly kind: "position"; readonly loop: ListLoop };

/** `list.map((item) => body)`: in the body, variables of this loop refer to the item. */
interface MapExpression {
  readonly kind: "map";
  readonly method: "map" | "flatMap" | "some" | "every";
  readonly loop: number;
  readonly list: Expression;
  readonly body: Expression;
}

/** A function or an object of a package. */
export interface PackageExpression {
  readonly kind: "package";
  readonly module: string;
  /** `format`, `default`, or with members `default.utc`; `*` for all exports, and empty for an import without names. */
  readonly name: string;
  /** The name of the import in the module, with the same members. */
  readonly local: string;
  /** Whether it is a component: then it is a function of its properties that returns the HTML that React renders. */
  readonly isComponent?: true;
}

export interface VariableExpression {
  readonly kind: "variable";
  readonly names: readonly string[];
  /** The innermost loop whose item the names begin in. */
  readonly loop?: ListLoop;
  readonly mayBeMissing: boolean;
  /** After how many of its names there may be nothing to read the next from. */
  readonly mayEndAfter?: readonly number[];
}

/** An iterated list. Its names may begin with the key of a computation that returns the list. */
export interface ListLoop {
  readonly id: number;
  readonly list: Pick<VariableExpression, "names" | "loop" | "mayBeMissing" | "mayEndAfter">;
  /** Whether the items are known to be primitive: strings, numbers or booleans. */
  readonly isOfValues: boolean;
  /** Whether the items are known to be objects; an item of unknown type may be anything. */
  readonly isOfObjects: boolean;
}

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
  /** If the result is or may be HTML. */
  readonly layout?: HtmlLayout;
  /** Whether a loop computes it item by item, so that no code at its site has the value. */
  readonly isOfLoop?: boolean;
  /** Whether its code also changes something that other code of the component has. */
  readonly hasEffect?: boolean;
}

export function loopsIn(expression: Expression): ListLoop[] {
  if (expression.kind === "variable" || expression.kind === "position") return expression.loop ? [expression.loop] : [];
  if (expression.kind !== "map") return operandsOf(expression).flatMap(loopsIn);
  const inner = loopsIn(expression.body).filter(({ id }) => id !== expression.loop);
  return [...loopsIn(expression.list), ...inner];
}

export function operandsOf(expression: Expression): readonly Expression[] {
  return expression.kind === "map" ? [expression.list, expression.body] : operandsOfTree(expression);
}

/** Whether the result is missing if a variable is: an operation on a missing value has no result. */
export function mayBeNothing(expression: Expression): boolean {
  return missingOperands(expression).length > 0;
}

/** Whether an operation may have no result even if all variables are there. */
export function mayHaveNoResult(expression: Expression): boolean {
  if (expression.kind === "item") return true;
  if (expression.kind === "member") return typeof expression.name === "number";
  if (expression.kind === "if") return mayHaveNoResult(expression.yes) || mayHaveNoResult(expression.no);
  if (expression.kind === "try") return mayHaveNoResult(expression.of) || mayHaveNoResult(expression.otherwise);
  if (expression.kind === "value") return expression.value === undefined || expression.value === null;
  const { callee } = expression.kind === "call" ? expression : { callee: undefined };
  return callee?.kind === "member" && NO_RESULT.test(String(callee.name));
}

/**
 * Whether an operation throws for some values.
 *
 * @param present What is known not to be missing, as JSON.
 */
export function mayThrow(expression: Expression, present: ReadonlySet<string> = new Set()): boolean {
  const may = (part: Expression): boolean => mayThrow(part, present);
  if (expression.kind === "try") return may(expression.otherwise);
  if (expression.kind === "if") {
    const { test, yes, no } = expression;
    const tested = test.kind === "binary" && test.operator === "!=" ? [JSON.stringify(test.left)] : [];
    return may(test) || mayThrow(yes, new Set([...present, ...tested])) || may(no);
  }
  return throwsItself(expression, present) || operandsOf(expression).some(may);
}

/** The same apart from its operands. */
export function throwsItself(expression: Expression, present: ReadonlySet<string> = new Set()): boolean {
  if (expression.kind === "package") return true;
  if (expression.kind === "member" || expression.kind === "item" || expression.kind === "change") {
    const { of } = expression;
    const mayBeMissing = mayBeNothing(of) || mayHaveNoResult(of) || isOfParameter(of);
    const mayEnd = mayBeMissing && !present.has(JSON.stringify(of));
    return mayEnd || (expression.kind === "change" && expression.names.includes("href"));
  }
  if (expression.kind !== "call") return false;
  const { callee, args } = expression;
  if (callee.kind === "name" && THROWS.test(callee.name)) return true;
  if (callee.kind === "name" && callee.name.startsWith("Intl.") && !args.every(isConstant)) return true;
  if (callee.kind !== "member") return false;
  const made = callee.of.kind === "call" ? callee.of.callee : undefined;
  const isOfNumbers = made?.kind === "name" && made.name === "Intl.NumberFormat";
  const name = String(callee.name);
  if (THROWS.test(name) || (name.startsWith("format") && !isOfNumbers)) return true;
  return /^to(?:Locale|Fixed|Precision|Exponential|String)/.test(name) && !args.every(isConstant);
}

/** Whether it is what a function is called with, or a member of that: it doesn't show whether that may be missing. */
function isOfParameter(expression: Expression): boolean {
  return expression.kind === "member" ? isOfParameter(expression.of) : expression.kind === "parameter";
}

const THROWS = /^(?:toISOString|repeat|normalize|select|JSON\.parse|(?:de|en)codeURI(?:Component)?|BigInt|RegExp|URL)$/;

function isConstant(expression: Expression): boolean {
  return expression.kind === "value" || (expression.kind === "object" && operandsOf(expression).every(isConstant));
}

/** The variables that may be missing, and that the computation needs. */
export function missingOperands(expression: Expression): VariableExpression[] {
  if (expression.kind === "variable") return expression.mayBeMissing ? [expression] : [];
  if (expression.kind === "function") return [];
  if (expression.kind === "map") return missingOperands(expression.list);
  if (expression.kind === "try") return missingOperands(expression.otherwise);
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

/** Whether it is a computed value, or a part of one. */
export function isComputed({ names, loop }: AccessPath): boolean {
  return isComputedKey(names[0]) || (loop !== undefined && isComputed(loop.list));
}

/** Whether a variable may be null. Of a computed value that may be missing, it is not known. */
export function mayBeNull(path: AccessPath): boolean {
  const { kinds, isUntyped, optional, names } = path;
  return kinds.has("null") || (isComputed(path) && (isUntyped || (optional && names.length === 1)));
}

const KEY = "__computed";

/** By what they represent, so that a computation has the same key in each rendering of a component. */
const keys = new Map<string, string>();

/** Begins a compilation with the same sequence of keys each time. */
export function resetComputedKeys(): void {
  keys.clear();
}

export class Computations {
  /** All operations in their order, duplicates included, and how many results were assumed for each. */
  readonly log: { readonly computation: Computation; readonly assumed: number }[] = [];
  readonly all = new Map<string, Computation>();
  readonly loops = new Map<number, Loop>();
  /** The values of which results are what React prints, by the keys of these. */
  readonly printed = new Map<string, AccessPath>();
  /** Real results of packages, by the keys of their computations. */
  readonly samples = new Map<string, readonly Sample[]>();
  /** The items of lists, by the keys of placeholders for their indexes. */
  readonly items = new Map<string, { readonly list: string; readonly item: unknown }>();
  /** The classes of objects that functions being recorded may change, by their parameters. */
  readonly classes = new Map<string, string | undefined>();
  /** The nesting depth of functions being recorded. */
  parameters = 0;
  /** Computations whose results were changed afterwards. */
  readonly #changed = new Set<string>();
  #parts = new Set<unknown>();

  get last(): Computation | undefined {
    return this.log.at(-1)?.computation;
  }

  change(key: string): void {
    this.#changed.add(key);
  }

  isChanged(key: string): boolean {
    return this.#changed.has(key);
  }

  /** Notes a part of the value of the operation that is being recorded. */
  collect(part: unknown): void {
    this.#parts.add(part);
  }

  /** Records an operation, and returns the parts of its value, too. */
  collecting<T>(operation: () => T): { readonly result: T; readonly parts: ReadonlySet<unknown> } {
    const around = this.#parts;
    const parts = (this.#parts = new Set());
    try {
      return { result: operation(), parts };
    } finally {
      this.#parts = around;
    }
  }

  add(computation: Omit<Computation, "key">, assumed: number): Computation {
    const content = JSON.stringify([computation.site, computation.expression]);
    const key = keys.get(content) ?? `${KEY}_${keys.size + 1}`;
    keys.set(content, key);
    const whole = this.all.get(key) ?? { key, ...computation };
    this.all.set(key, whole);
    this.#changed.delete(key); // The new result has not been changed.
    this.log.push({ computation: whole, assumed });
    return whole;
  }
}
