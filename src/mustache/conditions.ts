import { holds } from "./holds.js";
import { findScope, isShown, lookUp, toPath, type Path, type Scope } from "./lookup.js";
import type { Condition, PassedNull, Selection } from "./variables.js";

/** The objects as passed, by their completed copies. In the copies, absent members are null. */
export type PassedObjects = Map<unknown, Record<string, unknown>>;

/**
 * Adds the values of conditions to variables, which it changes. Each value is added next to the value it depends on, so
 * that a tag finds both in the same scope.
 */
export function addConditions(
  variables: unknown,
  conditions: readonly Condition[],
  passed: PassedObjects = new Map(),
): void {
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
  readonly scope: Scope;
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
  const holder = steps.first === "." ? scope : (findScope(scope, steps.first) ?? outermost(scope));
  if (!isRecord(holder.value)) return;
  const isAbsent = (): boolean => {
    const original = passed.get(holderOf(holder, steps));
    return original !== undefined && original[steps.rest.at(-1) ?? steps.first] === undefined;
  };
  const value = lookUp(scope, steps);
  const result = test.kind === "null" ? value === null && !isAbsent() : valueOf(test, value, place);
  holder.value[name] = result ?? null;
  const original = passed.get(holder.value);
  if (original) original[name] = test.kind === "value" && isAbsent() ? undefined : result;
}

/** The object that contains the last part of a path. */
function holderOf(scope: Scope, { first, rest }: Path): unknown {
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
  return holds(test, value);
}

function outermost(scope: Scope): Scope {
  return scope.outer ? outermost(scope.outer) : scope;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
