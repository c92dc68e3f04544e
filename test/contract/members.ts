import { z } from "zod";

/** A member of a schema. Its path leaves out arrays: `aliases.forward`. */
export interface Member {
  readonly path: string;
  readonly default?: unknown;
  /** The largest number, length or number of items. */
  readonly max?: number;
  /** The only allowed values. */
  readonly values: readonly unknown[];
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** Every member on the wire, in any branch of a union. */
export function membersOf(schema: z.ZodType): Member[] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const members = new Map<string, Member>();
  for (const [path, found] of walk(json, "")) {
    const before = members.get(path);
    members.set(path, { ...found, path, values: [...new Set([...(before?.values ?? []), ...found.values])] });
  }
  return [...members.values()];
}

function* walk(schema: JsonSchema, path: string): Generator<readonly [string, Omit<Member, "path">]> {
  for (const form of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* walk(form, path);
  if (schema.items) yield* walk(schema.items, path);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const inner = path === "" ? name : `${path}.${name}`;
    const max = member.maximum ?? member.maxLength ?? member.maxItems;
    const hasMax = max !== undefined && max < Number.MAX_SAFE_INTEGER;
    yield [
      inner,
      {
        ...(member.default !== undefined && { default: member.default }),
        ...(hasMax && { max }),
        values: valuesIn(member),
      },
    ];
    yield* walk(member, inner);
  }
}

function valuesIn(schema: JsonSchema): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const];
  return [...(schema.enum ?? []), ...(schema.items?.enum ?? [])];
}

/** The values at a member's path in a body. */
export function valuesAt(body: unknown, path: string): readonly unknown[] {
  return path
    .split(".")
    .reduce<readonly unknown[]>(
      (outer, name) =>
        outer.flat().flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [])),
      [body],
    );
}

/** The paths of a body's members that are not known. The content of free-form members is ignored. */
export function unknownMembers(body: unknown, known: ReadonlySet<string>, path = ""): string[] {
  if (Array.isArray(body)) return body.flatMap((item) => unknownMembers(item, known, path));
  if (!isObject(body)) return [];
  const isFreeForm = path !== "" && ![...known].some((other) => other.startsWith(`${path}.`));
  if (isFreeForm) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const inner = path === "" ? name : `${path}.${name}`;
    return known.has(inner) ? unknownMembers(value, known, inner) : [inner];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
