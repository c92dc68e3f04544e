import { z } from "zod";
import { undocumented } from "../../api/contract/open-enum.js";
import { describeMembers } from "./descriptions.js";

export type Json = Readonly<Record<string, unknown>>;

const jsonSchema = z.looseObject({ $defs: z.record(z.string(), z.unknown()).optional() });

/** The contract's schemas as JSON Schema. Named schemas are written once and referenced. */
export class Schemas {
  readonly #names = z.registry<{ id: string }>();
  readonly #named = new Map<string, unknown>();

  /** @param named Schemas by their names under `#/components/schemas/`. */
  constructor(named: Readonly<Record<string, z.ZodType>>) {
    for (const [id, schema] of Object.entries(named)) this.#names.add(schema, { id });
    for (const schema of Object.values(named)) this.of(schema);
  }

  /** The schema of the input: the client's transforms of responses never appear on the wire. */
  of(schema: z.ZodType): Json {
    const written = z.toJSONSchema(schema, {
      io: "input",
      metadata: this.#names,
      override: ({ zodSchema, jsonSchema: json }) => {
        describeOpen(zodSchema, json);
        simplify(json);
      },
      unrepresentable: "any",
    });
    const referring = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...json } = jsonSchema.parse(JSON.parse(referring));
    for (const [id, definition] of Object.entries($defs)) this.#named.set(id, describeMembers(id, definition));
    return json;
  }

  /** The named schemas. */
  get named(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Describes only the values that the service's documents list; clients also accept others. */
function describeOpen(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  Object.assign(json, z.globalRegistry.get(schema));
  if (!(schema instanceof z.ZodUnion)) return;
  const documented = schema.options.map((option) => !undocumented.has(option));
  if (documented.every(Boolean)) return;
  const kept = json.anyOf?.filter((_, index) => documented[index]) ?? [];
  delete json.anyOf;
  Object.assign(json, kept.length === 1 ? kept[0] : { anyOf: kept });
}

/** Removes patterns that repeat a format, and the limits of JavaScript's safe integers. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
