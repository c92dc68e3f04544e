import { isOpenSchema } from "../../../mustache/infer.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { Unreadable } from "./type-module.js";

/** What values a type allows. */
export interface TypeValue {
  /** The alternatives for its value if it is present. */
  readonly kinds: readonly VariablesSchema[];
  readonly absent: boolean;
}

export const ABSENT: TypeValue = { kinds: [], absent: true };
export const NEVER: TypeValue = { kinds: [], absent: false };

export function typeOfKind(kind: VariablesSchema): TypeValue {
  return { kinds: [kind], absent: false };
}

type Literal = string | number | boolean;

export function typeOfLiterals(values: readonly Literal[]): TypeValue {
  return union(values.map((value) => typeOfKind({ type: typeOf(value), const: value })));
}

function typeOf(value: Literal): "string" | "number" | "boolean" {
  if (typeof value === "boolean") return "boolean";
  return typeof value === "number" ? "number" : "string";
}

/** As one schema; `{}` specifies nothing. */
export function schemaOfType({ kinds }: TypeValue): VariablesSchema {
  const [only] = kinds;
  return only && kinds.length === 1 ? { ...only } : { anyOf: kinds };
}

function valueOf(schema: VariablesSchema): TypeValue {
  return { kinds: schema.anyOf ?? [schema], absent: false };
}

export function union(values: readonly TypeValue[]): TypeValue {
  const all = values.flatMap(({ kinds }) => kinds);
  const kinds = [...new Map(all.map((kind) => [JSON.stringify(kind), kind])).values()];
  return { kinds: withLiteralsMerged(kinds), absent: values.some(({ absent }) => absent) };
}

/** `"a" | "b"` is one enum, `true | false` is any boolean, and a literal next to its own type is redundant. */
function withLiteralsMerged(kinds: readonly VariablesSchema[]): VariablesSchema[] {
  const merge: VariablesSchema[] = [];
  for (const kind of kinds) {
    const values = literalsOf(kind);
    if (!values) {
      merge.push(kind);
      continue;
    }
    const { type } = kind;
    if (kinds.some((other) => nameOf(other) === type && !literalsOf(other))) continue;
    const index = merge.findIndex((other) => other.type === type && literalsOf(other));
    const before = merge[index];
    const merged = [...new Set([...(before ? (literalsOf(before) ?? []) : []), ...values])];
    const kindOfAll = literalKind(type, merged);
    if (before) merge[index] = kindOfAll;
    else merge.push(kindOfAll);
  }
  return merge;
}

function literalKind(type: VariablesSchema["type"], values: readonly Literal[]): VariablesSchema {
  const kind = type === undefined ? {} : { type };
  const [only] = values;
  if (only !== undefined && values.length === 1) return { ...kind, const: only };
  return type === "boolean" ? kind : { ...kind, enum: values };
}

/** The values of a kind that consists of literals; undefined for any other. */
function literalsOf({ const: value, enum: values }: VariablesSchema): readonly Literal[] | undefined {
  if (value !== undefined && value !== null) return [value];
  return values?.flatMap((each) => (each === null ? [] : [each]));
}

/** With each literal as a separate kind. */
function withSingleLiterals({ kinds, absent }: TypeValue): TypeValue {
  const single = kinds.flatMap((kind): readonly VariablesSchema[] => {
    if (kind.type === "boolean" && kind.const === undefined)
      return [true, false].map((value) => ({ ...kind, const: value }));
    return kind.enum ? kind.enum.flatMap((value) => (value === null ? [] : typeOfLiterals([value]).kinds)) : [kind];
  });
  return { kinds: single, absent };
}

/** `Exclude<A, B>`; with `keep`, `Extract<A, B>`. */
export function exclude(from: TypeValue, these: TypeValue, keep = false): TypeValue {
  const gone = withSingleLiterals(these).kinds;
  const isGone = (kind: VariablesSchema): boolean =>
    gone.some(
      (other) =>
        JSON.stringify(other) === JSON.stringify(kind) || (nameOf(other) === nameOf(kind) && isBaseType(other)),
    );
  const kinds = withSingleLiterals(from).kinds.filter((kind) => isGone(kind) === keep);
  return union([{ kinds, absent: from.absent && these.absent === keep }]);
}

/** The name of its type in JavaScript. */
function nameOf({ type, "x-javascript": javaScript }: VariablesSchema): string | undefined {
  return javaScript ?? type;
}

/** Whether it is `string` itself, not one of its literals. */
function isBaseType({ type, const: value, enum: values }: VariablesSchema): boolean {
  return value === undefined && !values && ["string", "number", "null"].includes(type ?? "");
}

export function intersect(a: TypeValue, b: TypeValue): TypeValue {
  const pairs = withSingleLiterals(a).kinds.flatMap((one) =>
    withSingleLiterals(b).kinds.map((other) => [one, other] as const),
  );
  const kinds = pairs.flatMap(([one, other]) => intersectKinds(one, other) ?? []);
  return union([{ kinds, absent: a.absent && b.absent }]);
}

function intersectKinds(one: VariablesSchema, other: VariablesSchema): VariablesSchema | undefined {
  const [isObject, isOtherObject] = [one.type === "object", other.type === "object"];
  if (isObject && isOtherObject)
    return mergeObjectTypes(one, other, (a, b) => schemaOfType(intersect(valueOf(a), valueOf(b))));
  // `string & { __brand: "id" }` is a string.
  if (isObject) return other;
  if (isOtherObject) return one;
  if (nameOf(one) !== nameOf(other)) return undefined;
  if (one.const !== undefined && other.const !== undefined) return one.const === other.const ? one : undefined;
  return one.const === undefined ? other : one;
}

/** The members of both; `merge` combines a member that both have. */
export function mergeObjectTypes(
  one: VariablesSchema,
  other: VariablesSchema,
  merge: (one: VariablesSchema, other: VariablesSchema) => VariablesSchema,
): VariablesSchema {
  const [mine, others] = [one.properties ?? {}, other.properties ?? {}];
  const merged = Object.entries(others).map(([name, member]) => {
    const own = Object.hasOwn(mine, name) ? mine[name] : undefined;
    return [name, own && !isOpenSchema(own) && !isOpenSchema(member) ? merge(own, member) : member] as const;
  });
  const additional = other.additionalProperties ?? one.additionalProperties;
  return {
    type: "object",
    properties: { ...mine, ...Object.fromEntries(merged) },
    required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
    ...(additional !== undefined && { additionalProperties: additional }),
  };
}

export function mapObjects(
  { kinds, absent }: TypeValue,
  change: (object: VariablesSchema) => VariablesSchema,
): TypeValue {
  return union([{ kinds: kinds.map((kind) => (kind.type === "object" ? change(kind) : kind)), absent }]);
}

export function withMembers(object: VariablesSchema, isKept: (name: string) => boolean): VariablesSchema {
  const { properties = {}, required = [] } = object;
  return {
    ...object,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    required: required.filter(isKept),
  };
}

/** All alternatives merged into one object: a member that some of them lack is optional. */
export function asOneObject({ kinds }: TypeValue): VariablesSchema {
  const objects = kinds.filter(({ type }) => type === "object");
  const [first, ...others] = objects;
  if (!first || objects.length < kinds.length) throw new Unreadable("it is not an object");
  return others.reduce(
    (all, object) => ({
      ...mergeObjectTypes(all, object, (a, b) => schemaOfType(union([valueOf(a), valueOf(b)]))),
      required: (all.required ?? []).filter((name) => object.required?.includes(name)),
    }),
    first,
  );
}

export function literalNamesIn(value: TypeValue): string[] {
  return value.kinds.flatMap((kind) => {
    const values = literalsOf(kind);
    if (!values) throw new Unreadable("its names are not literals");
    return values.map(String);
  });
}
