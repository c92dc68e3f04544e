import { holds } from "./holds.js";
import { findScope, isShown, lookUp, toPath, type Path, type Scope } from "./lookup.js";
import type { Condition, Selection } from "./variables.js";

/**
 * Adds what conditions stand for to variables that are ours to change. Each is put beside the value that it is about, so
 * that a tag finds it from exactly where it would find the value.
 */
export function addConditions(variables: unknown, conditions: readonly Condition[]): void {
  for (const condition of conditions) {
    enter(
      { scope: { value: variables, outer: undefined }, index: 0, count: 1 },
      condition.within.map(toPath),
      condition,
    );
  }
}

/** Whether what a condition adds is another value than an answer. */
export function isSelection(test: Condition["test"]): test is Selection {
  return test.kind === "item" || test.kind === "items" || test.kind === "length" || test.kind === "value";
}

/** Where a tag stands: as which item of the section around it. */
interface Place {
  readonly scope: Scope;
  readonly index: number;
  readonly count: number;
}

function enter(place: Place, [section, ...inner]: readonly Path[], condition: Condition): void {
  if (!section) return add(place, condition);
  const value = lookUp(place.scope, section);
  if (!isShown(value)) return;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, item] of items.entries()) {
    enter({ scope: { value: item, outer: place.scope }, index, count: items.length }, inner, condition);
  }
}

function add(place: Place, { name, path, test }: Condition): void {
  const { scope } = place;
  const steps = toPath(path);
  const holder = steps.first === "." ? scope : (findScope(scope, steps.first) ?? outermost(scope));
  if (isRecord(holder.value)) holder.value[name] = valueOf(test, lookUp(scope, steps), place);
}

function valueOf(test: Condition["test"], value: unknown, { index, count }: Place): unknown {
  if (test.kind === "among-first") return index < test.count;
  if (test.kind === "among-last") return index >= count - test.count;
  if (test.kind === "value") return value ?? null;
  if (test.kind === "length") return Array.isArray(value) || typeof value === "string" ? value.length : null;
  if (test.kind === "item") return Array.isArray(value) ? (value.at(test.index) ?? null) : null;
  if (test.kind === "items") return Array.isArray(value) ? value.map((item: unknown) => ({ [test.as]: item })) : null;
  return holds(test, value);
}

function outermost(scope: Scope): Scope {
  return scope.outer ? outermost(scope.outer) : scope;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
