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
  return namesIn(variables, Shape.of(schema), []);
}

function namesIn(value: unknown, shape: Shape, path: readonly PropertyKey[]): UnknownName[] {
  if (typeof value !== "object" || value === null || !shape.isKnown) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => namesIn(item, shape.items(index), [...path, index]));
  }
  const { names } = shape;
  return Object.entries(value).flatMap(([name, member]): UnknownName[] => {
    const known = shape.member(name);
    if (known) return namesIn(member, known, [...path, name]);
    if (shape.kinds.every(({ properties, additionalProperties }) => !properties || additionalProperties === false)) {
      return [];
    }
    const near = nearest(
      name,
      names.filter((other) => !Object.hasOwn(value, other)),
    );
    return [{ path: [...path, name], ...(near !== undefined && { near }) }];
  });
}
