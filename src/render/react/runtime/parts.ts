import { liftLists } from "./arrays.js";

/** In a list that is written out, what is to be spread there: a choice that is a list in one case at least. */
export class Part {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** `[a, ...(b ? [c] : [])]`: the choice between lists. `iterate` gives what a value is spread as. */
export function joinParts(items: readonly unknown[], iterate: (value: unknown) => Iterable<unknown>): unknown {
  const values = items.map((item) => (item instanceof Part ? item.value : [item]));
  return liftLists(values, (each) => each.flatMap((value) => (Array.isArray(value) ? value : [...iterate(value)])));
}
