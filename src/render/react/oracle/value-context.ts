import { Shape } from "../../../mustache/shape.js";
import type { Variables, VariablesContract, VariablesSchema } from "../../../mustache/variables.js";

/** What a value may be instead. */
export interface ValueContext {
  readonly shape: Shape;
  readonly optional: boolean;
  /** The names and indexes that lead to it. */
  readonly path: string;
}

export function rootContext({ input }: VariablesContract): ValueContext {
  return { shape: Shape.of(input), optional: false, path: "" };
}

export function itemContext({ shape, path }: ValueContext, index: number): ValueContext {
  return { shape: shape.items(), optional: false, path: `${path}[${index}]` };
}

export function memberContext({ shape, path }: ValueContext, name: string): ValueContext {
  const known = shape.kinds.filter(({ properties }) => properties?.[name]);
  return {
    shape: shape.member(name) ?? Shape.UNKNOWN,
    // What has a default is present once the schema has parsed the variables.
    optional: known.some(
      ({ required, properties }) => !required?.includes(name) && properties?.[name]?.default === undefined,
    ),
    path: `${path}.${name}`,
  };
}

/** Whether a string or a number may have any value. */
export function isFree(shape: Shape): boolean {
  return shape.kinds.every((kind) => kind.enum === undefined && kind.const === undefined && kind.format === undefined);
}

export function isWhole({ kinds }: Shape): boolean {
  return kinds.some(({ type }) => type === "integer");
}

export function hasFormat({ kinds }: Shape, format: string): boolean {
  const others = kinds.filter(({ type }) => type !== "null");
  return others.length > 0 && others.every((kind) => kind.format === format);
}

/** Whether a schema allows a value, as far as known. */
export function mayBe({ kinds }: Shape, value: string | number): boolean {
  const types = typeof value === "string" ? ["string"] : ["number", ...(Number.isInteger(value) ? ["integer"] : [])];
  return kinds.some((kind) => {
    if (kind.enum) return kind.enum.includes(value);
    if (kind.const !== undefined) return kind.const === value;
    return kind.type !== undefined && types.includes(kind.type) && kind.format === undefined;
  });
}

/**
 * Whether an object matches one of the kinds in a union: changing only its `type` would turn a cancellation into an upgrade
 * that lacks the members of an upgrade.
 */
export function isOfOneKind(value: Variables, { kinds }: Shape): boolean {
  const objects = kinds.filter(({ properties }) => properties);
  return objects.length < 2 || objects.some((kind) => matches(kind, value));
}

function matches({ properties = {}, required = [] }: VariablesSchema, value: Variables): boolean {
  if (!required.every((name) => value[name] !== undefined)) return false;
  return Object.entries(properties).every(([name, member]) => {
    const actual = value[name];
    if (actual === undefined) return true;
    if (member.const !== undefined) return member.const === actual;
    return !member.enum || member.enum.some((each) => each === actual);
  });
}
