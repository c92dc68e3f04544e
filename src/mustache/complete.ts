import { Shape } from "./shape.js";
import type { Condition, PassedNull, Question, Selection, Variables, VariablesContract } from "./variables.js";
import { findContext, isShown, lookUp, type Path, printed, type Context, toPath } from "./lookup.js";
import { isPlainObject, isRecord } from "../values.js";

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
 * - The booleans of the template's conditions are added where the tags look for them.
 *
 * Pass the output of the schema's check, so that defaults are included. Returns a copy; the arguments are not changed.
 */
export function completeVariables(contract: VariablesContract, input: Variables, derived: Variables = {}): Variables {
  const { conditions } = contract;
  const passed: PassedObjects | undefined = conditions.some(({ test }) => test.kind === "null") ? new Map() : undefined;
  const completed = completeMembers({ ...input, ...derived }, Shape.ofFilled(contract), passed);
  addConditions(completed, conditions, passed);
  return completed;
}

function complete(value: unknown, shape: Shape, passed?: PassedObjects): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index += 1)
      items.push(complete(value[index], shape.items(index), passed));
    return items;
  }
  return isPlainObject(value) ? completeMembers(value, shape, passed) : value;
}

function completeMembers(value: Variables, shape: Shape, passed?: PassedObjects): Record<string, unknown> {
  const completed: Record<string, unknown> = { ...shape.blank, ...value };
  for (const name of Object.keys(value))
    completed[name] = complete(value[name], shape.member(name) ?? Shape.UNKNOWN, passed);
  passed?.set(completed, Object.assign(Object.create(null), value));
  return completed;
}

/** The objects as passed, by their completed copies. In the copies, absent members are null. */
type PassedObjects = Map<unknown, Record<string, unknown>>;

/**
 * Adds the values of conditions to variables, which it changes. Each value is added next to the value it depends on, so
 * that a tag finds both in the same scope.
 */
function addConditions(variables: unknown, conditions: readonly Condition[], passed: PassedObjects = new Map()): void {
  for (const condition of conditions) {
    enter({ scope: { value: variables, outer: undefined }, index: 0, count: 1 }, condition.within.map(toPath), {
      ...condition,
      passed,
    });
  }
}

interface Adding extends Condition {
  readonly passed: PassedObjects;
}

/** Whether a condition adds a value other than a boolean. */
export function isSelection(test: Condition["test"]): test is Selection {
  return test.kind === "item" || test.kind === "items" || test.kind === "length" || test.kind === "value";
}

/** The scope of a tag, with the index of the item of the section around it. */
interface Place {
  readonly scope: Context;
  readonly index: number;
  readonly count: number;
}

function enter(place: Place, [section, ...inner]: readonly Path[], condition: Adding): void {
  if (!section) return add(place, condition);
  const value = lookUp(place.scope, section);
  if (!isShown(value)) return;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, item] of items.entries()) {
    enter({ scope: { value: item, outer: place.scope }, index, count: items.length }, inner, condition);
  }
}

function add(place: Place, { name, path, test, passed }: Adding): void {
  const { scope } = place;
  const steps = toPath(path);
  const holder = steps.first === "." ? scope : (findContext(scope, steps.first) ?? outermost(scope));
  if (!isRecord(holder.value)) return;
  const isAbsent = (): boolean => {
    const original = passed.get(holderOf(holder, steps));
    return original !== undefined && original[steps.rest.at(-1) ?? steps.first] === undefined;
  };
  const value = lookUp(scope, steps);
  const result = test.kind === "null" ? value === null && !isAbsent() : valueOf(test, value, place);
  (holder.value as Record<string, unknown>)[name] = result ?? null;
  const original = passed.get(holder.value);
  if (original) original[name] = test.kind === "value" && isAbsent() ? undefined : result;
}

/** The object that contains the last part of a path. */
function holderOf(scope: Context, { first, rest }: Path): unknown {
  return rest.length === 0 ? scope.value : lookUp(scope, { first, rest: rest.slice(0, -1) });
}

function valueOf(test: Exclude<Condition["test"], PassedNull>, value: unknown, { index, count }: Place): unknown {
  if (test.kind === "among-first") return index < test.count;
  if (test.kind === "among-last") return index >= count - test.count;
  if (test.kind === "value") return value;
  if (test.kind === "length") return Array.isArray(value) || typeof value === "string" ? value.length : undefined;
  if (test.kind === "item") return Array.isArray(value) ? (value.at(test.index) as unknown) : undefined;
  if (test.kind === "items")
    return Array.isArray(value) ? value.map((item: unknown) => ({ [test.as]: item })) : undefined;
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
