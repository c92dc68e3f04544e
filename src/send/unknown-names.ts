import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { nearest } from "../nearest.js";
import type { Report } from "./report.js";
import { isRecord, resolveSchema } from "./schema-walk.js";

/**
 * Reports names that the schema doesn't have; zod drops them in silence. At the top every one: there the application
 * writes the template's own names. Further down, where it often passes records that hold more than the template needs,
 * those that look like a misspelling of one that is absent.
 */
export function checkNames(variables: Variables, root: VariablesSchema, report: Report): void {
  const seen = new Set<unknown>();

  function check(value: unknown, schema: VariablesSchema, path: string): void {
    if (typeof value !== "object" || seen.has(value)) return;
    seen.add(value);
    const { properties, items, additionalProperties } = resolveSchema(schema, root);
    if (Array.isArray(value)) {
      if (typeof items === "object")
        for (const [index, item] of value.entries()) check(item, items, `${path}[${index}]`);
      return;
    }
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      const property = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property !== undefined) check(member, property, `${path}.${name}`);
      else if (typeof additionalProperties === "object") check(member, additionalProperties, `${path}.*`);
      else if (properties !== undefined && additionalProperties === undefined) {
        const near = nearest(
          name,
          Object.keys(properties).filter((known) => value[known] === undefined),
        );
        if (near !== undefined) report(`${path}.${name}`, `is not a variable of the template; did you mean "${near}"?`);
        else if (value === variables) report(`${path}.${name}`, "is not a variable of the template");
      }
    }
  }

  check(variables, root, "variables");
}
