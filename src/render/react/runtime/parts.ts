import { liftLists } from "./arrays.js";
import { isOnly, maybe, maybeMissing } from "./kinds.js";
import { isSymbolicList, itemsOf } from "./list-calls.js";
import { refuse } from "./refusal.js";
import { represented, standFor, type Symbolic } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

/** Marks what is spread into a list that is assembled: a list variable, or a choice that may be a list. */
export class Part {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** `list.concat(items, another)` */
export function concatLists(list: unknown, args: readonly unknown[]): unknown {
  return liftLists([list, ...args], (each) => {
    const unsure = each.slice(1).find((value) => isUnsure(symbolicOf(value)));
    if (unsure !== undefined)
      return refuse(symbolicOf(unsure), "appends a value that may be a list or missing to a list", { hint: USE_EMPTY });
    const parts = each.map((value) => (Array.isArray(value) || isSymbolicList(value) ? new Part(value) : value));
    return joinParts(parts, () => []);
  });
}

/** `.concat` appends a missing value as an item. */
function isUnsure(symbolic: Symbolic | undefined): boolean {
  return symbolic?.kind === "path" && maybe(symbolic, "list") && (!isOnly(symbolic, "list") || maybeMissing(symbolic));
}

const USE_EMPTY = "Write [...list, ...(others ?? [])], and add a fixture in which it is a list.";

/**
 * `[a, ...(b ? [c] : []), ...items]`: the choice between lists, each of which contains a symbolic list in place of its items,
 * like a list that a loop adds to. `iterate` returns what any other value is spread as.
 */
export function joinParts(items: readonly unknown[], iterate: (value: unknown) => Iterable<unknown>): unknown {
  const values = items.map((item) => (item instanceof Part ? item.value : [item]));
  return liftLists(values, (each) => {
    const list: unknown[] = [];
    const added = new Set<unknown>();
    for (const value of each) {
      const rows = represented(value);
      if (rows?.kind === "rows") for (const part of rows.added) added.add(part);
      const own = Array.isArray(value) ? undefined : itemsOf(value);
      if (own) {
        added.add(own);
        list.push(own);
      } else list.push(...(Array.isArray(value) ? value : iterate(value)));
    }
    if (added.size > 0) standFor(list, { kind: "rows", list, added });
    return list;
  });
}
