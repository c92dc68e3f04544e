import { nearest } from "../text/nearest.js";
import { addedBy, isSelection } from "./complete.js";
import { toPath } from "./lookup.js";
import { Shape } from "./shape.js";
import type { VariableExpression } from "./expression/expression.js";
import { followReferences } from "./expression/references.js";
import { mayBeNothing, shapeOfExpression } from "./expression/results.js";
import type { Computed, Condition, VariablesContract, VariablesSchema } from "./variables.js";

/** Why a name does not resolve. */
export interface Misuse {
  /** One sentence that contains the name. */
  readonly message: string;
  /** The name that was most likely meant. */
  readonly nearName?: string;
}

/** Explaining takes time, and not every caller asks why. */
type Explain = () => Misuse;

/** What a name refers to. */
export interface ResolvedVariable {
  readonly shape: Shape;
  /** `order.lines[].price`: the same for every tag that refers to it. */
  readonly path: string;
  /** Whether the value may be absent according to the schema. */
  readonly mayBeAbsent: boolean;
}

/** An object around an item that a condition adds, with the name of the member that holds the item. */
interface Wrapper extends ResolvedVariable {
  readonly as?: string;
}

/** What a section has entered: the value that it is over, or an item of that. */
interface Level extends Wrapper {
  /** The number of sections around it. */
  readonly depth: number;
}

interface ScopeOptions {
  readonly derived: VariablesSchema | undefined;
  /** The variables that conditions add, found wherever the variable they test is found. */
  readonly added: ReadonlyMap<string, Condition>;
  readonly unknownHides: boolean;
}

/**
 * The scope of a tag: what names refer to, by the types of the variables. Where the schema leaves types open, anything may
 * exist.
 */
export class Scope {
  /** The variables as a whole, and what the sections around enter, outermost first. */
  readonly levels: readonly [Level, ...Level[]];
  readonly options: ScopeOptions;
  /** The names of the sections around, outermost first. */
  readonly sections: readonly string[];

  private constructor(levels: readonly [Level, ...Level[]], options: ScopeOptions, sections: readonly string[] = []) {
    this.levels = levels;
    this.options = options;
    this.sections = sections;
  }

  /**
   * The outermost scope.
   *
   * @param options.unknownHides Whether a section of unknown type hides all outer variables, since its value may have any
   *   name; otherwise it hides none that are known. Default true.
   */
  static of(contract: VariablesContract, { unknownHides = true } = {}): Scope {
    const added = new Map(
      addedBy(contract)
        .toReversed()
        .map((condition) => [condition.name, condition]),
    );
    const variables = { shape: Shape.ofFilled(contract), path: "", mayBeAbsent: false, depth: 0 };
    return new Scope([variables], { derived: contract.derived, added, unknownHides });
  }

  /** The innermost value that is entered; only some engines enter a boolean. */
  get item(): Level {
    return this.levels.findLast(({ shape }) => !mayBeBoolean(shape)) ?? this.levels[0];
  }

  get outermost(): Scope {
    return new Scope([this.levels[0]], this.options);
  }

  /** The scope inside sections, outermost first. */
  inside(sections: readonly string[]): Scope {
    return sections.reduce<Scope>((scope, section) => scope.within(section), this);
  }

  /** The scope inside a section. If its name does not resolve, anything may be in it. */
  within(name: string): Scope {
    const located = this.#locate(name);
    const found: Wrapper = typeof located === "function" ? { ...UNKNOWN, path: name } : located;
    const { shape, path } = found;
    const isOther = !shape.isKnown || shape.kinds.some(({ type }) => type !== "array");
    const entered = [
      ...(isOther ? [found] : []),
      ...(shape.mayBeList ? [{ shape: shape.items(), path: `${path}[]` }] : []),
    ];
    const sections = [...this.sections, name];
    const levels = entered.map((each) => ({ ...each, mayBeAbsent: false, depth: sections.length }));
    return new Scope([...this.levels, ...levels], this.options, sections);
  }

  /** The type of what a name resolves to in Mustache: a member of the section's item, or of an outer scope. */
  resolve(name: string): Shape | Misuse {
    const located = this.#locate(name);
    return typeof located === "function" ? located() : located.shape;
  }

  /**
   * The variable that a name refers to, or that the condition of this name selects; undefined if there is none.
   *
   * @example
   * Scope.of(contract).within("lines").find("price")?.path; // "lines[].price"
   */
  find(name: string): ResolvedVariable | undefined {
    const { first } = toPath(name);
    if (first === ".") return this.item;
    const condition = this.options.added.get(first);
    if (condition && (!isSelection(condition.test) || condition.test.kind === "length")) return undefined;
    if (condition?.test.kind === "items") return this.outermost.inside(condition.within).find(condition.path);
    const located = this.#locate(name);
    return typeof located === "function" ? undefined : located;
  }

  /** The index of the innermost level that has a name; -1 if none has. */
  levelWith(name: string): number {
    const { unknownHides } = this.options;
    return this.levels.findLastIndex(({ shape }) => (unknownHides ? memberOf(shape, name) : shape.member(name)));
  }

  /**
   * How many sections are around the value that a name resolves to. Undefined if that depends on the variables, or if no
   * such name exists.
   */
  depthOf(name: string): number | undefined {
    const level = this.levels[this.levelWith(name)];
    return level?.shape.names.includes(name) ? level.depth : undefined;
  }

  /**
   * Whether engines disagree on what a dotted name prints here. If its first part is null, the specification prints nothing;
   * mustache.js and others look up the whole name outside the section.
   */
  isAmbiguous(name: string): boolean {
    const { first, rest } = toPath(name);
    if (rest.length === 0 || this.options.added.has(first)) return false;
    const index = this.levelWith(first);
    const holder = this.levels[index]?.shape;
    if (!holder || !mayMiss(holder, [first, ...rest])) return false;
    return this.levels.slice(0, index).some(({ shape }) => mayHave(shape, [first, ...rest]));
  }

  #locate(name: string): Wrapper | Explain {
    const { first, rest } = toPath(name);
    if (first === ".") {
      const isInBoolean = this.levels.some(({ depth, shape }) => depth === this.sections.length && mayBeBoolean(shape));
      return isInBoolean ? () => IN_BOOLEAN : this.item;
    }
    const condition = this.options.added.get(first);
    let located = condition ? this.#locateAdded(condition) : this.#locateFirst(first, rest);
    for (const [index, part] of rest.entries()) {
      if (typeof located === "function") return located;
      const { shape } = located;
      const explain = () => noMember(shape, [first, ...rest.slice(0, index)], rest.slice(index));
      located = memberIn(located, part) ?? explain;
    }
    return located;
  }

  #locateFirst(name: string, rest: readonly string[]): ResolvedVariable | Explain {
    const index = this.levelWith(name);
    const level = this.levels[index];
    const member = level && memberIn(level, name, index === 0 ? this.options.derived : undefined);
    if (member) return member;
    return () => {
      const names = [...this.levels.flatMap((each) => each.shape.names), ...this.options.added.keys()];
      const near = nearest(name, names);
      return { message: `There is no variable "${name}" here.`, ...(near && { nearName: [near, ...rest].join(".") }) };
    };
  }

  /** What a condition adds. It is looked up outside: a tag deeper inside may use the same name for another value. */
  #locateAdded(condition: Condition): Wrapper | Explain {
    const { name, path, test, within } = condition;
    const boolean = { shape: BOOLEAN, path: name, mayBeAbsent: false };
    if (test.kind === "among-first" || test.kind === "among-last") return boolean; // About the position, not about a variable.
    const outside = this.outermost.inside(within);
    if (test.kind === "computed") return this.#locateComputed(name, test, within);
    const tested = path === "." ? outside.item : outside.#locate(path);
    if (typeof tested === "function") return tested;
    const misuse = unanswerable(condition, tested.shape);
    if (misuse) return () => misuse;
    if (test.kind === "value") return tested;
    if (test.kind === "length") return { ...boolean, shape: NUMBER };
    if (test.kind !== "item" && test.kind !== "items") return boolean;
    const items = tested.shape.isKnown ? tested.shape.items() : Shape.UNKNOWN;
    const item = { shape: items, path: `${tested.path}[]`, mayBeAbsent: true };
    return test.kind === "item" ? item : { ...item, shape: Shape.holding({ [test.as]: item.shape }), as: test.as };
  }

  #locateComputed(name: string, { expression }: Computed, within: readonly string[]): ResolvedVariable {
    const variable = (each: VariableExpression): ResolvedVariable => this.#variableIn(each, within);
    const shape = shapeOfExpression(expression, { variable: (each) => variable(each).shape });
    const mayBeAbsent = mayBeNothing(expression, (each) => variable(each).mayBeAbsent);
    const same = followReferences(expression, { variable, member: memberOrUnknown, item: itemOf });
    return { shape, path: same?.path ?? name, mayBeAbsent };
  }

  /** The variable that an expression names. */
  #variableIn({ scope = 0, names }: VariableExpression, within: readonly string[]): ResolvedVariable {
    const { item } = this.outermost.inside(within.slice(0, scope));
    const [first, ...rest] = names;
    if (first === undefined) return item;
    const derived = item === this.levels[0] ? this.options.derived : undefined;
    return rest.reduce<ResolvedVariable>(memberOrUnknown, memberIn(item, first, derived) ?? unknownMember(item, first));
  }

  /** The variables that a condition or a computed value depends on, also through other computed values. */
  dependenciesOf({ within, path, test }: Condition): ResolvedVariable[] {
    const place = this.outermost.inside(within);
    if (test.kind === "among-first" || test.kind === "among-last")
      return this.#dependencies(this.outermost.inside(within.slice(0, -1)).find(within.at(-1) ?? "."));
    if (test.kind !== "computed") {
      const isOnItems = test.kind === "some" || test.kind === "every";
      const inner = isOnItems ? place.within(path).find(test.path) : undefined;
      return [...this.#dependencies(place.find(path)), ...this.#dependencies(inner)];
    }
    const found: ResolvedVariable[] = [];
    const note = (variable: ResolvedVariable): ResolvedVariable => {
      found.push(variable);
      return variable;
    };
    followReferences(test.expression, {
      variable: (variable) => note(this.#variableIn(variable, within)),
      member: (of, name) => note(memberOrUnknown(of, name)),
      item: itemOf,
    });
    return found.flatMap((variable) => this.#dependencies(variable));
  }

  /** The variables without which a computed value is nothing, or `NaN`. */
  requiredBy(condition: Condition): ResolvedVariable[] {
    const { test, within } = condition;
    if (test.kind !== "computed") return [];
    const isNothingWithout = (path?: string): boolean =>
      mayBeNothing(test.expression, (variable) => this.#variableIn(variable, within).path === path);
    return isNothingWithout() ? [] : this.dependenciesOf(condition).filter(({ path }) => isNothingWithout(path));
  }

  #dependencies(variable: ResolvedVariable | undefined): ResolvedVariable[] {
    const [first = ""] = variable?.path.split(/[.[]/) ?? [];
    const condition = this.options.added.get(first);
    if (condition?.test.kind === "computed") return this.dependenciesOf(condition);
    return variable ? [variable] : [];
  }
}

const IN_BOOLEAN: Misuse = {
  message: 'In a section over a boolean, engines disagree on what "." is. Write a name.',
};

const BOOLEAN = Shape.of({ type: "boolean" });
const NUMBER = Shape.of({ type: "number" });
const UNKNOWN = { shape: Shape.UNKNOWN, mayBeAbsent: false };

function noMember(shape: Shape, path: readonly string[], [part = "", ...rest]: readonly string[]): Misuse {
  const holder = path.join(".");
  if (shape.kinds.every(({ type }) => type === "array")) {
    return { message: `"${holder}" is a list: "${part}" is only available in a section over it.` };
  }
  const near = nearest(part, shape.names);
  return { message: `"${holder}" has no "${part}".`, ...(near && { nearName: [...path, near, ...rest].join(".") }) };
}

function mayBeBoolean({ kinds }: Shape): boolean {
  return kinds.some(({ type }) => type === "boolean");
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return shape.member(name) ?? (shape.isKnown ? undefined : Shape.UNKNOWN);
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

/** Why a condition on a value always has the same result; undefined if it can vary. */
function unanswerable({ path, test }: Pick<Condition, "path" | "test">, { kinds, isKnown }: Shape): Misuse | undefined {
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

/** @param derived The derived variables, if the holder is the variables as a whole. */
function memberIn(holder: Wrapper, name: string, derived?: VariablesSchema): ResolvedVariable | undefined {
  const { path, mayBeAbsent } = holder;
  const shape = memberOf(holder.shape, name);
  if (!shape) return undefined;
  if (name === holder.as) return { shape, path, mayBeAbsent };
  return {
    shape,
    path: path === "" ? name : `${path}.${name}`,
    mayBeAbsent: mayBeAbsent || mayLack(holder.shape, name, derived) || isNullable(shape),
  };
}

function memberOrUnknown(holder: ResolvedVariable, name: string): ResolvedVariable {
  return memberIn(holder, name) ?? unknownMember(holder, name);
}

function unknownMember({ path }: ResolvedVariable, name: string): ResolvedVariable {
  return { ...UNKNOWN, path: path === "" ? name : `${path}.${name}` };
}

function itemOf({ shape, path }: ResolvedVariable): ResolvedVariable {
  return { shape: shape.items(), path: `${path}[]`, mayBeAbsent: true };
}

function mayLack(shape: Shape, name: string, derived: VariablesSchema | undefined): boolean {
  if (derived?.properties && Object.hasOwn(derived.properties, name)) return !derived.required?.includes(name);
  // Inside a section over it, null can't occur: null has no members.
  const objects = shape.kinds.filter(({ type }) => type !== "null");
  if (!shape.isKnown || objects.every(({ required }) => required?.includes(name))) return false;
  return !shape.kinds.some(({ properties }) => properties?.[name]?.default !== undefined);
}

export function isNullable({ kinds }: Shape): boolean {
  return kinds.some((kind) => kind.type === "null" || kind.const === null || kind.enum?.includes(null));
}

/**
 * Whether a variable may print nothing: it may be absent, or an empty string or list. A section of unknown type is not
 * expected to hide a known variable.
 */
export function mayBeEmpty(contract: VariablesContract, sections: readonly string[], name: string): boolean {
  const scope = Scope.of(contract, { unknownHides: false }).inside(sections);
  const shape = scope.find(name)?.shape;
  if (!shape?.isKnown || shape.kinds.some(isEmptiable)) return true;
  if (name === ".") return false;
  const { first, rest } = toPath(name);
  let holder = scope.levels.findLast((level) => level.shape.member(first))?.shape;
  for (const part of [first, ...rest]) {
    if (!holder?.requires(part)) return true;
    holder = holder.member(part);
  }
  return false;
}

/** A string with a format, such as a URL, is not empty. */
function isEmptiable({ type, enum: values, const: value, format }: VariablesSchema): boolean {
  const known = values ?? (value === undefined ? undefined : [value]);
  if (known) return known.includes("") || known.includes(null);
  return type === "null" || type === "array" || (type === "string" && format === undefined);
}

/** Whether one of the added sections around has, or may have, a member of this name, which hides the outer one. */
export function mayBeHidden(
  contract: VariablesContract,
  around: readonly { readonly section: string; readonly isAdded: boolean }[],
  name: string,
): boolean {
  const { first } = toPath(name);
  if (first === ".") return true;
  let scope = Scope.of(contract, { unknownHides: false });
  return around.some(({ section, isAdded }) => {
    const outside = scope.levels.length;
    scope = scope.within(section);
    return isAdded && scope.levels.slice(outside).some(({ shape }) => memberOf(shape, first));
  });
}
