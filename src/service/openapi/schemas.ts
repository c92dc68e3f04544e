import { z } from "zod";
import { undocumented } from "../../api/contract/open-enum.js";
import { describeMembers } from "./descriptions.js";

export type Json = Readonly<Record<string, unknown>>;

const jsonSchema = z.looseObject({ $defs: z.record(z.string(), z.unknown()).optional() });

/** The contract's schemas as JSON Schema; one that has a name is written once, and referred to. */
export class Schemas {
  readonly #names = z.registry<{ id: string }>();
  readonly #named = new Map<string, unknown>();

  /** @param named By the names that they get under `#/components/schemas/`. */
  constructor(named: Readonly<Record<string, z.ZodType>>) {
    for (const [id, schema] of Object.entries(named)) this.#names.add(schema, { id });
    for (const schema of Object.values(named)) this.of(schema);
  }

  /** What goes into the schema: what a transform makes of an answer is the client's, and never on the wire. */
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

  /** Those that have a name. */
  get named(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Writes what the service's document lists: that a client also reads other values is not part of it. */
function describeOpen(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  Object.assign(json, z.globalRegistry.get(schema));
  if (!(schema instanceof z.ZodUnion)) return;
  const documented = schema.options.map((option) => !undocumented.has(option));
  if (documented.every(Boolean)) return;
  const kept = json.anyOf?.filter((_, index) => documented[index]) ?? [];
  delete json.anyOf;
  Object.assign(json, kept.length === 1 ? kept[0] : { anyOf: kept });
}

/** A format says what its pattern says, and that a number is one that JavaScript can hold says nothing. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
