import type { VariablesSchema } from "../../mustache/variables.js";

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** Resolves a reference, or a union of one schema with null. */
function resolveSchema(schema: VariablesSchema, root: VariablesSchema): VariablesSchema {
  if (schema.$ref === "#") return root;
  const definition = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  if (definition !== undefined) return root.$defs?.[definition] ?? {};
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return only !== undefined && others.length === 0 ? resolveSchema(only, root) : schema;
}

/** The schema at a path; empty if it is ambiguous. */
export function schemaAt(root: VariablesSchema, path: readonly PropertyKey[]): VariablesSchema {
  return path.reduce<VariablesSchema>((schema, key) => {
    const { properties = {}, additionalProperties, prefixItems, items } = resolveSchema(schema, root);
    const inner =
      typeof key === "number"
        ? (prefixItems?.[key] ?? items)
        : Object.hasOwn(properties, key)
          ? properties[String(key)]
          : additionalProperties;
    return typeof inner === "object" ? resolveSchema(inner, root) : {};
  }, root);
}
