import { findScope, isShown, lookUp, toPath, type Path, type Scope } from "./lookup.js";
import type { Condition } from "./variables.js";

/**
 * Adds the booleans that conditions stand for to variables that are ours to change. Each is put beside the value that
 * it is about, so that a section finds the boolean from exactly where it would find the value.
 */
export function addConditions(variables: unknown, conditions: readonly Condition[]): void {
  for (const condition of conditions) {
    enter({ value: variables, outer: undefined }, condition.within.map(toPath), condition);
  }
}

function enter(scope: Scope, [section, ...inner]: readonly Path[], condition: Condition): void {
  if (!section) return decide(scope, condition);
  const value = lookUp(scope, section);
  if (!isShown(value)) return;
  for (const item of Array.isArray(value) ? value : [value]) enter({ value: item, outer: scope }, inner, condition);
}

function decide(scope: Scope, { name, path, test }: Condition): void {
  const steps = toPath(path);
  const holder = steps.first === "." ? scope : (findScope(scope, steps.first) ?? outermost(scope));
  if (isRecord(holder.value)) holder.value[name] = holds(test, lookUp(scope, steps));
}

function outermost(scope: Scope): Scope {
  return scope.outer ? outermost(scope.outer) : scope;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function holds(test: Condition["test"], value: unknown): boolean {
  if (test.kind === "present") return value !== undefined && value !== null;
  if (test.kind === "has-items") return Array.isArray(value) && value.length > 0;
  if (test.kind === "truthy") return Boolean(value);
  return (value ?? null) === test.value;
}
