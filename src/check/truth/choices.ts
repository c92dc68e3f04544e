import type { MustacheNode } from "../../mustache/parse.js";
import { isNullable, Scope, shapeOf } from "../../mustache/scope.js";
import type { Shape } from "../../mustache/shape.js";
import type { Condition, Standing, Variables, VariablesContract } from "../../mustache/variables.js";
import { isObject } from "./example.js";

/** A variable that a part of a template depends on. */
export interface Subject {
  /** `lines[].price` */
  readonly path: string;
  readonly shape: Shape;
  readonly mayBeAbsent: boolean;
  /** What it is compared with. */
  readonly values: Set<unknown>;
  /** How many items it may have that something asks for. */
  readonly lengths: Set<number>;
  /** Whether a section over it is shown where it has a value: then it may have none, as far as nobody says. */
  isTested: boolean;
}

/**
 * The variables that decide what a part comes to: those that its sections test.
 *
 * @example
 * subjectsIn(parse("{{#items has-items}}…{{/items}}{{^vip}}…{{/vip}}").nodes, contract).map(({ path }) => path); // ["items", "vip"]
 */
export function subjectsIn(nodes: readonly MustacheNode[], contract: VariablesContract): Subject[] {
  const subjects = new Subjects(contract);
  subjects.read(nodes, Scope.of(contract));
  // What is in a list comes after the list.
  return [...subjects.found.values()].toSorted((a, b) => a.path.length - b.path.length);
}

class Subjects {
  readonly found = new Map<string, Subject>();
  readonly #contract: VariablesContract;
  readonly #conditions: ReadonlyMap<string, Condition>;

  constructor(contract: VariablesContract) {
    this.#contract = contract;
    this.#conditions = new Map(contract.conditions.map((condition) => [condition.name, condition]));
  }

  read(nodes: readonly MustacheNode[], scope: Scope): void {
    for (const node of nodes) {
      if (node.kind !== "section") continue;
      const condition = this.#conditions.get(node.name);
      if (condition) this.#addCondition(condition);
      else if (node.name !== ".") this.#add(scope, node.name, true);
      this.read(node.children, node.inverted ? scope : scope.within(node.name));
    }
  }

  #add(scope: Scope, name: string, isTested = false): Subject | undefined {
    const found = scope.find(name);
    if (!found) return undefined;
    const { path, shape, mayBeAbsent } = found;
    const known = this.found.get(path);
    const subject = known ?? { path, shape, mayBeAbsent, values: new Set(), lengths: new Set(), isTested };
    subject.isTested ||= isTested;
    this.found.set(path, subject);
    return subject;
  }

  #addCondition({ within, path, test }: Condition): void {
    const outermost = Scope.of(this.#contract);
    const scopeIn = (sections: readonly string[]): Scope =>
      sections.reduce((scope, name) => scope.within(name), outermost);
    if (test.kind === "among-first" || test.kind === "among-last") {
      const list = this.#add(scopeIn(within.slice(0, -1)), within.at(-1) ?? "");
      for (const length of [test.count, test.count + 1]) list?.lengths.add(length);
    } else this.#addTested(scopeIn(within), path, test);
  }

  #addTested(scope: Scope, name: string, test: Exclude<Condition["test"], Standing>): void {
    const subject = this.#add(scope, name, test.kind === "truthy");
    if (!subject) return;
    if (test.kind === "equals") subject.values.add(test.value);
    if (test.kind === "compares") for (const by of [0, 1, -1]) subject.values.add(test.value + by);
    if (test.kind === "item") subject.lengths.add(test.index < 0 ? -test.index : test.index + 1);
    if (test.kind === "has-at-least" || test.kind === "has-exactly")
      for (const by of [0, 1, -1]) subject.lengths.add(test.count + by);
    if (test.kind === "some" || test.kind === "every") this.#addTested(scope.within(name), test.path, test.test);
  }
}

/** What is known of the values that an application passes. */
export interface KnownValues {
  /** Variables in which everything is there. */
  readonly full: Variables;
  readonly examples: readonly Variables[];
  /** Whether nobody wrote a schema. */
  readonly isInferred: boolean;
}

/** The values that a variable may have, the most usual first, the least last. */
export function valuesFor(subject: Subject, { full, examples, isInferred }: KnownValues): unknown[] {
  const { path, shape, mayBeAbsent, values, lengths, isTested } = subject;
  const usual = valueAt(full, path);
  const known = [usual, ...examples.map((example) => valueAt(example, path)), ...values];
  const found: unknown[] = [];
  for (const { type, enum: options, const: only, format } of shape.kinds) {
    if (options) found.push(...options);
    else if (only !== undefined) found.push(only);
    else if (type === "boolean") found.push(true, false);
    else if (type === "number" || type === "integer") {
      found.push(usual || 1, ...values, ...(isTested ? [0] : []));
    } else if (type === "string") {
      const strings = known.filter((value) => typeof value === "string" && value !== "");
      found.push(...(values.size > 0 ? strings : [usual || "text"]));
      if (values.size > 0 && !isInferred) found.push("other");
      // Who asks whether a text is there, and wrote no schema, knows of one that is not.
      if (isTested && isInferred && format === undefined) found.push("");
    } else if (type === "array") {
      const item = valueAt(full, `${path}[]`) ?? {};
      const most = [...lengths].filter((length) => length > 2);
      found.push(...[1, 2, ...most, 0].map((length) => Array.from({ length }, () => item)));
    } else if (type !== "null") found.push(isObject(usual) ? usual : {});
  }
  if (shape.kinds.length === 0) found.push(usual ?? "text", null);
  if (mayBeAbsent || isNullable(shape)) found.push(null);
  return [...new Map(found.map((value) => [JSON.stringify(value), value])).values()];
}

/** Whether it depends on the value of another member which values there may be. */
export function isInUnion({ path }: Subject, contract: VariablesContract): boolean {
  let shape: Shape | undefined = shapeOf(contract);
  return partsOf(path).some((part) => {
    const holder = shape;
    shape = part === "[]" ? holder?.items() : holder?.member(part);
    return (holder?.kinds.filter(({ type, properties }) => type === "object" || properties).length ?? 0) > 1;
  });
}

function partsOf(path: string): string[] {
  return path.replaceAll("[]", ".[]").split(".");
}

function valueAt(variables: Variables, path: string): unknown {
  return partsOf(path).reduce<unknown>((value, part) => {
    if (part === "[]") return Array.isArray(value) ? value[0] : undefined;
    return isObject(value) ? value[part] : undefined;
  }, variables);
}

/**
 * The variables with another value at a path: in all items of the lists that it leads through.
 *
 * @param isNew Whether what is not there on the way is added.
 */
export function withValue(variables: Variables, path: string, value: unknown, isNew = false): Variables {
  const put = (into: unknown, [part, ...rest]: readonly string[]): unknown => {
    if (part === undefined) return value;
    if (part === "[]") {
      const items: unknown = isNew && !(Array.isArray(into) && into.length > 0) ? [{}] : into;
      return Array.isArray(items) ? items.map((item) => put(item, rest)) : items;
    }
    const members = isNew && !isObject(into) ? {} : into;
    return isObject(members) ? { ...members, [part]: put(members[part], rest) } : members;
  };
  const changed = put(variables, partsOf(path));
  return isObject(changed) ? changed : variables;
}

/** Beyond so many, two variables at a time are tried. */
const MOST_COMBINATIONS = 64;

/**
 * Which of its values each variable has, in every combination where there are few: else in each two of them, while all others are
 * at their first, or at their last.
 */
export function combinations(counts: readonly number[]): readonly (readonly number[])[] {
  const choices = counts.map((count) => [...Array(count).keys()]);
  if (counts.reduce((product, count) => product * count, 1) <= MOST_COMBINATIONS)
    return choices.reduce<number[][]>((all, own) => all.flatMap((left) => own.map((one) => [...left, one])), [[]]);
  return [counts.map(() => 0), counts.map((count) => count - 1)].flatMap((base) =>
    choices.flatMap((ofA, a) =>
      choices
        .slice(0, a)
        .flatMap((ofB, b) => ofA.flatMap((one) => ofB.map((other) => base.with(a, one).with(b, other)))),
    ),
  );
}
