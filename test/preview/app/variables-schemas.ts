import * as fc from "fast-check";
import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";

const names = fc.constantFrom("name", "total", "lines", "note", "kind", "__proto__", "a b", "0", "ünï");
const texts = fc.oneof(fc.string(), fc.constantFrom("", "Ada", "https://example.com/a", "ada@example.com", "12 €"));

const leaves: fc.Arbitrary<VariablesSchema> = fc.constantFrom(
  { type: "string" },
  { type: "string", format: "date" },
  { type: "string", format: "email" },
  { type: "number" },
  { type: "integer" },
  { type: "boolean" },
  { type: "string", enum: ["open", "paid"] },
  { const: "card" },
  { enum: [1, "one", null] },
  {},
);

/** Schemas as zod prints them and as inference creates them. */
const parts = fc.letrec<{ part: VariablesSchema; object: VariablesSchema }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaves,
    tie("object"),
    tie("part").map((items): VariablesSchema => ({ type: "array", items })),
    tie("part").map((part): VariablesSchema => ({ anyOf: [part, { type: "null" }] })),
    fc.constant<VariablesSchema>({ anyOf: [{ type: "string" }, { type: "number" }] }),
    fc
      .array(tie("part"), { minLength: 1, maxLength: 3 })
      .map((prefixItems): VariablesSchema => ({ type: "array", prefixItems })),
    tie("part").map((additionalProperties): VariablesSchema => ({ type: "object", additionalProperties })),
    fc.constant<VariablesSchema>({ $ref: "#/$defs/node" }),
  ),
  object: fc
    .dictionary(names, tie("part"), { maxKeys: 4 })
    .chain((properties) =>
      fc
        .subarray(Object.keys(properties))
        .map((required): VariablesSchema => ({ type: "object", properties, required })),
    ),
}));

const node: VariablesSchema = {
  type: "object",
  properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
  required: ["label", "children"],
};

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const nodes = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.record({
    label: texts,
    children: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("node"), { maxLength: 2 })),
  }),
})).node;

function valuesOf(schema: VariablesSchema): fc.Arbitrary<unknown> {
  const { type, format, properties = {}, required = [], additionalProperties, items, prefixItems, anyOf } = schema;
  if (schema.$ref !== undefined) return nodes;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (anyOf) return fc.oneof(...anyOf.map(valuesOf));
  if (prefixItems) return fc.tuple(...prefixItems.map(valuesOf));
  if (typeof items === "object") return fc.array(valuesOf(items), { maxLength: 3 });
  if (typeof additionalProperties === "object")
    return fc.dictionary(fc.string(), valuesOf(additionalProperties), { maxKeys: 3 });
  if (type === "object") {
    const members = Object.entries(properties).map(([name, part]) => {
      const value = valuesOf(part).map((each) => [[name, each] as const]);
      return required.includes(name) ? value : fc.oneof(value, fc.constant([]));
    });
    return fc.tuple(...members).map((all) => Object.fromEntries(all.flat()));
  }
  if (type === "string") {
    if (format === "date") return fc.constantFrom("2026-11-22", "1999-01-01");
    return format === "email" ? fc.constant("ada@example.com") : texts;
  }
  if (type === "integer") return fc.integer();
  if (type === "number") return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  return type === "boolean" ? fc.boolean() : type === "null" ? fc.constant(null) : json;
}

export interface Example {
  readonly schema: VariablesSchema;
  /** A value that fits the schema. */
  readonly variables: Variables;
}

/** Schemas with variables that fit them. */
export const examples: fc.Arbitrary<Example> = parts.object
  .map((schema): VariablesSchema => ({ ...schema, $defs: { node } }))
  .chain((schema) => valuesOf(schema).map((variables) => ({ schema, variables: variables as Variables })));
