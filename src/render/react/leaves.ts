import type { Variables } from "../../mustache/variables.js";

/** The names and indexes that lead to a value within variables. */
export type Steps = readonly (string | number)[];

/** A primitive value, or a list as a whole. */
export interface Leaf {
  readonly steps: Steps;
  readonly value: unknown;
}

/** The values within variables: each list as a whole, and then the values in its first item. */
export function leavesOf(value: unknown, steps: Steps = []): Leaf[] {
  if (Array.isArray(value)) {
    return [{ steps, value }, ...(value.length > 0 ? leavesOf(value[0], [...steps, 0]) : [])];
  }
  if (!isRecord(value)) return [{ steps, value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...steps, name]));
}

/** Where two sets of variables differ, with the second's values; undefined if absent. */
export function changedLeaves(before: unknown, after: unknown, steps: Steps = []): Leaf[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => changedLeaves(before[index], item, [...steps, index]));
  }
  if (!isRecord(before) || !isRecord(after)) return [{ steps, value: after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changedLeaves(before[name], after[name], [...steps, name]));
}

/** Variables with one value set, or removed. */
export function withLeaf(variables: Variables, { steps, value }: Leaf): Variables {
  const changed = setAt(variables, steps, value);
  return isRecord(changed) ? changed : variables;
}

function setAt(place: unknown, [step, ...rest]: Steps, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(place)) return place.map((item, index) => (index === step ? setAt(item, rest, value) : item));
  if (!isRecord(place)) return place;
  const { [step]: member, ...others } = place;
  const changed = setAt(member, rest, value);
  if (changed === undefined) return others;
  return member === undefined
    ? { ...place, [step]: changed }
    : Object.fromEntries(Object.entries(place).map(([name, each]) => [name, name === step ? changed : each]));
}

/** `order.items[0].price` */
export function nameOfSteps(steps: Steps): string {
  return steps
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${step}`))
    .join("");
}

export function isRecord(value: unknown): value is Variables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
