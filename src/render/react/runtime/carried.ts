import { isBigint, NUMBER, NUMBERS } from "../../../mustache/expression/results.js";
import { Shape } from "../../../mustache/shape.js";
import { contentOf } from "./branches.js";
import { shapeOfValue } from "./builtins.js";
import { certainShape, type Shapes, withCertainShapes } from "./certain-shapes.js";
import { change, classOf } from "./changes.js";
import { fork, lift, select } from "./choices.js";
import { compute, recorded } from "./computed.js";
import { type Expression, operandsOf } from "./expression.js";
import { expressionOf, storedExpression } from "./expressions.js";
import { functionExpression, MOST_NESTED, parametersForItem, withPlaceholders } from "./placeholders.js";
import { classKey, resultVariable } from "./result-variables.js";
import { asList, entriesOf, isSymbolicList } from "./list-methods.js";
import { lookUpMember } from "./member-access.js";
import { RECURSION, valueOfPath } from "./paths.js";
import { type Change, refuse, REFUSED, rendering } from "./rendering.js";
import { appendForEach } from "./rows.js";
import { compactString, symbolicOf } from "./strings.js";
import { type AnyFunction, isReference, type ListLength, type SourceRange, type Symbolic } from "./symbolic.js";

/*
 * Loops that carry values from item to item: `for (const item of items) total += item.price`. If the list is only known when
 * an email is filled, an iteration runs with placeholders for the item, for the variables that the loop assigns, and for the
 * objects that it changes, as in `seen.add(item.id)`. What they are afterwards becomes the function of a `.reduce`.
 */

type State = Readonly<Record<string, unknown>>;

/** A loop that assigns variables of the code around it, or changes objects. */
export interface CarryingLoop {
  /** Where each of them is assigned first. */
  readonly sites: Readonly<Record<string, SourceRange>>;
  readonly read: () => State;
  readonly write: (values: State) => void;
  /** What is done for an item. */
  readonly work: AnyFunction;
  /** The scope in which the variables count as the loop's own, for functions within it. */
  readonly scope: string;
}

const loops = new WeakMap<object, CarryingLoop>();

/**
 * A function that is called for each item.
 *
 * @param around The scopes that declare the variables, apart from the innermost.
 */
export function carrying(loop: CarryingLoop, around: readonly string[]): AnyFunction {
  for (const scope of around) rendering().recordMutation(scope);
  rendering().recordCreation(loop.scope);
  loops.set(loop.work, loop);
  return loop.work;
}

/** How a loop runs. */
export interface LoopForm {
  /** Iterates an ordinary value. */
  readonly run: (value: unknown, work: AnyFunction) => void;
  /** What is iterated of a symbolic value that may not be a list. */
  readonly listOf: (value: Expression) => Expression;
  /** What the function is called with for an item and its index. */
  readonly argumentsOf: (item: unknown, index: unknown, list: unknown) => readonly unknown[];
  /** Whether nothing is done if the value is missing. */
  readonly mayEnd?: boolean;
}

/** Does for all items of a symbolic list what a function does that carries values. Returns whether it is such a function. */
export function carryOver(list: unknown, work: unknown, form: LoopForm): boolean {
  const loop = typeof work === "function" ? loops.get(work) : undefined;
  if (!loop) return false;
  const now = rendering();
  const { site } = now;
  const before = loop.read();
  const after = lift(list, (value) => {
    now.site = site;
    const about = symbolicOf(value);
    if (!about)
      return value === undefined || value === null ? before : ranEach(loop, before, (each) => form.run(value, each));
    const reduce = (): State => reduced({ loop, before, objects: new Map(), value, about, form });
    const mayBeMissing = form.mayEnd === true && about.kind === "path" && about.mayBeMissing;
    return mayBeMissing ? select(about.presence, reduce, () => before) : reduce();
  });
  loop.write(variablesIn(after, Object.keys(before)));
  return true;
}

/** The variables after a loop over an ordinary list. After each item, they are choices between what its paths lead to. */
function ranEach(loop: CarryingLoop, before: State, run: (work: AnyFunction) => void): State {
  loop.write(before);
  run((...args) => {
    const after = ran(loop, loop.read(), () => loop.work(...args));
    loop.write(variablesIn(after, Object.keys(before)));
  });
  return loop.read();
}

/** The variables after code that begins with such values: a state, or a choice between states. */
function ran({ read, write }: CarryingLoop, before: State, code: () => void): unknown {
  return fork(() => {
    write(before);
    code();
    return read();
  });
}

function variablesIn(state: unknown, names: readonly string[]): State {
  const variable = (name: string): unknown => lift(state, (each): unknown => Reflect.get(Object(each), name));
  return Object.fromEntries(names.map((name) => [name, compactString(variable(name))]));
}

/** An object that a loop changes. */
interface ChangedObject {
  readonly object: object;
  readonly class: string;
  /** Where it is changed first. */
  readonly site: SourceRange | undefined;
}

/** What a loop iterates, with its variables before, and the objects that it changes. */
interface Iterated {
  readonly loop: CarryingLoop;
  /** Also what the objects are before. */
  readonly before: State;
  readonly objects: ReadonlyMap<string, ChangedObject>;
  readonly value: unknown;
  readonly about: Symbolic;
  readonly form: LoopForm;
}

/** The variables after a loop; the objects that it changes are afterwards what it has made of them. */
function reduced(iterated: Iterated): State {
  const { loop, before, objects, about } = iterated;
  const now = rendering();
  const { site } = now;
  const names = Object.keys(before);
  const all = (value: unknown): State => Object.fromEntries(names.map((name) => [name, value]));
  if (now.computed.parameters === MOST_NESTED)
    return all(refuse(undefined, RECURSION.problem, { site, hint: RECURSION.hint }));
  const { iteration, findings } = now.rehearse(() => tried(iterated, names));
  const changed = iteration?.changed ?? new Map<unknown, Change>();
  const [, other] = [...changed].find(([what, { restore }]) => !isReference(what) || !restore) ?? [];
  if (!other && changed.size > 0) return reduced(withObjects(iterated, changed));
  for (const finding of findings) now.report(finding);
  if (findings.length > 0 || !iteration) return all(REFUSED);
  if (other) return all(refuse(about, CHANGES, { site: other.site ?? site }));
  const after = mapValues(before, (value, name) => {
    const group = groupOf(name, iteration);
    if (group.length === 0) return value;
    const { shapes } = iteration;
    const own = group.length === names.length ? iteration : now.rehearse(() => iterate(iterated, shapes, group));
    const changedAt = objects.get(name)?.site ?? loop.sites[name];
    const options = { problem: CARRIES, about, shape: shapes[name], site: changedAt, isOfLoop: true };
    return compute(options, () => reduceExpression(iterated, own, name));
  });
  for (const [name, { object }] of objects) if (after[name] !== before[name]) change(object, after[name]);
  return after;
}

/** An iteration, with what can't be recorded in it. That may also be why it throws. */
function tried(iterated: Iterated, names: readonly string[]) {
  const now = rendering();
  const found = now.findings.length;
  let iteration: (Iteration & { readonly shapes: Shapes }) | undefined;
  try {
    iteration = withCertainShapes(mapValues(iterated.before, certainShape), (shapes) =>
      iterate(iterated, shapes, names),
    );
  } catch (error) {
    if (now.findings.length === found) throw error;
  }
  // They name placeholders.
  const findings = now.findings.slice(found).map((finding) => ({ ...finding, variable: undefined }));
  return { iteration, findings };
}

/** The same loop, with objects that an iteration has changed among what it carries. */
function withObjects({ before, objects, ...iterated }: Iterated, changed: Iteration["changed"]): Iterated {
  const added = [...changed].flatMap(([object, { site }], at): (readonly [string, ChangedObject])[] =>
    isReference(object) ? [[`$${objects.size + at}`, { object, class: classOf(object), site }]] : [],
  );
  const states = added.map(([name, { object }]) => [name, contentOf(object)] as const);
  return {
    ...iterated,
    before: { ...before, ...Object.fromEntries(states) },
    objects: new Map([...objects, ...added]),
  };
}

const CHANGES = "changes a value that the iteration for the next item uses";
const CARRIES = "carries a value from item to item";

/** One iteration: what it assigns, in terms of an item and of what the iteration before assigned. */
interface Iteration {
  readonly group: readonly string[];
  readonly parameters: readonly string[];
  readonly after: Shapes;
  readonly expressions: Readonly<Record<string, Expression | undefined>>;
  /** What else it changes. */
  readonly changed: ReadonlyMap<unknown, Change>;
}

/** @param group The variables that the state consists of: a single one is the state itself. */
function iterate({ loop, objects, value, form }: Iterated, shapes: Shapes, group: readonly string[]): Iteration {
  const now = rendering();
  const { site } = now;
  const list = isSymbolicList(value) ? value : undefined;
  const parameters = [["state", Shape.UNKNOWN], ...parametersForItem(list)] as const;
  return withPlaceholders(parameters, list, ([, item, index], [state = "", ...others]) => {
    const carried = mapValues(shapes, (shape, name) => {
      const part = partOfState(state, name, group);
      now.computed.classes.set(classKey(part), objects.get(name)?.class);
      return resultVariable(part, { problem: "", shape, site });
    });
    const { result, changed } = now.recordEffects(() => {
      now.recordCreation(loop.scope);
      for (const [name, { object }] of objects) change(object, carried[name]);
      const variables = ran(loop, carried, () => loop.work(...form.argumentsOf(item, index, value)));
      const contents = [...objects].map(([name, { object }]) => [name, contentOf(object)] as const);
      return { ...variablesIn(variables, Object.keys(loop.read())), ...Object.fromEntries(contents) };
    });
    now.site = site;
    const expressions = mapValues(result, (each) => recorded(() => storedExpression(each), shapeOfValue(each)));
    const unknown = new Map(changed);
    for (const { restore } of changed.values()) restore?.();
    for (const { object } of objects.values()) unknown.delete(object);
    return {
      group,
      parameters: [state, ...others],
      after: mapValues(result, certainShape),
      expressions,
      changed: unknown,
    };
  });
}

function partOfState(state: string, name: string, group: readonly string[]): Expression {
  const of: Expression = { kind: "parameter", name: state };
  return group.length === 1 && group[0] === name ? of : { kind: "member", of, name };
}

/** The variables that the value of a variable depends on; none if the loop doesn't change it. */
function groupOf(name: string, { parameters: [state = ""], group, expressions }: Iteration): string[] {
  const found = new Set<string>();
  const follow = (each: string): void => {
    if (found.has(each)) return;
    found.add(each);
    const expression = expressions[each];
    if (expression) visit(expression);
  };
  const visit = (expression: Expression): void => {
    const part = variableOfState(expression, state, group);
    if (part === undefined) operandsOf(expression).forEach(visit);
    else follow(part);
  };
  const own = expressions[name];
  if (own && variableOfState(own, state, group) === name) return [];
  follow(name);
  return group.filter((each) => found.has(each));
}

function variableOfState(expression: Expression, state: string, group: readonly string[]): string | undefined {
  const of = group.length > 1 && expression.kind === "member" ? expression.of : expression;
  if (of.kind !== "parameter" || of.name !== state) return undefined;
  return expression.kind === "member" ? String(expression.name) : group[0];
}

/** A variable after `list.reduce((state, item) => …, start)`. */
function reduceExpression(
  { before, value, form }: Iterated,
  iteration: Iteration,
  name: string,
): Expression | undefined {
  const { group, parameters, expressions } = iteration;
  const of = expressionOf(value);
  const start = stateOf(group, (each) => storedExpression(before[each]));
  const body = stateOf(group, (each) => expressions[each]);
  if (!of || !start || !body) return undefined;
  const callee: Expression = { kind: "member", of: isSymbolicList(value) ? of : form.listOf(of), name: "reduce" };
  const reduce: Expression = { kind: "call", callee, args: [functionExpression(parameters, body), start] };
  return group.length === 1 ? reduce : { kind: "member", of: reduce, name };
}

function stateOf(
  group: readonly string[],
  expressionFor: (name: string) => Expression | undefined,
): Expression | undefined {
  const members = group.flatMap((name) => {
    const expression = expressionFor(name);
    return expression ? [[name, expression] as const] : [];
  });
  if (members.length < group.length) return undefined;
  return group.length === 1 ? members[0]?.[1] : { kind: "object", members };
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

/** `for (const item of value) work(item)`, for a symbolic value. Returns whether it was possible. */
export function forOf(value: unknown, work: AnyFunction): boolean {
  return carryOver(value, work, FOR_OF) || appendForEach(lift(value, asList), work);
}

const FOR_OF: LoopForm = {
  run(value, work) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JavaScript throws for what is not iterable
    for (const item of value as Iterable<unknown>) work(item);
  },
  listOf: (of) => ({ kind: "list", items: [{ kind: "spread", of }] }),
  argumentsOf: (item) => [item],
};

/** `value.forEach(work)`, for a symbolic value. Returns whether it was possible. */
export function forEach(value: unknown, work: unknown, mayEnd: boolean): boolean {
  if (carryOver(value, work, { ...FOR_EACH, mayEnd })) return true;
  const entries = entriesOf(value);
  if (entries === undefined) return appendForEach(value, work);
  return appendForEach(entries, work, (entry) => [itemAt(entry, 1), itemAt(entry, 0), value]);
}

/** The value may be a set or a map, too. */
const FOR_EACH: LoopForm = {
  run(value, work) {
    Reflect.apply(Reflect.get(Object(value), "forEach"), value, [work]);
  },
  listOf: (of) => FOR_OF.listOf({ kind: "call", callee: { kind: "member", of, name: "entries" }, args: [] }),
  argumentsOf: (item, index, list) =>
    isSymbolicList(list) ? [item, index, list] : [itemAt(item, 1), itemAt(item, 0), list],
};

function itemAt(entry: unknown, index: number): unknown {
  return lookUpMember(entry, index, () => undefined);
}

/** `for (let number = from; number < limit; number += 1) work(number)`, with a symbolic limit. Returns whether it was possible. */
export function countUp(from: unknown, operator: "<" | "<=", limit: unknown, work: AnyFunction): boolean {
  const symbolic = symbolicOf(limit);
  if (symbolic?.kind === "length" && isWholeList(symbolic) && from === 0 && operator === "<") {
    const list = valueOfPath(symbolic.of);
    const argumentsOf: LoopForm["argumentsOf"] = (_item, index) => [index];
    return appendForEach(list, work, argumentsOf) || carryOver(list, work, { ...FOR_OF, argumentsOf });
  }
  if (certainShape(from) !== NUMBER || isBigint(shapeOfValue(limit))) return false;
  const about = symbolic ?? symbolicOf(from);
  const numbers = compute({ problem: "decides how often a loop runs", about, shape: NUMBERS }, () =>
    numbersExpression(from, operator, limit),
  );
  return forOf(numbers, work);
}

function isWholeList({ of, offset, slice }: ListLength): boolean {
  return of.isOnly("list") && offset === 0 && slice.limits.length === 0;
}

/** The numbers from one up to another: `Array.from({ length: Math.ceil(limit - from) }, (_, index) => index + from)` */
function numbersExpression(from: unknown, operator: "<" | "<=", limit: unknown): Expression | undefined {
  const [first, last] = [expressionOf(from), expressionOf(limit)];
  if (!first || !last) return undefined;
  const plus = (left: Expression, right: Expression): Expression => ({ kind: "binary", operator: "+", left, right });
  const distance: Expression = from === 0 ? last : { kind: "binary", operator: "-", left: last, right: first };
  const rounded = (name: string): Expression => ({ kind: "call", callee: { kind: "name", name }, args: [distance] });
  const one: Expression = { kind: "value", value: 1 };
  const length = operator === "<" ? rounded("Math.ceil") : plus(rounded("Math.floor"), one);
  const index: Expression = { kind: "parameter", name: "index" };
  const body = from === 0 ? index : plus(index, first);
  const args: Expression[] = [
    { kind: "object", members: [["length", length]] },
    { kind: "function", parameters: ["_", "index"], body },
  ];
  return { kind: "call", callee: { kind: "name", name: "Array.from" }, args };
}
