import { Shape } from "../../mustache/shape.js";
import type { Condition, Variables, VariablesContract } from "../../mustache/variables.js";
import { isRecord } from "./leaves.js";
import { isOfOneKind } from "./unions.js";

/** A variable that a compiled body decides by, with values on both sides of each boundary. */
interface Boundary {
  /** Names; lists on the path are iterated. */
  readonly names: readonly string[];
  readonly values: readonly Value[];
}

/** A value, or the length of a list or string. */
type Value = { readonly is: string | number } | { readonly length: number };

interface BoundaryVariation {
  readonly name: string;
  readonly variables: unknown;
  readonly severity: "error";
}

const MOST = 16;

/** Variations of an example with values on both sides of the literals that the contract's conditions compare with. */
export function boundaryVariations(example: Variables, { input, conditions }: VariablesContract): BoundaryVariation[] {
  const boundaries = merged(conditions.flatMap(boundariesOf));
  const rounds = Math.min(MOST, Math.max(0, ...boundaries.map(({ values }) => values.length)));
  return Array.from({ length: rounds }, (_, round) => {
    let variables: unknown = example;
    for (const { names, values } of boundaries) {
      const value = values[round % values.length];
      if (value) variables = withValueAt(variables, Shape.of(input), names, value);
    }
    return { name: `with values around those that it is compared with (${round + 1})`, variables, severity: "error" };
  });
}

function boundariesOf({ within, path, test }: Condition): Boundary[] {
  const names = [...within, path].flatMap(namesOf);
  if (test.kind === "among-first" || test.kind === "among-last") {
    return [{ names: within.flatMap(namesOf), values: [test.count, test.count + 1].map((length) => ({ length })) }];
  }
  return boundariesOfQuestion(names, test);
}

function boundariesOfQuestion(names: readonly string[], test: Condition["test"]): Boundary[] {
  if (test.kind === "some" || test.kind === "every") {
    return boundariesOfQuestion([...names, ...namesOf(test.path)], test.test);
  }
  if (test.kind === "has-at-least") {
    return [{ names, values: [test.count, test.count - 1].map((length) => ({ length })) }];
  }
  if (test.kind === "has-exactly") {
    return [{ names, values: [test.count, test.count - 1, test.count + 1].map((length) => ({ length })) }];
  }
  if (test.kind === "compares") {
    return [{ names, values: [test.value, test.value + 1, test.value - 1].map((is) => ({ is })) }];
  }
  if (test.kind !== "equals") return [];
  const { value } = test;
  if (typeof value === "string") return [{ names, values: [{ is: value }, { is: `${value}x` }] }];
  return typeof value === "number" ? [{ names, values: [{ is: value }, { is: value + 1 }] }] : [];
}

/** `.` is the item itself. */
function namesOf(name: string): string[] {
  return name === "." ? [] : name.split(".");
}

/** Merges boundaries of the same variable, without duplicate values. */
function merged(boundaries: readonly Boundary[]): Boundary[] {
  const byPlace = new Map<string, Boundary>();
  for (const { names, values } of boundaries) {
    const key = names.join(".");
    const known = byPlace.get(key)?.values ?? [];
    const unique = new Map([...known, ...values].map((value) => [JSON.stringify(value), value]));
    byPlace.set(key, { names, values: [...unique.values()] });
  }
  return [...byPlace.values()];
}

function withValueAt(target: unknown, shape: Shape, names: readonly string[], value: Value): unknown {
  const [name, ...rest] = names;
  if (name === undefined && "length" in value) return resized(target, value.length);
  if (Array.isArray(target)) return target.map((item) => withValueAt(item, shape.items(), names, value));
  if (name === undefined) return "is" in value && mayBe(shape, value.is) ? value.is : target;
  const member = shape.member(name);
  if (!isRecord(target) || !member) return target;
  const changed = withValueAt(target[name], member, rest, value);
  const withValue = { ...target, [name]: changed };
  return changed === undefined || !isOfOneKind(withValue, shape) ? target : withValue;
}

function resized(target: unknown, length: number): unknown {
  if (length < 0) return target;
  if (typeof target === "string") return target.padEnd(length, "x").slice(0, length);
  if (!Array.isArray(target) || target.length === 0) return target;
  return Array.from({ length }, (_, index): unknown => target[index] ?? target[0]);
}

/** Whether a schema allows a value, as far as known. */
function mayBe({ kinds }: Shape, value: string | number): boolean {
  const types = typeof value === "string" ? ["string"] : ["number", ...(Number.isInteger(value) ? ["integer"] : [])];
  return kinds.some((kind) => {
    if (kind.enum) return kind.enum.includes(value);
    if (kind.const !== undefined) return kind.const === value;
    return kind.type !== undefined && types.includes(kind.type) && kind.format === undefined;
  });
}
