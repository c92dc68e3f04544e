import { nearest } from "../text/nearest.js";
import { toPath } from "./lookup.js";
import { Shape } from "./shape.js";
import type { Condition, VariablesContract } from "./variables.js";

/** Why a name does not resolve. */
export interface Misuse {
  /** One sentence that contains the name. */
  readonly message: string;
  /** The name that was most likely meant. */
  readonly nearName?: string;
}

/** The scope of a tag: what names may refer to. */
export class Surroundings {
  /** The items of the sections around a tag, outermost first, after the variables as a whole. */
  readonly #scopes: readonly [Shape, ...Shape[]];
  /** The number of sections around each of them. */
  readonly #levels: readonly [number, ...number[]];
  /** The variables that conditions add, found wherever the variable they test is found. */
  readonly #added: ReadonlyMap<string, Condition>;
  /** Whether the section around may be over a boolean, which only some engines enter. */
  readonly #inBoolean: boolean;
  /** The items of the innermost section that is not over a boolean; the variables as a whole if there is none. */
  readonly item: Shape;

  private constructor(
    scopes: readonly [Shape, ...Shape[]],
    levels: readonly [number, ...number[]],
    { added, item, inBoolean = false }: { added: ReadonlyMap<string, Condition>; item: Shape; inBoolean?: boolean },
  ) {
    this.#scopes = scopes;
    this.#levels = levels;
    this.#added = added;
    this.#inBoolean = inBoolean;
    this.item = item;
  }

  /** The outermost scope. */
  static of(contract: VariablesContract): Surroundings {
    const added = new Map(contract.conditions.map((condition) => [condition.name, condition]));
    const variables = Shape.ofFilled(contract);
    return new Surroundings([variables], [0], { added, item: variables });
  }

  /** The scope inside a section over a value. */
  within(value: Shape): Surroundings {
    const isList = value.kinds.some(({ type }) => type === "array");
    const isOther = !value.isKnown || value.kinds.some(({ type }) => type !== "array");
    const entered = [...(isOther ? [value] : []), ...(isList ? [value.items()] : [])];
    const inBoolean = value.kinds.some(({ type }) => type === "boolean");
    const item = inBoolean ? this.item : (entered.at(-1) ?? value);
    const level = Math.max(...this.#levels) + 1;
    const levels = [...this.#levels, ...entered.map(() => level)] as const;
    return new Surroundings([...this.#scopes, ...entered], levels, { added: this.#added, item, inBoolean });
  }

  /**
   * How many sections are around the value that a name resolves to. Undefined if that depends on the variables, or if no
   * such name exists.
   */
  levelOf(name: string): number | undefined {
    const index = this.#indexOfHolder(name);
    return this.#scopes[index]?.names.includes(name) ? this.#levels[index] : undefined;
  }

  /** What a name resolves to in Mustache: a member of the section's item, or of an outer scope. */
  resolve(name: string): Shape | Misuse {
    const { first, rest } = toPath(name);
    if (first === ".") return this.#inBoolean ? IN_BOOLEAN : (this.#scopes.at(-1) ?? Shape.UNKNOWN);
    const added = this.#added.get(first);
    const holder = this.#scopes[this.#indexOfHolder(first)];
    const resolved = added ? this.#addedBy(added) : holder && memberOf(holder, first);
    if (resolved && !(resolved instanceof Shape)) return resolved;
    let shape = resolved;
    if (!shape) {
      const near = nearest(first, [...this.#scopes.flatMap(({ names }) => names), ...this.#added.keys()]);
      return { message: `There is no variable "${first}" here.`, ...(near && { nearName: [near, ...rest].join(".") }) };
    }
    for (const [index, part] of rest.entries()) {
      const member = memberOf(shape, part);
      if (!member) return noMember(shape, [first, ...rest.slice(0, index)], rest.slice(index));
      shape = member;
    }
    return shape;
  }

  /**
   * Whether engines disagree on what a dotted name prints here. If its first part is null, the specification prints nothing;
   * mustache.js and others look up the whole name outside the section.
   */
  isAmbiguous(name: string): boolean {
    const { first, rest } = toPath(name);
    if (rest.length === 0 || this.#added.has(first)) return false;
    const index = this.#indexOfHolder(first);
    const holder = this.#scopes[index];
    if (!holder || !mayMiss(holder, [first, ...rest])) return false;
    return this.#scopes.slice(0, index).some((scope) => mayHave(scope, [first, ...rest]));
  }

  /** The innermost scope that has a name. */
  #indexOfHolder(name: string): number {
    return this.#scopes.findLastIndex((scope) => memberOf(scope, name));
  }

  /** The scope inside these sections: a tag deeper inside may use the same name for another value. */
  #inside(sections: readonly string[]): Surroundings {
    const [variables] = this.#scopes;
    const outermost = new Surroundings([variables], [0], { added: this.#added, item: variables });
    return sections.reduce((outside, section) => {
      const value = outside.resolve(section);
      return outside.within(value instanceof Shape ? value : Shape.UNKNOWN);
    }, outermost);
  }

  #addedBy(condition: Condition): Shape | Misuse {
    const { path, test } = condition;
    if (test.kind === "among-first" || test.kind === "among-last") return BOOLEAN; // About the position, not about a variable.
    const there = this.#inside(condition.within);
    const list = path === "." ? there.item : there.resolve(path);
    if (!(list instanceof Shape)) return list;
    const misuse = unanswerable(condition, list);
    if (misuse) return misuse;
    if (test.kind === "value") return list;
    if (test.kind !== "item" && test.kind !== "items") return test.kind === "length" ? NUMBER : BOOLEAN;
    const item = list.isKnown ? list.items() : Shape.UNKNOWN;
    return test.kind === "item" ? item : Shape.holding(test.as, item);
  }
}

const IN_BOOLEAN: Misuse = {
  message: 'In a section over a boolean, engines disagree on what "." is. Write a name.',
};

const BOOLEAN = Shape.of({ type: "boolean" });
const NUMBER = Shape.of({ type: "number" });

function noMember(shape: Shape, path: readonly string[], [part = "", ...rest]: readonly string[]): Misuse {
  const holder = path.join(".");
  if (shape.kinds.every(({ type }) => type === "array")) {
    return { message: `"${holder}" is a list: "${part}" is only available in a section over it.` };
  }
  const near = nearest(part, shape.names);
  return { message: `"${holder}" has no "${part}".`, ...(near && { nearName: [...path, near, ...rest].join(".") }) };
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return shape.isKnown ? shape.member(name) : (shape.member(name) ?? Shape.UNKNOWN);
}

/** Whether the last part may be missing, even as the null that completing adds. */
function mayMiss(shape: Shape, [part = "", ...rest]: readonly string[]): boolean {
  const member = shape.member(part);
  if (!member || !shape.isKnown) return true;
  if (rest.length === 0) return !shape.names.includes(part);
  return !shape.requires(part) || member.mayLackMembers || mayMiss(member, rest);
}

function mayHave(shape: Shape, path: readonly string[]): boolean {
  const [part, ...rest] = path;
  if (part === undefined || !shape.isKnown) return true;
  const member = shape.member(part);
  return member !== undefined && mayHave(member, rest);
}

/**
 * Why a condition on a value always has the same result; undefined if it can vary.
 *
 * @example
 * unanswerable({ path: "status", test: { kind: "equals", value: "payd" } }, shape)?.message;
 * // '"status" is never "payd": it is "paid" or "due".'
 */
function unanswerable(
  { path, test }: Pick<Condition, "path" | "test">,
  { kinds, isKnown }: Shape,
): { readonly message: string; readonly nearName?: string } | undefined {
  if (!isKnown) return undefined;
  const is = (...types: readonly string[]): boolean =>
    kinds.some(({ type }) => type !== undefined && types.includes(type));
  const typed = kinds.every(({ type }) => type !== undefined);
  if (test.kind === "has-items" && typed && !is("array")) {
    return { message: `"${path}" is not a list, so it never has items. Test with is-present instead.` };
  }
  if (test.kind === "compares" && typed && !is("number", "integer")) {
    return { message: `"${path}" is not a number, so it can't be compared with ${test.value}.` };
  }
  if (test.kind !== "equals" || test.value === null) return undefined;
  const { value } = test;
  const values = kinds.flatMap((kind) => kind.enum ?? (kind.const === undefined ? [] : [kind.const]));
  const isOpen = kinds.some((kind) => !kind.enum && kind.const === undefined && kind.type !== "null");
  if (isOpen || values.includes(value)) return undefined;
  const allowed = values.map((each) => JSON.stringify(each)).join(" or ");
  const near = nearest(String(value), values.map(String));
  return { message: `"${path}" is never ${JSON.stringify(value)}: it is ${allowed}.`, ...(near && { nearName: near }) };
}
