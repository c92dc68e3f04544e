import { createHash } from "node:crypto";
import type { Expression } from "./expression/expression.js";
import { operandsOf } from "./expression/expression-of.js";
import type { Computed, Condition } from "./variables.js";

/**
 * Generates variable names for conditions: one for each condition, readable, and the same in every build.
 *
 * @example
 * names.nameFor({ within: [], path: "order.items", test: { kind: "has-items" } }); // "order_items__has_items"
 */
export class ConditionNames {
  readonly list: Condition[] = [];
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  #brief = 0;

  /** @param existing Conditions that already have names. */
  constructor(existing: readonly Condition[] = []) {
    for (const condition of existing) {
      const { name, within, path, test } = condition;
      this.list.push(condition);
      this.#names.set(JSON.stringify([within, path, test]), name);
      this.#taken.add(name);
      if (test.kind === "items") this.#taken.add(test.as);
    }
  }

  /** @param isBrief Whether the name should be as short as possible instead of readable. */
  nameFor({ within, path, test }: Omit<Condition, "name">, isBrief = false): string {
    const key = JSON.stringify([within, path, test, ...(isBrief ? [isBrief] : [])]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = isBrief ? this.#briefName() : this.#unused(nameOf(path, test));
    this.#names.set(key, name);
    this.list.push({ name, within, path, test });
    return name;
  }

  /** A copy of a list whose items are wrapped in objects: its name, and the member that holds each item. */
  itemsOf(within: readonly string[], path: string): { readonly name: string; readonly as: string } {
    const known = this.list.find(
      ({ test, ...other }) => test.kind === "items" && other.path === path && isSame(other.within, within),
    );
    if (known?.test.kind === "items") return { name: known.name, as: known.test.as };
    const as = this.#unused(`${subjectOf(path)}__item`);
    return { name: this.nameFor({ within, path, test: { kind: "items", as } }), as };
  }

  #briefName(): string {
    this.#brief += 1;
    return this.#unused(`__${this.#brief}`);
  }

  #unused(name: string): string {
    let unused = name;
    for (let number = 2; this.#taken.has(unused); number += 1) unused = `${name}_${number}`;
    this.#taken.add(unused);
    return unused;
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function nameOf(path: string, test: Condition["test"]): string {
  if (test.kind !== "computed") return `${subjectOf(path)}__${suffixOf(test)}`;
  const [variable = "value"] = namesIn(test.expression);
  return `${subjectOf(variable)}__${hashOf(test.expression)}`;
}

/** The dotted names of the variables in an expression. */
function namesIn(expression: Expression): string[] {
  const { kind } = expression;
  if (kind === "variable") return expression.names.length > 0 ? [expression.names.join(".")] : [];
  return operandsOf(expression).flatMap(namesIn);
}

/** Another expression has another name, so that an application that computes the former one doesn't fill in a wrong value. */
function hashOf(expression: Expression): string {
  const hash = createHash("sha256").update(JSON.stringify(expression)).digest();
  return hash.readUInt32BE().toString(36).slice(-5);
}

function subjectOf(path: string): string {
  return path === "." ? "item" : path.replaceAll("__", "_").replaceAll(".", "_");
}

function suffixOf(test: Exclude<Condition["test"], Computed>): string {
  switch (test.kind) {
    case "item":
      return { "0": "first", "-1": "last" }[String(test.index)] ?? `item_${wordOf(test.index)}`;
    case "items":
    case "length":
    case "value":
      return test.kind;
    case "has-items":
      return "has_items";
    case "has-at-least":
      return `has_at_least_${test.count}`;
    case "has-exactly":
      return `has_${test.count}`;
    case "equals":
      return `is_${wordOf(test.value)}`;
    case "compares":
      return `${ORDERS[test.operator]}_${wordOf(test.value)}`;
    case "among-first":
    case "among-last": {
      const end = test.kind === "among-first" ? "first" : "last";
      return test.count === 1 ? `is_${end}` : `is_in_${end}_${test.count}`;
    }
    case "some":
    case "every": {
      const subject = test.path === "." ? "" : `${subjectOf(test.path)}_`;
      return `${test.kind === "some" ? "has" : "all"}_${subject}${suffixOf(test.test)}`;
    }
    case "present":
    case "truthy":
    case "null":
    case "empty":
    default:
      return `is_${test.kind}`;
  }
}

const ORDERS = { "<": "is_below", "<=": "is_at_most", ">": "is_above", ">=": "is_at_least" } as const;

/** A value as part of a name: letters and digits. */
function wordOf(value: unknown): string {
  const word = String(value)
    .toLowerCase()
    .replace(/^-(?=\d)/, "minus_")
    .replace(/[^a-z0-9]+/g, "_");
  return word.replace(/^_|_$/g, "") || "empty";
}
