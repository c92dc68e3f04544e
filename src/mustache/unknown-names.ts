import { nearest } from "../nearest.js";
import { Shape } from "./shape.js";
import type { Variables, VariablesSchema } from "./variables.js";

/** A name in variables that their schema doesn't have. */
export interface UnknownName {
  readonly path: readonly [...PropertyKey[], string];
  /** One that is absent, and that was most likely meant. */
  readonly near?: string;
}

/**
 * The names at any depth that a schema doesn't have, and that checking by it drops in silence. Those that a strict
 * schema refuses by itself are not among them.
 *
 * @example
 * unknownNames({ order: { numbr: "7" } }, { type: "object", properties: { order: { properties: { number: {} } } } });
 * // [{ path: ["order", "numbr"], near: "number" }]
 */
export function unknownNames(variables: Variables, schema: VariablesSchema): UnknownName[] {
  const found: UnknownName[] = [];
  collect(variables, Shape.of(schema), undefined, found);
  return found;
}

/** A value on the way to another one: an application's may hold themselves. The path is written down where it is needed. */
interface Place {
  readonly value: object;
  readonly step: PropertyKey;
  readonly around: Place | undefined;
}

function collect(value: unknown, shape: Shape, around: Place | undefined, found: UnknownName[]): void {
  if (typeof value !== "object" || value === null || !shape.isKnown || isAmong(value, around)) return;
  if (Array.isArray(value)) {
    for (const [step, item] of value.entries()) collect(item, shape.items(step), { value, step, around }, found);
    return;
  }
  for (const [step, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const known = shape.member(step);
    if (known) collect(member, known, { value, step, around }, found);
    else if (!isSilent(shape)) found.push(unknown(step, value, shape, around));
  }
}

function isAmong(value: object, place: Place | undefined): boolean {
  for (let at = place; at; at = at.around) if (at.value === value) return true;
  return false;
}

/** Whether checking by the schema refuses what it does not name, or takes anything. */
function isSilent({ kinds }: Shape): boolean {
  return kinds.every(({ properties, additionalProperties }) => !properties || additionalProperties === false);
}

function unknown(name: string, holder: object, shape: Shape, around: Place | undefined): UnknownName {
  const path: PropertyKey[] = [];
  for (let at = around; at; at = at.around) path.unshift(at.step);
  const isAbsent = (other: string): boolean =>
    !Object.hasOwn(holder, other) || Reflect.get(holder, other) === undefined;
  const near = nearest(name, shape.names.filter(isAbsent));
  return { path: [...path, name], ...(near !== undefined && { near }) };
}
