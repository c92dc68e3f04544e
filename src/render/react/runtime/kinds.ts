import type { VariablesSchema } from "../../../mustache/variables.js";
import type { Shape } from "../../../mustache/shape.js";
import type { Path } from "./symbolic.js";

export type Kind = "string" | "number" | "boolean" | "list" | "object" | "null";

const KINDS: Readonly<Record<string, Kind>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: "null",
};

/** The possible kinds of a variable if it is present; empty if unknown. */
export function kindsOf({ shape }: Path): ReadonlySet<Kind> {
  return new Set(shape.kinds.flatMap(kindsIn));
}

/** Whether a variable, if present, is known to have one of these kinds. */
export function isOnly(path: Path, ...allowed: readonly Kind[]): boolean {
  const kinds = knownKinds(path);
  return kinds.length > 0 && kinds.every((kind) => allowed.includes(kind));
}

/** Whether its kind is unknown. */
export function isUnknown(path: Path): boolean {
  return knownKinds(path).length === 0;
}

function knownKinds(path: Path): Kind[] {
  return [...kindsOf(path)].filter((kind) => kind !== "null");
}

/** Whether it may have this kind, as far as known. */
export function maybe(path: Path, kind: Kind): boolean {
  const kinds = knownKinds(path);
  return kinds.length === 0 || kinds.includes(kind);
}

/** Whether it may be null or absent. */
export function maybeMissing(path: Path): boolean {
  return path.optional || kindsOf(path).has("null");
}

/** Whether its type is only known from examples. */
export function isExample({ kinds }: Shape): boolean {
  return kinds.length === 0 || kinds.some((kind) => "isExample" in kind);
}

/** The values that a schema allows, if it lists them. */
export function literalsOf({ shape }: Path): readonly unknown[] | undefined {
  if (!shape.isKnown) return undefined;
  const values = shape.kinds.flatMap((kind): readonly unknown[] => {
    if (kind.const !== undefined) return [kind.const];
    return kind.enum ?? (kind.type === "null" ? [null] : [undefined]);
  });
  return values.every((value) => value === null) || values.includes(undefined) ? undefined : values;
}

function kindsIn(schema: VariablesSchema): Kind[] {
  const kind = schema.type === undefined ? undefined : KINDS[schema.type];
  if (kind !== undefined) return [kind];
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (values.length > 0) return values.map((value) => (value === null ? "null" : (KINDS[typeof value] ?? "object")));
  return schema.properties ? ["object"] : [];
}
