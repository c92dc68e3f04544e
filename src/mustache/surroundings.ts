import { nearest } from "../nearest.js";
import { unanswerable } from "./answerable.js";
import { toPath } from "./lookup.js";
import { Shape } from "./shape.js";
import type { Condition, VariablesContract } from "./variables.js";

/** Why a name stands for nothing. */
export interface Misuse {
  /** One sentence that names it. */
  readonly message: string;
  /** The name that was most likely meant. */
  readonly nearName?: string;
}

/** Where a tag stands: what its names may stand for. */
export class Surroundings {
  /** The sections' items around a tag, the outermost first, the variables as a whole before them. */
  readonly #scopes: readonly [Shape, ...Shape[]];
  /** How many sections are around each of them. */
  readonly #levels: readonly [number, ...number[]];
  /** What conditions add, found wherever what they are about is. */
  readonly #added: ReadonlyMap<string, Condition>;
  /** Whether the section around may be over true, which only some engines enter. */
  readonly #inBoolean: boolean;
  /** What the innermost section that is not over a boolean goes through; the variables as a whole without one. */
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

  /** Where no section is around. */
  static of(contract: VariablesContract): Surroundings {
    const added = new Map(contract.conditions.map((condition) => [condition.name, condition]));
    const variables = Shape.ofFilled(contract);
    return new Surroundings([variables], [0], { added, item: variables });
  }

  /** Inside of a section over a value. */
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
   * How many sections are around the value that a name is found in. Undefined where that depends on what is passed, or
   * where there is no such name.
   */
  levelOf(name: string): number | undefined {
    const index = this.#indexOfHolder(name);
    return this.#scopes[index]?.names.includes(name) ? this.#levels[index] : undefined;
  }

  /** What a name stands for where Mustache would find it: in the section's item, or in what is around it. */
  resolve(name: string): Shape | Misuse {
    const { first, rest } = toPath(name);
    if (first === ".") return this.#inBoolean ? IN_BOOLEAN : (this.#scopes.at(-1) ?? Shape.UNKNOWN);
    const added = this.#added.get(first);
    const holder = this.#scopes[this.#indexOfHolder(first)];
    const found = added ? this.#addedBy(added) : holder && memberOf(holder, first);
    if (found && !(found instanceof Shape)) return found;
    let shape = found;
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
   * Whether it depends on the engine what a dotted name prints here. Where its first part is found but null, the
   * specification prints nothing; mustache.js and others go on to look for the whole name outside of the section.
   */
  isAmbiguous(name: string): boolean {
    const { first, rest } = toPath(name);
    if (rest.length === 0 || this.#added.has(first)) return false;
    const index = this.#indexOfHolder(first);
    const holder = this.#scopes[index];
    if (!holder || !mayMiss(holder, [first, ...rest])) return false;
    return this.#scopes.slice(0, index).some((scope) => mayHave(scope, [first, ...rest]));
  }

  /** The innermost that has a name. */
  #indexOfHolder(name: string): number {
    return this.#scopes.findLastIndex((scope) => memberOf(scope, name));
  }

  /** Where these sections are around: what a tag deeper inside calls so may be another value. */
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
    if (test.kind === "among-first" || test.kind === "among-last") return BOOLEAN; // about where, and of no name
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
  message: 'In a section over true or false, engines disagree on what "." is: write a name.',
};

const BOOLEAN = Shape.of({ type: "boolean" });
const NUMBER = Shape.of({ type: "number" });

function noMember(shape: Shape, path: readonly string[], [part = "", ...rest]: readonly string[]): Misuse {
  const holder = path.join(".");
  if (shape.kinds.every(({ type }) => type === "array")) {
    return { message: `"${holder}" is a list: "${part}" is found only in a section over it.` };
  }
  const near = nearest(part, shape.names);
  return { message: `"${holder}" has no "${part}".`, ...(near && { nearName: [...path, near, ...rest].join(".") }) };
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return shape.isKnown ? shape.member(name) : (shape.member(name) ?? Shape.UNKNOWN);
}

/** Whether the last part may not be there, not even as the null that completing puts. */
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
