import type { MustacheNode } from "../../mustache/parse.js";
import { isNullable, type ResolvedVariable, Scope } from "../../mustache/scope.js";
import { Shape } from "../../mustache/shape.js";
import type { Computed, Condition, PositionTest, Variables, VariablesContract } from "../../mustache/variables.js";
import type { CompiledTemplate } from "../../project/template.js";
import { isRecord } from "../../values.js";

/** A variable whose value decides what a part of a template shows. */
export interface Subject {
  /** `lines[].price` */
  readonly path: string;
  readonly shape: Shape;
  readonly mayBeAbsent: boolean;
  /** The values that conditions compare it with. */
  readonly values: Set<unknown>;
  /** The lengths that conditions compare its length with. */
  readonly lengths: Set<number>;
  /** Whether a section tests that it is truthy, so that it may be falsy unless a schema excludes that. */
  isTested: boolean;
}

/**
 * The variables that the sections of a part test.
 *
 * @example
 * subjectsIn(parse("{{#items has-items}}…{{/items}}{{^vip}}…{{/vip}}").nodes, contract).map(({ path }) => path); // ["items", "vip"]
 */
export function subjectsIn(nodes: readonly MustacheNode[], contract: VariablesContract): Subject[] {
  const byPath = new Map<string, Subject>();
  const variables = Scope.of(contract);
  const conditions = new Map(contract.conditions.map((condition) => [condition.name, condition]));

  const add = (scope: Scope, name: string, isTested = false): Subject | undefined => {
    const found = scope.find(name);
    const isComputed = conditions.get(firstOf(found?.path))?.test.kind === "computed";
    const computed = conditions.get(isComputed ? firstOf(found?.path) : firstOf(name));
    // A computed value follows from other variables.
    if (computed?.test.kind === "computed")
      for (const variable of variables.dependenciesOf(computed)) addFound(variable, true);
    return found && !isComputed ? addFound(found, isTested) : undefined;
  };
  const addFound = (found: ResolvedVariable, isTested: boolean): Subject => {
    const { path, shape, mayBeAbsent } = found;
    const subject = byPath.get(path) ?? { path, shape, mayBeAbsent, values: new Set(), lengths: new Set(), isTested };
    subject.isTested ||= isTested;
    byPath.set(path, subject);
    return subject;
  };
  const addTested = (scope: Scope, name: string, test: Exclude<Condition["test"], PositionTest | Computed>): void => {
    const subject = add(scope, name, test.kind === "truthy");
    if (!subject) return;
    if (test.kind === "equals") subject.values.add(test.value);
    if (test.kind === "compares") for (const by of [0, 1, -1]) subject.values.add(test.value + by);
    if (test.kind === "item") subject.lengths.add(test.index < 0 ? -test.index : test.index + 1);
    if (test.kind === "has-at-least" || test.kind === "has-exactly")
      for (const by of [0, 1, -1]) subject.lengths.add(test.count + by);
    if (test.kind === "some" || test.kind === "every") addTested(scope.within(name), test.path, test.test);
  };
  const addCondition = ({ name, within, path, test }: Condition): void => {
    if (test.kind === "among-first" || test.kind === "among-last") {
      const list = add(variables.inside(within.slice(0, -1)), within.at(-1) ?? "");
      for (const length of [test.count, test.count + 1]) list?.lengths.add(length);
    } else if (test.kind === "computed") add(variables.inside(within), name);
    else addTested(variables.inside(within), path, test);
  };
  const read = (each: readonly MustacheNode[], scope: Scope): void => {
    for (const node of each) {
      if (node.kind !== "section") continue;
      const condition = conditions.get(node.name);
      if (condition) addCondition(condition);
      else if (node.name !== ".") add(scope, node.name, true);
      read(node.children, node.inverted ? scope : scope.within(node.name));
    }
  };
  read(nodes, variables);
  // A list must be set before the members of its items.
  return [...byPath.values()].toSorted((a, b) => a.path.length - b.path.length);
}

function firstOf(path = ""): string {
  return path.split(/[.[]/)[0] ?? "";
}

/** What we know about the values that an application passes. */
export interface KnownValues {
  /** Variables in which nothing is absent or empty. */
  readonly full: Variables;
  readonly examples: readonly Variables[];
  /** Whether the schema is inferred, not written by a user. */
  readonly isInferred: boolean;
}

/** Values to try for a variable, from the most to the least usual. */
export function valuesFor(subject: Subject, { full, examples, isInferred }: KnownValues): unknown[] {
  const { path, shape, mayBeAbsent, values, lengths, isTested } = subject;
  const usual = valueAt(full, path);
  const known = [usual, ...examples.map((each) => valueAt(each, path)), ...values];
  const candidates: unknown[] = [];
  for (const { type, enum: options, const: only, format } of shape.kinds) {
    if (options) candidates.push(...options);
    else if (only !== undefined) candidates.push(only);
    else if (type === "boolean") candidates.push(true, false);
    else if (type === "number" || type === "integer") {
      candidates.push(usual || 1, ...values, ...(isTested ? [0] : []));
    } else if (type === "string") {
      const strings = known.filter((value) => typeof value === "string" && value !== "");
      candidates.push(...(values.size > 0 ? strings : [usual || "text"]));
      if (values.size > 0 && !isInferred) candidates.push("other");
      // Without a schema, a test for the string is the only hint that it may be empty.
      if (isTested && isInferred && format === undefined) candidates.push("");
    } else if (type === "array") {
      const item = valueAt(full, `${path}[]`) ?? {};
      const others = [...lengths].filter((length) => length > 2);
      candidates.push(...[1, 2, ...others, 0].map((length) => Array.from({ length }, () => item)));
    } else if (type !== "null") candidates.push(isRecord(usual) ? usual : {});
  }
  if (shape.kinds.length === 0) candidates.push(usual ?? "text", null);
  if (mayBeAbsent || isNullable(shape)) candidates.push(null);
  return [...new Map(candidates.map((value) => [JSON.stringify(value), value])).values()];
}

/** Whether it is a member of a union, so that its possible values depend on other members. */
export function isInUnion({ path }: Subject, contract: VariablesContract): boolean {
  let shape: Shape | undefined = Shape.ofFilled(contract);
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
    return isRecord(value) ? value[part] : undefined;
  }, variables);
}

/**
 * The variables with the value at a path replaced, in every item of the lists on the path.
 *
 * @param isNew Whether to create missing objects and lists on the path.
 */
export function withValue(variables: Variables, path: string, value: unknown, isNew = false): Variables {
  const put = (into: unknown, [part, ...rest]: readonly string[]): unknown => {
    if (part === undefined) return value;
    if (part === "[]") {
      const items: unknown = isNew && !(Array.isArray(into) && into.length > 0) ? [{}] : into;
      return Array.isArray(items) ? items.map((item) => put(item, rest)) : items;
    }
    const members = isNew && !isRecord(into) ? {} : into;
    return isRecord(members) ? { ...members, [part]: put(members[part], rest) } : members;
  };
  const changed = put(variables, partsOf(path));
  return isRecord(changed) ? changed : variables;
}

/** With more combinations than this, only pairs of variables are combined. */
const MOST_COMBINATIONS = 64;

/**
 * All combinations of the variables' values, each as an index per variable. If there are too many: all combinations of
 * each pair of variables, with the others all at their first or all at their last value.
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

/**
 * Variables in which nothing is absent or empty: the fixtures merged, with the longest strings. Where no fixture has a
 * value, one that the schema allows. Lists have one item.
 */
export function fullExample({ contract, fixtures }: Pick<CompiledTemplate, "contract" | "fixtures">): Variables {
  const examples = fixtures.map(({ variables }) => variables);
  const full = example(examples, Shape.ofFilled(contract), 0);
  return isRecord(full) ? full : {};
}

/** Limits the depth of recursive schemas. */
const DEEPEST = 8;

function example(values: readonly unknown[], shape: Shape, depth: number): unknown {
  const present = values.filter((value) => value !== null && value !== undefined);
  const lists = present.filter(Array.isArray);
  const objects = present.filter(isRecord);
  const [first] = present;
  const isObjectShape = shape.kinds.some(({ properties }) => properties);
  if (lists.length > 0) return [example(lists.flat(), shape.items(), depth + 1)];
  if (objects.length > 0 || (first === undefined && isObjectShape)) {
    if (depth > DEEPEST) return {};
    const names = new Set([...shape.names, ...objects.flatMap((object) => Object.keys(object))]);
    const member = (name: string): unknown =>
      example(
        objects.map((object) => object[name]),
        shape.member(name) ?? Shape.UNKNOWN,
        depth + 1,
      );
    return Object.fromEntries([...names].map((name) => [name, member(name)]));
  }
  if (typeof first === "boolean") return true;
  if (first !== undefined) return longest(present);
  if (shape.kinds.some(({ type }) => type === "array")) {
    return depth > DEEPEST ? [] : [example([], shape.items(), depth + 1)];
  }
  return sample(shape);
}

/** The longest string, or the first truthy value. */
function longest(values: readonly unknown[]): unknown {
  const strings = values.filter((value) => typeof value === "string");
  return strings.toSorted((a, b) => b.length - a.length)[0] ?? values.find(Boolean) ?? values[0];
}

function sample({ kinds }: Shape): unknown {
  const [kind] = kinds.filter(({ type }) => type !== "null");
  if (kind?.const !== undefined) return kind.const;
  if (kind?.enum) return kind.enum[0];
  if (kind?.type === "boolean") return true;
  if (kind?.type === "number" || kind?.type === "integer") return 1;
  return kind?.format === "uri" ? "https://example.com" : "text";
}
