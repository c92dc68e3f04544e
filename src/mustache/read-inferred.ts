import type { Variables, VariablesSchema } from "./variables.js";
import { nearest } from "../text/nearest.js";
import { asJavaScript } from "./javascript-values.js";
import { Shape } from "./shape.js";

/** The result of checking a value, in the form of zod's `safeParse`. */
export type ReadValue =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** zod's issues for each branch of a union, whose paths begin here. */
  readonly errors?: readonly (readonly Issue[])[];
}

/**
 * Checks variables against a schema that was inferred or read from a component's type, as zod would, and drops members
 * that it does not name. If a member may be absent but not null, null counts as absent: to tags they are the same. Strings
 * become dates and bigints where the schema has those, unless it allows strings as well.
 */
export function readInferred(variables: unknown, schema: VariablesSchema): ReadValue {
  const issues: Issue[] = [];
  const data = read(variables, schema, [], issues);
  return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data };
}

function read(value: unknown, schema: VariablesSchema, path: readonly PropertyKey[], issues: Issue[]): unknown {
  const kinds = kindsOf(schema);
  const fitting = kinds.filter((kind) => isOfKind(value, kind)).toSorted((one, other) => rank(one) - rank(other));
  const tries = fitting.map((kind) => {
    const ownIssues: Issue[] = [];
    return { data: readAs(kind, value, path, ownIssues), issues: ownIssues };
  });
  const [best] = tries.toSorted((one, other) => one.issues.length - other.issues.length);
  const expected = [...new Set(kinds.flatMap(expectedOf))].join(" or ");
  issues.push(
    ...(best?.issues ?? [{ path, message: `Invalid input: expected ${expected}, received ${typeOf(value)}` }]),
  );
  return best?.data;
}

/** What is in JSON as in JavaScript comes first. */
function rank({ "x-javascript": javaScript }: VariablesSchema): number {
  return javaScript ? 1 : 0;
}

function readAs(kind: VariablesSchema, value: unknown, path: readonly PropertyKey[], issues: Issue[]): unknown {
  const converted = asJavaScript(value, kind);
  if (converted !== undefined) return converted;
  if (value instanceof Date && kind.type !== undefined) return value.toISOString();
  const { items = {}, properties = {}, required = [], additionalProperties } = kind;
  if (Array.isArray(value) && typeof items === "object")
    return value.map((item, index) => read(item, items, [...path, index], issues));
  if (kind.type !== "object" || typeof value !== "object" || value === null) return value;
  const data: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const member: unknown = Reflect.get(value, name);
    const isAbsent = member === undefined || (member === null && !allowsNull(property));
    if (!isAbsent || required.includes(name)) data[name] = read(member, property, [...path, name], issues);
  }
  if (typeof additionalProperties !== "object") return data;
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined && !Object.hasOwn(properties, name))
      data[name] = read(member, additionalProperties, [...path, name], issues);
  }
  return data;
}

/** Whether null may be passed: a schema without a type allows anything. */
export function allowsNull(schema: VariablesSchema): boolean {
  return kindsOf(schema).some((kind) => isOfKind(null, kind));
}

function kindsOf(schema: VariablesSchema): readonly VariablesSchema[] {
  return schema.anyOf ?? [schema];
}

function isOfKind(value: unknown, kind: VariablesSchema): boolean {
  const { type, format } = kind;
  if (kind["x-javascript"]) return asJavaScript(value, kind) !== undefined;
  if (value instanceof Date) return (type === undefined || format === "date-time") && !Number.isNaN(value.getTime());
  const literals: readonly unknown[] | undefined = literalsOf(kind);
  if (literals) return literals.includes(value);
  return type === undefined || type === typeOf(value) || (type === "integer" && Number.isInteger(value));
}

function expectedOf(kind: VariablesSchema): (string | undefined)[] {
  const javaScript = kind["x-javascript"];
  return literalsOf(kind)?.map((each) => JSON.stringify(each)) ?? [javaScript ? FORMS[javaScript] : kind.type];
}

const FORMS = {
  Date: 'Date or a string such as "2026-03-14T09:30:00Z"',
  bigint: 'bigint or a string such as "1250"',
} as const;

function literalsOf({ const: only, enum: values }: VariablesSchema): VariablesSchema["enum"] {
  return only === undefined ? values : [only];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : "Date";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : typeof value;
}

/** A name in variables that is not in their schema. */
interface UnknownName {
  readonly path: readonly [...PropertyKey[], string];
  /** The absent name that was most likely meant. */
  readonly near?: string;
}

/**
 * The names at any depth that are not in a schema and that parsing drops silently. Names that a strict schema refuses by
 * itself are not included.
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
