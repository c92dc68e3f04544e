import type { Condition } from "../../../mustache/variables.js";
import { nameOf } from "../runtime/rendering.js";
import type { Path } from "../runtime/symbolic.js";

/** Names for the booleans that a template's sections need: one for each question, readable, the same in every build. */
export class ConditionNames {
  readonly list: Condition[] = [];
  readonly #names = new Map<string, string>();

  nameFor(path: Path, test: Condition["test"]): string {
    const { lists, names } = nameOf(path);
    const within = lists.map((list) => list.join(".") || ".");
    const asked = names.join(".") || ".";
    const key = JSON.stringify([within, asked, test]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#unused(`${names.join("_") || "item"}__${suffixOf(test)}`);
    this.#names.set(key, name);
    this.list.push({ name, within, path: asked, test });
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
