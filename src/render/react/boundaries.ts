import { Shape } from "../../mustache/shape.js";
import type { Condition, Variables, VariablesContract } from "../../mustache/variables.js";
import { isRecord } from "./leaves.js";
import { isOfOneKind } from "./unions.js";

/** A place in the variables by which a compiled body decides, with values on both sides of where it does. */
interface Boundary {
  /** Names; lists on the way are gone through. */
  readonly names: readonly string[];
  readonly values: readonly Value[];
}

/** A value, or how long a list or a text is to be. */
type Value = { readonly is: string | number } | { readonly length: number };

interface BoundaryVariation {
  readonly name: string;
  readonly variables: unknown;
  readonly severity: "error";
}

const MOST = 16;

/** Variations of an example that fall on both sides of the literals which the contract's conditions compare with. */
export function boundaryVariations(example: Variables, { input, conditions }: VariablesContract): BoundaryVariation[] {
  const boundaries = together(conditions.flatMap(boundariesOf));
  const rounds = Math.min(MOST, Math.max(0, ...boundaries.map(({ values }) => values.length)));
  return Array.from({ length: rounds }, (_, round) => {
    let variables: unknown = example;
    for (const { names, values } of boundaries) {
      const value = values[round % values.length];
      if (value) variables = put(variables, Shape.of(input), names, value);
    }
    return { name: `with values around those it is compared with (${round + 1})`, variables, severity: "error" };
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

/** One for each place, each value once. */
function together(boundaries: readonly Boundary[]): Boundary[] {
  const byPlace = new Map<string, Boundary>();
  for (const { names, values } of boundaries) {
    const key = names.join(".");
    const known = byPlace.get(key)?.values ?? [];
    const unique = new Map([...known, ...values].map((value) => [JSON.stringify(value), value]));
    byPlace.set(key, { names, values: [...unique.values()] });
  }
  return [...byPlace.values()];
}

function put(target: unknown, shape: Shape, names: readonly string[], value: Value): unknown {
  const [name, ...rest] = names;
  if (name === undefined && "length" in value) return resized(target, value.length);
  if (Array.isArray(target)) return target.map((item) => put(item, shape.items(), names, value));
  if (name === undefined) return "is" in value && mayBe(shape, value.is) ? value.is : target;
  const member = shape.member(name);
  if (!isRecord(target) || !member) return target;
  const changed = put(target[name], member, rest, value);
  const withValue = { ...target, [name]: changed };
  return changed === undefined || !isOfOneKind(withValue, shape) ? target : withValue;
}

function resized(target: unknown, length: number): unknown {
  if (length < 0) return target;
  if (typeof target === "string") return target.padEnd(length, "x").slice(0, length);
  if (!Array.isArray(target) || target.length === 0) return target;
  return Array.from({ length }, (_, index): unknown => target[index] ?? target[0]);
}

/** Whether a schema has nothing against a value, as far as it shows. */
function mayBe({ kinds }: Shape, value: string | number): boolean {
  const types = typeof value === "string" ? ["string"] : ["number", ...(Number.isInteger(value) ? ["integer"] : [])];
  return kinds.some((kind) => {
    if (kind.enum) return kind.enum.includes(value);
    if (kind.const !== undefined) return kind.const === value;
    return kind.type !== undefined && types.includes(kind.type) && kind.format === undefined;
  });
}
