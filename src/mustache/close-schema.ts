import type { Evidence } from "./evidence.js";
import { gatherEvidence, type Sources } from "./infer.js";
import type { VariablesSchema } from "./variables.js";

/**
 * Closes a schema that leaves types open, using bodies, examples and conditions: what the schema declares counts, open
 * types are inferred, and names that only tags have are added.
 *
 * @example
 * const schema = { type: "object", properties: { name: { type: "string" }, tags: {} }, required: ["name"] } as const;
 * closeSchema(schema, { texts: ["{{#tags}}{{.}}{{/tags}} {{year}}"], examples: [{ name: "Ann", tags: ["a"], year: 1 }], conditions: [], ownNames: [] });
 * // { type: "object", required: ["name", "tags", "year"], properties: { name: { type: "string" },
 * //   tags: { type: "array", items: { type: "string" } }, year: { type: "number" } } }
 */
export function closeSchema(schema: VariablesSchema, sources: Omit<Sources, "schema">): VariablesSchema {
  return close(schema, gatherEvidence({ ...sources, schema }));
}

/** Whether a schema declares no type at all. */
export function isOpenSchema(schema: VariablesSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === "description");
}

function close(schema: VariablesSchema, evidence: Evidence): VariablesSchema {
  const { items, anyOf } = schema;
  if (isOpenSchema(schema)) return { ...evidence.toSchema("needed"), ...schema };
  if (anyOf) {
    const known = anyOf.flatMap((kind) => Object.keys(kind.properties ?? {}));
    return {
      ...schema,
      anyOf: anyOf.map((kind) => (kind.type === "object" ? closeObject(kind, evidence, known) : close(kind, evidence))),
    };
  }
  if (schema.type === "object") return closeObject(schema, evidence, []);
  return typeof items === "object" ? { ...schema, items: close(items, evidence.item) } : schema;
}

/** @param known Names of members that it need not have because another type in the same union has them. */
function closeObject(schema: VariablesSchema, evidence: Evidence, known: readonly string[]): VariablesSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  const neededNames = evidence.toObjectSchema("needed").required ?? [];
  const named = Object.entries(properties).flatMap(([name, member]) => {
    const ofMember = evidence.member(name);
    return isOpenSchema(member) && !hasEvidence(ofMember) ? [] : [[name, close(member, ofMember)] as const];
  });
  const added = [...evidence.members].filter(
    ([name, { isNamedInTags }]) => isNamedInTags && !Object.hasOwn(properties, name) && !known.includes(name),
  );
  const others = typeof additionalProperties === "object" ? additionalProperties : {};
  const addedMembers = added.map(([name, ofMember]) => [name, close(others, ofMember)] as const);
  const all = { ...Object.fromEntries(named), ...Object.fromEntries(addedMembers) };
  // The type doesn't say what an open member may be, so it doesn't prove that the member is always there.
  const isRequired = (name: string): boolean => {
    const member = properties[name];
    if (!member) return additionalProperties === undefined && neededNames.includes(name);
    return required.includes(name) && (!isOpenSchema(member) || neededNames.includes(name));
  };
  return { ...schema, properties: all, required: Object.keys(all).filter(isRequired) };
}

/** Whether an example or a tag has it. */
function hasEvidence({ isUsed, isNamedInTags }: Evidence): boolean {
  return isUsed || isNamedInTags;
}
