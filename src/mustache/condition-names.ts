import type { Condition } from "./variables.js";

/**
 * Names for the booleans that a template's sections need: one for each question, readable, the same in every build.
 *
 * @example
 * const names = new ConditionNames();
 * names.nameFor({ within: [], path: "order.items", test: { kind: "has-items" } }); // "order_items__has_items"
 * names.list; // [{ name: "order_items__has_items", within: [], path: "order.items", test: { kind: "has-items" } }]
 */
export class ConditionNames {
  readonly list: Condition[] = [];
  readonly #names = new Map<string, string>();

  nameFor({ within, path, test }: Omit<Condition, "name">): string {
    const key = JSON.stringify([within, path, test]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#unused(`${path === "." ? "item" : path.replaceAll(".", "_")}__${suffixOf(test)}`);
    this.#names.set(key, name);
    this.list.push({ name, within, path, test });
    return name;
  }

  #unused(name: string): string {
    const taken = new Set(this.#names.values());
    if (!taken.has(name)) return name;
    for (let number = 2; ; number += 1) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
  }
}

const SUFFIXES = { present: "is_present", "has-items": "has_items", truthy: "is_truthy" } as const;

function suffixOf(test: Condition["test"]): string {
  if (test.kind !== "equals") return SUFFIXES[test.kind];
  const value = String(test.value)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  return `is_${value.replace(/^_|_$/g, "") || "empty"}`;
}
