import type { Variables, VariablesSchema } from "../../../../mustache/variables.js";
import { blankOf } from "../schema/blank.js";
import { isObject, itemSchema, kindOf, memberSchema, wayOf, waysOf } from "../schema/resolve.js";

export interface Stress {
  /** Of texts whose schema says nothing more of them. */
  readonly text?: (text: string) => string;
  /** How many items lists get: those of the variables, then those within their items. */
  readonly items?: readonly number[] | "none";
  /** Whether what may be absent is. */
  readonly leavesOut?: boolean;
}

/** Variables with each text and each list under stress. */
export function stressed(variables: Variables, root: VariablesSchema, stress: Stress): Variables {
  const changed = new Stressing(root, stress).value(variables, root, 0);
  return isObject(changed) ? changed : variables;
}

class Stressing {
  readonly #root: VariablesSchema;
  readonly #stress: Stress;

  constructor(root: VariablesSchema, stress: Stress) {
    this.#root = root;
    this.#stress = stress;
  }

  /** @param level How many lists it is in. */
  value(value: unknown, part: VariablesSchema, level: number): unknown {
    const schema = wayOf(value, waysOf(part, this.#root), this.#root);
    if (typeof value === "string") return this.#text(value, schema);
    if (Array.isArray(value)) return this.#list(value, schema, level);
    return isObject(value) ? this.#object(value, schema, level) : value;
  }

  #text(value: string, schema: VariablesSchema): string {
    const isFree = ["text", "any"].includes(kindOf(schema)) && schema.format === undefined;
    return isFree ? (this.#stress.text?.(value) ?? value) : value;
  }

  #list(list: readonly unknown[], schema: VariablesSchema, level: number): unknown[] {
    const { items } = this.#stress;
    const isTuple = schema.prefixItems !== undefined;
    if (items === "none" && !isTuple) return [];
    const count = items === "none" || isTuple ? 0 : (items?.[level] ?? 0);
    const isBlank = list.length === 0 && count > 0 && typeof schema.items === "object";
    const given = isBlank ? [blankOf(itemSchema(schema, 0), this.#root)] : list;
    const changed = given.map((item, index) => this.value(item, itemSchema(schema, index), level + 1));
    if (changed.length === 0) return changed;
    const length = Math.max(count, changed.length);
    return Array.from({ length }, (_, index) => structuredClone(changed[index % changed.length]));
  }

  #object(object: Variables, schema: VariablesSchema, level: number): Variables {
    const { properties = {}, required = [], additionalProperties } = schema;
    const isLeftOut = (name: string): boolean =>
      Object.hasOwn(properties, name) ? !required.includes(name) : Boolean(additionalProperties);
    const kept = Object.entries(object).filter(([name]) => !this.#stress.leavesOut || !isLeftOut(name));
    return Object.fromEntries(
      kept.map(([name, member]) => [name, this.value(member, memberSchema(schema, name) ?? {}, level)]),
    );
  }
}
