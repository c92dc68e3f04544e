import { addConditions, type PassedObjects } from "./conditions.js";
import { Shape } from "./shape.js";
import type { Variables, VariablesContract } from "./variables.js";

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

function isPlainObject(value: unknown): value is Variables {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Test runners use objects from other realms, which have their own Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
