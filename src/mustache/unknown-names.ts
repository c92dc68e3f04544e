import { nearest } from "../text/nearest.js";
import { Shape } from "./shape.js";
import type { Variables, VariablesSchema } from "./variables.js";

/** A name in variables that is not in their schema. */
export interface UnknownName {
  readonly path: readonly [...PropertyKey[], string];
  /** The absent name that was most likely meant. */
  readonly near?: string;
}

/**
 * The names at any depth that are not in a schema and that parsing drops silently. Names that a strict schema refuses by
 * itself are not included.
 *
 * @example
 * unknownNames({ order: { numbr: "7" } }, { type: "object", properties: { order: { properties: { number: {} } } } });
 * // [{ path: ["order", "numbr"], near: "number" }]
 */
export function unknownNames(variables: Variables, schema: VariablesSchema): UnknownName[] {
  const unknownNamesFound: UnknownName[] = [];
  collect(variables, Shape.of(schema), undefined, unknownNamesFound);
  return unknownNamesFound;
}

/** A value on the path to a nested one: an application's values may be circular. The path itself is only built for findings. */
interface Place {
  readonly value: object;
  readonly step: PropertyKey;
  readonly parent: Place | undefined;
}

function collect(value: unknown, shape: Shape, parent: Place | undefined, unknownNamesFound: UnknownName[]): void {
  if (typeof value !== "object" || value === null || !shape.isKnown || isAmong(value, parent)) return;
  if (Array.isArray(value)) {
    for (const [step, item] of value.entries())
      collect(item, shape.items(step), { value, step, parent }, unknownNamesFound);
    return;
  }
  for (const [step, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const known = shape.member(step);
    if (known) collect(member, known, { value, step, parent }, unknownNamesFound);
    else if (!isExempt(shape)) unknownNamesFound.push(unknown(step, value, shape, parent));
  }
}

function isAmong(value: object, place: Place | undefined): boolean {
  for (let at = place; at; at = at.parent) if (at.value === value) return true;
  return false;
}

/** Whether parsing refuses unknown names by itself, or accepts any. */
function isExempt({ kinds }: Shape): boolean {
  return kinds.every(({ properties, additionalProperties }) => !properties || additionalProperties === false);
}

function unknown(name: string, holder: object, shape: Shape, parent: Place | undefined): UnknownName {
  const path: PropertyKey[] = [];
  for (let at = parent; at; at = at.parent) path.unshift(at.step);
  const isAbsent = (other: string): boolean =>
    !Object.hasOwn(holder, other) || Reflect.get(holder, other) === undefined;
  const near = nearest(name, shape.names.filter(isAbsent));
  return { path: [...path, name], ...(near !== undefined && { near }) };
}
