import type { MustacheNode } from "../../mustache/parse.js";
import { isNullable, Scope } from "../../mustache/scope.js";
import { Shape } from "../../mustache/shape.js";
import type { Condition, Question, Variables, VariablesContract } from "../../mustache/variables.js";
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

/** Whether a variable that is printed is left out in turn. */
export type LeftOut = (scope: Scope, name: string) => boolean;

/**
 * The variables that decide what a part comes to: what its sections test, and what is left out of what it prints.
 *
 * @example
 * subjectsIn(parse("{{#items has-items}}…{{/items}}{{^vip}}…{{/vip}}").nodes, contract, () => false).map(({ path }) => path); // ["items", "vip"]
 */
export function subjectsIn(nodes: readonly MustacheNode[], contract: VariablesContract, isLeftOut: LeftOut): Subject[] {
  const subjects = new Subjects(contract, isLeftOut);
  subjects.read(nodes, Scope.of(contract));
  // What is in a list comes after the list.
  return [...subjects.found.values()].toSorted((a, b) => a.path.length - b.path.length);
}

class Subjects {
  readonly found = new Map<string, Subject>();
  readonly #contract: VariablesContract;
  readonly #isLeftOut: LeftOut;
  readonly #conditions: ReadonlyMap<string, Condition>;

  constructor(contract: VariablesContract, isLeftOut: LeftOut) {
    this.#contract = contract;
    this.#isLeftOut = isLeftOut;
    this.#conditions = new Map(contract.conditions.map((condition) => [condition.name, condition]));
  }

  read(nodes: readonly MustacheNode[], scope: Scope): void {
    for (const node of nodes) {
      if (node.kind === "variable" && this.#isLeftOut(scope, node.name)) this.#add(scope, node.name);
      if (node.kind !== "section") continue;
      const condition = this.#conditions.get(node.name);
      if (condition) this.#addCondition(condition);
      else if (node.name !== ".") this.#add(scope, node.name, true);
      this.read(node.children, node.inverted ? scope : scope.within(node.name));
    }
  }

  #add(scope: Scope, name: string, isTested = false): Subject | undefined {
    const found = scope.find(name);
    return found && this.#subject({ ...found, isTested });
  }

  #subject({ path, shape, mayBeAbsent, isTested }: Pick<Subject, "path" | "shape" | "mayBeAbsent" | "isTested">) {
    const subject = this.found.get(path) ?? {
      path,
      shape,
      mayBeAbsent,
      values: new Set(),
      lengths: new Set(),
      isTested: false,
    };
    subject.isTested ||= isTested;
    this.found.set(path, subject);
    return subject;
  }

  #addCondition({ within, path, test }: Condition): void {
    const scopes = [Scope.of(this.#contract)];
    for (const name of within) scopes.push((scopes.at(-1) ?? Scope.of(this.#contract)).within(name));
    if (test.kind === "among-first" || test.kind === "among-last") {
      const list = this.#add(scopes.at(-2) ?? Scope.of(this.#contract), within.at(-1) ?? "");
      for (const length of [test.count, test.count + 1]) list?.lengths.add(length);
      return;
    }
    const subject = this.#add(scopes.at(-1) ?? Scope.of(this.#contract), path, test.kind === "truthy");
    if (subject && test.kind === "item") subject.lengths.add(test.index < 0 ? -test.index : test.index + 1);
    else if (subject && "kind" in test) this.#compare(subject, test as Question);
  }

  #compare(subject: Subject, test: Question): void {
    if (test.kind === "equals") subject.values.add(test.value);
    if (test.kind === "compares") for (const by of [0, 1, -1]) subject.values.add(test.value + by);
    if (test.kind === "has-at-least" || test.kind === "has-exactly")
      for (const by of [0, 1, -1]) subject.lengths.add(test.count + by);
    if (test.kind !== "some" && test.kind !== "every") return;
    const item = subject.shape.items();
    const shape =
      test.path === "." ? item : test.path.split(".").reduce<Shape | undefined>((of, name) => of?.member(name), item);
    const path = test.path === "." ? `${subject.path}[]` : `${subject.path}[].${test.path}`;
    this.#compare(
      this.#subject({ path, shape: shape ?? Shape.UNKNOWN, mayBeAbsent: false, isTested: false }),
      test.test,
    );
  }
}

/** What prints something where it is there. */
export function isOptionalString(found: Pick<Subject, "shape" | "mayBeAbsent"> | undefined): boolean {
  const kinds = found?.shape.kinds ?? [];
  return (
    found?.mayBeAbsent === true && kinds.length > 0 && kinds.every(({ type }) => type === "string" || type === "null")
  );
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
    } else if (type === "object") found.push(isObject(usual) ? usual : {});
  }
  if (found.length === 0) found.push(usual ?? "text", null);
  if (mayBeAbsent || isNullable(shape)) found.push(null);
  return [...new Map(found.map((value) => [JSON.stringify(value), value])).values()];
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

/** The variables with another value at a path: in all items of the lists that it leads through. */
export function withValue(variables: Variables, path: string, value: unknown): Variables {
  const put = (into: unknown, [part, ...rest]: readonly string[]): unknown => {
    if (part === undefined) return value;
    if (part === "[]") return Array.isArray(into) ? into.map((item) => put(item, rest)) : into;
    return isObject(into) ? { ...into, [part]: put(into[part], rest) } : into;
  };
  const changed = put(variables, partsOf(path));
  return isObject(changed) ? changed : variables;
}

/** Variables for a message, with a value at a path: a list on the way has one item. */
export function nested(variables: Variables, path: string, value: unknown): Variables {
  const put = (into: unknown, [part, ...rest]: readonly string[]): unknown => {
    if (part === undefined) return Array.isArray(value) ? value.map(() => ({})) : value;
    if (part === "[]") return (Array.isArray(into) && into.length > 0 ? into : [{}]).map((item) => put(item, rest));
    const members = isObject(into) ? into : {};
    return { ...members, [part]: put(members[part], rest) };
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
export function* combinations(counts: readonly number[]): Generator<readonly number[]> {
  if (counts.reduce((product, count) => product * count, 1) <= MOST_COMBINATIONS) yield* every(counts);
  else for (const base of [counts.map(() => 0), counts.map((count) => count - 1)]) yield* pairs(counts, base);
}

function* every([count, ...others]: readonly number[]): Generator<number[]> {
  if (count === undefined) return yield [];
  for (let index = 0; index < count; index += 1) for (const left of every(others)) yield [index, ...left];
}

function* pairs(counts: readonly number[], base: readonly number[]): Generator<readonly number[]> {
  for (const [a, countOfA] of counts.entries())
    for (const b of counts.keys())
      for (let x = 0; b > a && x < countOfA; x += 1)
        for (let y = 0; y < (counts[b] ?? 0); y += 1) yield base.with(a, x).with(b, y);
}
