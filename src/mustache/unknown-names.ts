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
  return namesIn(variables, Shape.of(schema), { path: [], around: [] });
}

interface Place {
  readonly path: readonly PropertyKey[];
  /** The values that it is in: an application's may hold themselves. */
  readonly around: readonly unknown[];
}

function namesIn(value: unknown, shape: Shape, { path, around }: Place): UnknownName[] {
  if (typeof value !== "object" || value === null || !shape.isKnown || around.includes(value)) return [];
  const within = (step: PropertyKey): Place => ({ path: [...path, step], around: [...around, value] });
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => namesIn(item, shape.items(index), within(index)));
  }
  const { names } = shape;
  const given = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
  return [...given].flatMap(([name, member]): UnknownName[] => {
    const known = shape.member(name);
    if (known) return namesIn(member, known, within(name));
    if (shape.kinds.every(({ properties, additionalProperties }) => !properties || additionalProperties === false)) {
      return [];
    }
    const near = nearest(
      name,
      names.filter((other) => !given.has(other)),
    );
    return [{ path: [...path, name], ...(near !== undefined && { near }) }];
  });
}
