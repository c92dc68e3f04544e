import { hasJavaScript, isJavaScript, jsonOf, readJavaScript } from "./javascript-values.js";
import { Shape } from "./shape.js";
import type { Computed, Condition, Question, Selection, Variables, VariablesContract } from "./variables.js";
import type { ComputeContext, Evaluate } from "./expression/expression.js";
import { needsPackages } from "./expression/packages.js";
import { findContext, isShown, lookUp, ownProperty, type Path, printed, type Context, toPath } from "./lookup.js";
import { LettershopError } from "../errors.js";
import { ExpressionError } from "./expression/expression-error.js";
import { isPlainObject, isRecord } from "../values.js";

/**
 * How to compute values, for a contract that has some. Without functions of packages, values that need them stay as they are
 * among the variables.
 */
export interface Computing extends ComputeContext {
  readonly evaluator: (context: ComputeContext) => Evaluate;
}

/**
 * Turns the variables that the application passed into those that the tags need.
 *
 * @example
 * const input = { type: "object", properties: { items: { type: "array", items: { type: "object", properties: { name: {}, note: {} } } } } };
 * const derived = { type: "object", properties: { total: {}, discount: {} } };
 * completeVariables({ input, derived, conditions: [] }, { items: [{ name: "Tea" }] }, { total: "€4" });
 * // { items: [{ name: "Tea", note: null }], total: "€4", discount: null }
 *
 * - Every absent variable becomes an explicit null, also in list items and in derived variables. Otherwise Mustache would
 *   look for the name outside the section, and could show another customer's data.
 * - Derived variables are added; they win over passed variables of the same name.
 * - Computed values and the booleans of the template's conditions are added where the tags look for them. A computed number
 *   is added as text, because engines print numbers differently.
 * - The input may be JSON, or have dates and bigints where the contract declares them. The result is JSON.
 *
 * Pass the output of the schema's check, so that defaults are included. Returns a copy; the arguments are not changed.
 *
 * @param computing Required if the contract has computed values.
 */
export function completeVariables(
  contract: VariablesContract,
  input: Variables,
  derived: Variables = {},
  computing?: Computing,
): Variables {
  const completion = new Completion(contract, computing);
  const variables = readJavaScript({ ...input, ...derived }, contract);
  const completed = completion.object(variables, Shape.ofFilled(contract));
  completion.addConditions(completed);
  return completed;
}

/** Whether a contract can be completed only by computing. */
export function computesValues(contract: Pick<VariablesContract, "conditions" | "former">): boolean {
  return addedBy(contract).some(({ test }) => test.kind === "computed");
}

/** Everything that is added: first what the template needs, then what earlier versions needed. */
export function addedBy({ conditions, former = [] }: Pick<VariablesContract, "conditions" | "former">): Condition[] {
  return [...conditions, ...former];
}

/** Whether a condition adds a value other than a boolean. */
export function isSelection(test: Condition["test"]): test is Selection | Computed {
  return (
    test.kind === "item" ||
    test.kind === "items" ||
    test.kind === "length" ||
    test.kind === "value" ||
    test.kind === "computed"
  );
}

/** The scope of a tag, with the index of the item of the section around it. */
interface Place {
  readonly scope: Context;
  readonly index: number;
  readonly count: number;
  /** The variables and the items of the sections around, as they were passed, with their indexes. */
  readonly scopes: readonly unknown[];
  readonly indexes: readonly number[];
}

/** An object as it was passed or computed, with what was added to its completed copy, before that became printable. */
interface Original {
  readonly value: object;
  readonly added: Map<string, unknown>;
}

class Completion {
  readonly #contract: VariablesContract;
  readonly #computing: Computing | undefined;
  readonly #evaluate: Evaluate | undefined;
  /** By completed copies, in which absent members are null. Undefined if nothing needs them. */
  readonly #originals: Map<object, Original> | undefined;
  /** The shapes of objects that were passed, because computed lists contain them. */
  readonly #shapes = new Map<object, Shape>();
  /** By the names of the sections around. */
  readonly #places = new Map<string, readonly Place[]>();

  constructor(contract: VariablesContract, computing: Computing | undefined) {
    this.#contract = contract;
    this.#computing = computing;
    this.#evaluate = computing?.evaluator(computing);
    const needsOriginals = addedBy(contract).some(({ test }) => test.kind === "null" || test.kind === "computed");
    this.#originals = needsOriginals || hasJavaScript(contract) ? new Map() : undefined;
  }

  object(value: Readonly<Record<string, unknown>>, shape: Shape): Record<string, unknown> {
    // Without a prototype, an object is a hash table in V8. Adding many names to any other object is slow.
    const completed: Record<string, unknown> = Object.assign(Object.create(null), shape.blank);
    for (const name of Object.keys(value))
      completed[name] = this.#value(value[name], shape.member(name) ?? Shape.UNKNOWN);
    this.#originals?.set(completed, { value, added: new Map() });
    if (this.#computing) this.#shapes.set(value, shape);
    return completed;
  }

  #value(value: unknown, shape: Shape): unknown {
    if (value === undefined) return null;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (let index = 0; index < value.length; index += 1) items.push(this.#value(value[index], shape.items(index)));
      return items;
    }
    if (isPlainObject(value)) return this.object(value, shape);
    return isJavaScript(value) ? jsonOf(value) : value;
  }

  /**
   * Adds the values of conditions to variables, which it changes. Each value is added next to the value it depends on, so
   * that a tag finds both in the same scope.
   */
  addConditions(variables: object): void {
    const scope = { value: variables, outer: undefined };
    this.#places.set("", [{ scope, index: 0, count: 1, scopes: [this.#passed(variables)], indexes: [0] }]);
    const { conditions, former = [] } = this.#contract;
    const add = (condition: Condition): void => {
      const steps = toPath(condition.path);
      for (const place of this.#placesIn(condition.within)) this.#add(place, steps, condition);
    };
    conditions.forEach(add);
    for (const condition of former) {
      try {
        add(condition);
      } catch (error) {
        // The variables have changed since then.
        if (!(error instanceof LettershopError)) throw error;
      }
    }
  }

  /** The places of the items of a section within others. */
  #placesIn(sections: readonly string[]): readonly Place[] {
    const key = sections.join("\0");
    const known = this.#places.get(key);
    if (known) return known;
    const section = toPath(sections.at(-1) ?? ".");
    const places = this.#placesIn(sections.slice(0, -1)).flatMap((place) => this.#itemsIn(place, section));
    this.#places.set(key, places);
    return places;
  }

  #itemsIn({ scope: outer, scopes, indexes }: Place, section: Path): Place[] {
    const value = lookUp(outer, section);
    if (!isShown(value)) return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.map((item, index) => ({
      scope: { value: item, outer },
      index,
      count: items.length,
      scopes: [...scopes, this.#passed(item)],
      indexes: [...indexes, index],
    }));
  }

  #add(place: Place, steps: Path, { name, test }: Condition): void {
    const { scope } = place;
    const holder = steps.first === "." ? scope : (findContext(scope, steps.first) ?? outermost(scope));
    const { value: target } = holder;
    if (!isRecord(target)) return;
    const set = (completed: unknown, original: unknown): void => {
      (target as Record<string, unknown>)[name] = completed ?? null;
      const known = this.#originals?.get(target);
      known?.added.set(name, original);
    };
    if (test.kind === "computed") {
      if (!this.#computing?.functions && needsPackages(test.expression))
        return set(ownProperty(holder.value, name), ownProperty(holder.value, name));
      const result = this.#compute(name, test, place);
      return set(this.#printable(result), result);
    }
    const original = this.#originalOf(holder, steps);
    if (test.kind === "value" || test.kind === "item" || test.kind === "items") {
      const value = lookUp(scope, steps);
      if (test.kind === "value") return set(value, original);
      if (test.kind === "item") return set(itemOf(value, test.index), itemOf(original, test.index));
      const wrapped = Array.isArray(value) ? this.#wrapEach(test.as, value, original) : undefined;
      return set(wrapped, wrapped);
    }
    const result = answerOf(test, original, place);
    set(result, result);
  }

  #wrapEach(as: string, items: readonly unknown[], originals: unknown): object[] {
    return items.map((item, index) => {
      const wrapper = { [as]: item };
      const original: unknown = Array.isArray(originals) ? originals[index] : item;
      this.#originals?.set(wrapper, { value: { [as]: original }, added: new Map() });
      return wrapper;
    });
  }

  /** What a name refers to, as it was passed or computed. */
  #originalOf(holder: Context, { first, rest }: Path): unknown {
    const whole = holder.value;
    let value = first === "." ? this.#passed(whole) : this.#member(whole, first);
    for (const part of rest) value = ownProperty(value, part);
    return value;
  }

  #member(holder: unknown, name: string): unknown {
    const original = isRecord(holder) ? this.#originals?.get(holder) : undefined;
    if (!original) return ownProperty(holder, name);
    return original.added.has(name) ? original.added.get(name) : ownProperty(original.value, name);
  }

  #passed(value: unknown): unknown {
    return isRecord(value) ? (this.#originals?.get(value)?.value ?? value) : value;
  }

  #compute(name: string, { expression }: Computed, { scopes, indexes }: Place): unknown {
    if (!this.#evaluate) throw new TypeError("The contract has computed values, but nothing to compute them with.");
    try {
      return this.#evaluate(expression, scopes, indexes);
    } catch (error) {
      // It may be in a part that is not shown, because what it needs is missing.
      if (!(error instanceof ExpressionError)) throw error;
      if (error.code === "throws") return undefined;
      throw new ExpressionError(error.code, `"${name}" can't be computed: ${error.message}`, { cause: error });
    }
  }

  /** A result as tags print it: parts of the variables are completed as the variables are. */
  #printable(value: unknown): unknown {
    if (typeof value === "number") return String(value);
    if (isJavaScript(value)) return jsonOf(value);
    if (value instanceof URL || value instanceof URLSearchParams) return String(value);
    if (Array.isArray(value)) return value.map((item) => this.#printable(item));
    if (!isPlainObject(value)) return value;
    const shape = this.#shapes.get(value);
    if (shape) return this.object(value, shape);
    const completed = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#printable(member) ?? null]),
    );
    this.#originals?.set(completed, { value, added: new Map() });
    return completed;
  }
}

function itemOf(list: unknown, index: number): unknown {
  return Array.isArray(list) ? (list.at(index) as unknown) : undefined;
}

function answerOf(
  test: Exclude<Condition["test"], Computed | Exclude<Selection, { kind: "length" }>>,
  value: unknown,
  { index, count }: Place,
): unknown {
  if (test.kind === "null") return value === null;
  if (test.kind === "among-first") return index < test.count;
  if (test.kind === "among-last") return index >= count - test.count;
  if (test.kind === "length") return Array.isArray(value) || typeof value === "string" ? value.length : undefined;
  return evaluateCondition(test, value);
}

function outermost(scope: Context): Context {
  return scope.outer ? outermost(scope.outer) : scope;
}

export function evaluateCondition(question: Question, value: unknown): boolean {
  switch (question.kind) {
    case "present":
      return value !== undefined && value !== null;
    case "has-items":
      return Array.isArray(value) && value.length > 0;
    case "has-at-least":
      return hasLength(value) && value.length >= question.count;
    case "has-exactly":
      return hasLength(value) && value.length === question.count;
    case "truthy":
      return Boolean(value);
    case "empty":
      return printed(value) === "";
    case "equals":
      return (value ?? null) === question.value;
    case "compares":
      return typeof value === "number" && ORDERS[question.operator](value, question.value);
    case "some":
    case "every":
    default: {
      const fits = (item: unknown): boolean => evaluateCondition(question.test, within(item, question.path));
      return Array.isArray(value) && (question.kind === "some" ? value.some(fits) : value.every(fits));
    }
  }
}

function hasLength(value: unknown): value is readonly unknown[] | string {
  return Array.isArray(value) || typeof value === "string";
}

const ORDERS = {
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;

function within(item: unknown, path: string): unknown {
  return lookUp({ value: item, outer: undefined }, toPath(path));
}
