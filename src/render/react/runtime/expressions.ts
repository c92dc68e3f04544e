import { Shape } from "../../../mustache/shape.js";
import { NUMBER, STRING } from "../../../mustache/expression/results.js";
import { typeOf } from "../../../mustache/expression/types.js";
import { mapExpression } from "../../../mustache/expression/expression-of.js";
import { builtinName, REDUCES } from "./builtins.js";
import { certainShape, withCertainShapes } from "./certain-shapes.js";
import { casesOf } from "./choices.js";
import {
  type Computation,
  type Expression,
  indexIn,
  type ListLoop,
  mayBeNothing,
  mayHaveNoResult,
  type ObjectMember,
  type VariableExpression,
} from "./expression.js";
import { provide } from "./later.js";
import { cutOfSlice, endOfSlice, isCallback, itemOf, type MapCallback } from "./loops.js";
import { packageUses } from "./package-uses.js";
import {
  functionExpression,
  itemShape,
  MOST_NESTED,
  type Parameter,
  parameter,
  parametersForItem,
  withPlaceholders,
} from "./placeholders.js";
import { rendering, type Token } from "./rendering.js";
import { type Piece, piecesOf, symbolicOf } from "./strings.js";
import type { AccessPath } from "./symbolic.js";
import { isElement, isPlain, isReference, type Loop, type Slice, type Symbolic, type Test } from "./symbolic.js";

/** `callee(…args)` */
export function callExpression(
  callee: Expression | undefined,
  args: readonly unknown[],
  isNew = false,
): Expression | undefined {
  const isBuiltin = callee?.kind === "name" && callee.name !== "Array.of";
  const all = args.map((value) => (isBuiltin ? expressionOf(value) : storedExpression(value)));
  return callee && isComplete(all) ? { kind: "call", callee, args: all, ...(isNew && { isNew }) } : undefined;
}

/** `of?.name(…args)` */
export function optionalCallExpression(of: unknown, name: string, args: readonly unknown[]): Expression | undefined {
  const call = methodCallExpression(of, name, args);
  if (call?.kind !== "call" || call.callee.kind !== "member") return call;
  const { callee } = call;
  return ifThere(callee.of, true, (object) => ({ ...call, callee: { ...callee, of: object } }));
}

/** `of.name(…args)` */
export function methodCallExpression(of: unknown, name: string, args: readonly unknown[]): Expression | undefined {
  // An iterator reads its list later.
  const object = ITERATORS.has(name) ? storedExpression(of) : expressionOf(of);
  const all = argumentsOf(of, name, args);
  return object && all && { kind: "call", callee: { kind: "member", of: object, name }, args: all };
}

const ITERATORS: ReadonlySet<string> = new Set(["entries", "keys", "values"]);

/** Whether a method returns an iterator. */
export function returnsIterator(name: string | number): boolean {
  return name === "matchAll" || ITERATORS.has(String(name));
}

/** `of` after `of.name(…args)` or `of.name = value`. */
export function changeExpression(
  of: unknown,
  names: readonly string[],
  args: readonly unknown[],
): Expression | undefined {
  const [object, all] = [expressionOf(of), argumentsOf(of, names.at(-1) ?? "", args)];
  return object && all && { kind: "change", of: object, names, args: all };
}

function argumentsOf(of: unknown, method: string, args: readonly unknown[]): readonly Expression[] | undefined {
  const all = args.map((value) => {
    if (!isOwnCallback(value)) return storedExpression(value);
    return REDUCES.test(method)
      ? reducerOf(value, of, args).expression
      : functionOf(value, parametersOf(method, of, args), of);
  });
  return isComplete(all) ? all : undefined;
}

function isOwnCallback(value: unknown): value is MapCallback {
  return isCallback(value) && builtinName(value) === undefined && !hasOrigin(value) && !packageUses().find(value);
}

export function binaryExpression(operator: string, left: unknown, right: unknown): Expression | undefined {
  const [first, second] = [expressionOf(left), expressionOf(right)];
  return first && second && { kind: "binary", operator, left: first, right: second };
}

/** A value that is spread into a call: `Math.max(...numbers)`. */
export class SpreadArgument {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

const objects = new WeakMap<object, Expression>();

/** Records how an object was created, if nothing else shows it, as for a formatter. */
export function recordConstruction(object: object, called: unknown, args: readonly unknown[]): void {
  const name = builtinName(called);
  const expression = name === undefined ? undefined : callExpression({ kind: "name", name }, args, true);
  if (expression) objects.set(object, expression);
}

/** How to get the expressions of what packages created. Most are never needed. */
const origins = new WeakMap<object, () => Expression | undefined>();

/** Records how to get the expression that returned an object. */
export function recordOrigin(object: object, origin: () => Expression | undefined): void {
  origins.set(object, origin);
}

/** Whether a package created it: `const badge = cva(…)`. */
export function hasOrigin(object: object): boolean {
  return origins.has(object);
}

/** How an object was created. */
export function constructionOf(object: object): Extract<Expression, { kind: "call" }> | undefined {
  const expression = objects.get(object);
  return expression?.kind === "call" ? expression : undefined;
}

/** After a change, its construction no longer shows what it is. */
export function forgetConstruction(object: object): void {
  objects.delete(object);
  origins.delete(object);
}

/** A value that becomes a part of another one, as an expression. */
export function storedExpression(value: unknown): Expression | undefined {
  const { computed } = rendering();
  for (const each of casesOf(value)) computed.collect(each);
  return expressionOf(value);
}

/** A value as an expression; undefined if it can't be recorded, such as an element. */
export function expressionOf(value: unknown): Expression | undefined {
  const symbolic = symbolicOf(value);
  if (symbolic) return symbolicExpression(symbolic);
  if (value instanceof SpreadArgument) {
    const of = expressionOf(value.value);
    return of && { kind: "spread", of };
  }
  if (value instanceof URL || value instanceof URLSearchParams)
    return callExpression({ kind: "name", name: value.constructor.name }, [String(value)], true);
  const known = isReference(value)
    ? (objects.get(value) ?? packageUses().find(value) ?? origins.get(value)?.())
    : undefined;
  if (known) return known;
  if (typeof value === "function") {
    const name = builtinName(value);
    if (name !== undefined) return { kind: "name", name };
    return isCallback(value) ? functionOf(value, ANY) : undefined;
  }
  if (typeof value === "symbol") return undefined;
  if (typeof value === "bigint") return callExpression({ kind: "name", name: "BigInt" }, [String(value)]);
  if (typeof value !== "object" || value === null || value instanceof RegExp) return { kind: "value", value };
  const made = objects.get(value);
  if (made) return made;
  if (isElement(value)) return countsElements ? { kind: "value", value: true } : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => storedExpression(item));
    return isComplete(items) ? { kind: "list", items } : undefined;
  }
  if (value instanceof Date) return callExpression({ kind: "name", name: "Date" }, [value.getTime()], true);
  if (value instanceof Map || value instanceof Set)
    return callExpression({ kind: "name", name: value.constructor.name }, value.size > 0 ? [[...value]] : [], true);
  return isPlain(value) ? objectOf(value) : undefined;
}

/** Whether elements count as items, whatever they are. */
let countsElements = false;

/** A list as an expression of which only the number of items matters: it may contain elements. */
export function countableExpression(list: unknown): Expression | undefined {
  countsElements = true;
  try {
    return expressionOf(list);
  } finally {
    countsElements = false;
  }
}

function objectOf(value: Readonly<Record<string, unknown>>): Expression | undefined {
  const members: ObjectMember[] = [];
  for (const [name, each] of Object.entries(value)) {
    // A key that was computed from variables contains their tokens.
    const key = symbolicOf(name) ? textExpression(name) : name;
    const expression = storedExpression(each);
    if (key === undefined || !expression) return undefined;
    members.push([key, expression]);
  }
  return { kind: "object", members };
}

/** `{ [key]: value }` */
export function entryExpression(key: unknown, value: unknown): Expression | undefined {
  const [name, of] = [expressionOf(key), storedExpression(value)];
  return name && of && { kind: "object", members: [[name, of]] };
}

/** `{ ...object, ...value }` */
export function mergedExpression(object: unknown, value: unknown): Expression | undefined {
  const [first, second] = [expressionOf(object), expressionOf(value)];
  if (!first || !second) return undefined;
  const members = [first, second].flatMap((of): readonly ObjectMember[] =>
    of.kind === "object" ? of.members : [{ kind: "spread", of }],
  );
  return { kind: "object", members };
}

function symbolicExpression(symbolic: Symbolic): Expression | undefined {
  switch (symbolic.kind) {
    case "path":
      return pathExpression(symbolic);
    case "choice": {
      const { test, yes, no } = symbolic;
      const of = testExpression(test);
      if (yes === true && no === false) return of && (isBooleanTest(test) ? of : not(not(of)));
      return choiceOf(of, expressionOf(yes), expressionOf(no));
    }
    case "text":
      return textExpression(symbolic.text);
    case "position":
      return plus({ kind: "position", loop: loopOf(symbolic.loop) }, symbolic.offset);
    case "length": {
      const of = sliceExpression(pathExpression(symbolic.of), symbolic.slice);
      return of && plus(lengthOf(of, symbolic.of), symbolic.offset);
    }
    case "sliced":
      return sliceExpression(pathExpression(symbolic.of), symbolic.slice);
    case "repeat": {
      if (symbolic.computed) return expressionOf(symbolic.computed());
      const list = sliceExpression(pathExpression(symbolic.loop.list), symbolic.slice);
      const body = storedExpression(symbolic.body);
      const method = symbolic.isFlat ? "flatMap" : "map";
      const loop = loopOf(symbolic.loop).id;
      return list && body && { kind: "map", method, loop, list, body: inPart(body, loop, symbolic.slice.skipped) };
    }
    case "rows": {
      const items = symbolic.list.map((part) => {
        if (!symbolic.added.has(part)) return storedExpression(part);
        const of = expressionOf(part);
        return of && { kind: "spread" as const, of };
      });
      return isComplete(items) ? { kind: "list", items } : undefined;
    }
    case "refused":
    default:
      return undefined;
  }
}

export function pathExpression(
  path: AccessPath,
  computations: ReadonlyMap<string, Computation> = rendering().computed.all,
): Expression | undefined {
  const [first, ...others] = path.names;
  const known = first === undefined ? undefined : computations.get(first);
  if (known && rendering().computed.isChanged(known.key)) return undefined;
  if (!known) return strictly(variableOf(path), path.strictFrom);
  const { strictFrom = Infinity, mayEndAfter = [] } = path;
  return others.reduce((of, name, index) => {
    const isStrict = index + 1 >= strictFrom;
    return memberExpression(of, step(name), isStrict ? false : mayEndAfter.includes(index + 1) || undefined);
  }, known.expression);
}

/**
 * `of.name`, or `of?.name` if it may be missing.
 *
 * @param mayBeMissing By default, as far as the expression shows it.
 */
export function memberExpression(
  of: Expression,
  name: string | number | Expression,
  mayBeMissing?: boolean,
): Expression {
  const memberOf = (object: Expression): Expression =>
    typeof name === "object" ? { kind: "item", of: object, key: name } : { kind: "member", of: object, name };
  return mayBeMissing === false ? memberOf(of) : ifThere(of, mayBeMissing, memberOf);
}

/** `of?.…`: undefined if there is nothing to continue with. */
function ifThere(
  of: Expression,
  mayBeMissing: boolean | undefined,
  continued: (of: Expression) => Expression,
): Expression {
  if (isIfThere(of)) return { ...of, yes: ifThere(of.yes, mayBeMissing, continued) };
  if (mayBeMissing !== true && !mayBeNothing(of) && !mayHaveNoResult(of)) return continued(of);
  const test: Expression = { kind: "binary", operator: "!=", left: of, right: { kind: "value", value: null } };
  return { kind: "if", test, yes: continued(of), no: { kind: "value", value: undefined } };
}

function isIfThere(expression: Expression): expression is Extract<Expression, { kind: "if" }> {
  if (expression.kind !== "if" || expression.no.kind !== "value" || expression.no.value !== undefined) return false;
  const { test } = expression;
  return test.kind === "binary" && test.operator === "!=" && test.right.kind === "value" && test.right.value === null;
}

function variableOf(path: AccessPath): VariableExpression {
  const { names, loop, mayEndAfter = [] } = path;
  return {
    kind: "variable",
    names,
    mayBeMissing: names.length > 0 && (path.mayBeMissing || mayEndAfter.length > 0),
    ...(mayEndAfter.length > 0 && { mayEndAfter }),
    ...(loop && { loop: loopOf(loop) }),
  };
}

/** From this name on, reading a member of what is missing throws, as in JavaScript. */
function strictly(variable: VariableExpression, strictFrom = Infinity): Expression {
  const { names, mayEndAfter = [] } = variable;
  const from = Math.max(strictFrom, 1);
  if (mayEndAfter.length === 0 || from >= names.length) return variable;
  const start: Expression = { ...variable, names: names.slice(0, from) };
  return names.slice(from).reduce<Expression>((of, name) => ({ kind: "member", of, name: step(name) }), start);
}

function loopOf(loop: Loop): ListLoop {
  rendering().computed.loops.set(loop.id, loop);
  const { kind: _kind, ...list } = variableOf(loop.list);
  const item = itemOf(loop);
  const isOfValues = item.isOnly("string", "number", "boolean");
  return { id: loop.id, list, isOfValues, isOfObjects: item.isOnly("object") };
}

/** `[0]` reads an item, `[length]` the number of items. */
export function step(name: string): string | number {
  return indexIn(name) ?? (name === "[length]" ? "length" : name);
}

function plus(count: Expression, offset: number): Expression {
  if (offset === 0) return count;
  const right: Expression = { kind: "value", value: Math.abs(offset) };
  return { kind: "binary", operator: offset < 0 ? "-" : "+", left: count, right };
}

function sliceExpression(list: Expression | undefined, slice: Slice): Expression | undefined {
  if (!list || slice.limits.length === 0) return list;
  const cut = cutOfSlice(slice);
  const end = endOfSlice(slice) ?? (cut > 0 ? -cut : undefined);
  const args = end === undefined ? [slice.skipped] : [slice.skipped, end];
  return callExpression({ kind: "member", of: list, name: "slice" }, args);
}

/** For a list without its first items: what depends on an item's index in the whole list. */
function inPart(body: Expression, loop: number, skipped: number): Expression {
  if (skipped === 0) return body;
  const part = (of: Expression): Expression => inPart(of, loop, skipped);
  return mapExpression(body, part, (leaf): Expression => {
    if (leaf.kind === "map") return { ...leaf, list: part(leaf.list), body: part(leaf.body) };
    return leaf.kind === "position" && leaf.loop.id === loop ? plus(leaf, skipped) : leaf;
  });
}

function choiceOf(
  test: Expression | undefined,
  yes: Expression | undefined,
  no: Expression | undefined,
): Expression | undefined {
  return test && yes && no && { kind: "if", test, yes, no };
}

/** Whether the expression for a test has a boolean as its result, rather than something truthy or falsy. */
function isBooleanTest({ path, question, computed }: Test): boolean {
  if (computed) return true;
  return question.kind === "itself" ? !path.mayBeMissing : question.kind !== "truthy";
}

function not(of: Expression): Expression {
  return { kind: "unary", operator: "!", of };
}

function testExpression({ path, question, computed }: Test): Expression | undefined {
  if (computed) return pathExpression(computed);
  if (question.kind === "among-first" && path.loop) {
    const index: Expression = { kind: "position", loop: loopOf(path.loop) };
    return { kind: "binary", operator: "<", left: index, right: { kind: "value", value: question.count } };
  }
  if (question.kind === "among-last" && path.loop) {
    const index: Expression = { kind: "position", loop: loopOf(path.loop) };
    const list = pathExpression(path.loop.list);
    const right = list && plus({ kind: "member", of: list, name: "length" }, -question.count);
    return right && { kind: "binary", operator: ">=", left: index, right };
  }
  const of = pathExpression(path);
  return of && questionExpression(of, question, path);
}

function questionExpression(of: Expression, question: Test["question"], path: AccessPath): Expression | undefined {
  const compared = (operator: string, left: Expression, value: unknown): Expression => {
    return { kind: "binary", operator, left, right: { kind: "value", value } };
  };
  switch (question.kind) {
    case "present":
      return compared("!=", of, null);
    case "null":
      return compared("===", of, null);
    case "itself":
    case "truthy":
      return of;
    case "equals":
      return compared(question.value === null ? "==" : "===", of, question.value);
    case "compares":
      return compared(question.operator, of, question.value);
    case "has-items":
      return compared(">", lengthOf(of, path), 0);
    case "has-at-least":
      return compared(">=", lengthOf(of, path), question.count);
    case "has-exactly":
      return compared("===", lengthOf(of, path), question.count);
    case "some":
    case "every": {
      let item = parameter("item");
      let at = path.with({ shape: path.shape.items(), optional: false });
      for (const name of question.path === "." ? [] : question.path.split(".")) {
        item = memberExpression(item, name, at.mayBeMissing || undefined);
        at = at.with({ shape: at.shape.member(name) ?? Shape.UNKNOWN, optional: !at.shape.requires(name) });
      }
      const body = questionExpression(item, question.test, at);
      const callee: Expression = { kind: "member", of, name: question.kind };
      return body && { kind: "call", callee, args: [{ kind: "function", parameters: ["item"], body }] };
    }
    case "empty":
    case "among-first":
    case "among-last":
    case "type":
    default:
      return undefined;
  }
}

function lengthOf(of: Expression, { mayBeMissing }: AccessPath): Expression {
  return memberExpression(of, "length", mayBeMissing || undefined);
}

/** A string with tokens. */
function textExpression(text: string): Expression | undefined {
  return textOfPieces(piecesOf(text).values());
}

/** Reads pieces up to the end of the section that they are in. */
function textOfPieces(pieces: IterableIterator<Piece>): Expression | undefined {
  const parts: (string | Expression | undefined)[] = [];
  for (const { text, meaning } of pieces) {
    if (meaning?.kind === "close") break;
    parts.push(meaning ? partExpression(meaning, pieces) : text);
  }
  return isComplete(parts) ? { kind: "text", parts } : undefined;
}

function partExpression(meaning: Token, inner: IterableIterator<Piece>): Expression | undefined {
  if (meaning.kind === "missing") return pathExpression(meaning.path);
  if (meaning.kind === "value") {
    const of = pathExpression(meaning.path);
    // A joined item that is missing prints nothing; elsewhere, a choice decides what is printed then.
    return of && meaning.path.mayBeMissing ? { kind: "binary", operator: "??", left: of, right: EMPTY } : of;
  }
  const body = textOfPieces(inner);
  if (meaning.kind === "case")
    return meaning.answer
      ? choiceOf(testExpression(meaning.test), body, EMPTY)
      : choiceOf(testExpression(meaning.test), EMPTY, body);
  if (meaning.kind !== "each") return undefined;
  const list = pathExpression(meaning.loop.list);
  const map = list && body && ({ kind: "map", method: "map", loop: loopOf(meaning.loop).id, list, body } as const);
  return map && { kind: "call", callee: { kind: "member", of: map, name: "join" }, args: [EMPTY] };
}

const EMPTY: Expression = { kind: "value", value: "" };

/** What a method calls a function with. */
function parametersOf(method: string, of: unknown, args: readonly unknown[]): readonly Parameter[] {
  switch (method) {
    case "sort":
    case "toSorted": {
      const item = itemShape(of);
      return [
        ["a", item],
        ["b", item],
      ];
    }
    case "replace":
    case "replaceAll":
      return [["match", STRING], ...groupsOf(args[0]), ["index", NUMBER], ["text", STRING]];
    default:
      return parametersForItem(of);
  }
}

/** The groups of a pattern. Of an optional one, it is unknown whether it matches. */
function groupsOf(pattern: unknown): readonly Parameter[] {
  if (!(pattern instanceof RegExp)) return [];
  const count = (new RegExp(`${pattern.source}|`, pattern.flags).exec("")?.length ?? 1) - 1;
  return Array.from({ length: count }, (_, index) => [`group${index + 1}`, Shape.UNKNOWN]);
}

/** Of a function that is neither called by a method nor built in. */
const ANY: readonly Parameter[] = ["value", "other", "third"].map((name) => [name, Shape.UNKNOWN]);

interface RecordedFunction {
  readonly expression: Expression | undefined;
  /** The type that its result certainly has. */
  readonly shape: Shape;
}

/**
 * Records a function of the project by running it once with placeholders for its parameters. One that changes something
 * can't be recorded, unless it returns that: then the next call gets it.
 */
function recordFunction(called: MapCallback, parameters: readonly Parameter[], list?: unknown): RecordedFunction {
  if (rendering().computed.parameters === MOST_NESTED) return { expression: undefined, shape: Shape.UNKNOWN };
  return withPlaceholders(parameters, list, (args, names) => {
    const { result, changed } = rendering().recordEffects(() => Reflect.apply(called, undefined, args));
    const returned = args.includes(result) ? result : undefined;
    const isChanging = [...changed.keys()].some((each) => each !== returned);
    const body = isChanging ? undefined : storedExpression(result);
    return { expression: body && functionExpression(names, body), shape: certainShape(result) };
  });
}

function functionOf(called: MapCallback, parameters: readonly Parameter[], list?: unknown): Expression | undefined {
  return recordFunction(called, parameters, list).expression;
}

/** The function that `.reduce` calls, with the type of all sums. */
function reducerOf(called: MapCallback, list: unknown, args: readonly unknown[]): RecordedFunction {
  const [, start] = args;
  const first = args.length > 1 ? certainShape(start) : itemShape(list);
  const isOwn = isReference(start) && !symbolicOf(start) && rendering().isMadeHere(start);
  const own = isOwn ? typeOf(start) : undefined;
  const { expression, shapes } = withCertainShapes({ first }, ({ first: sum = first }) => {
    const recorded = recordFunction(called, [["sum", sum, own], ...parametersForItem(list)], list);
    return { ...recorded, after: { first: recorded.shape } };
  });
  return { expression, shape: shapes["first"] ?? Shape.UNKNOWN };
}

/** The type of what `.reduce` returns. */
function shapeOfReduction(list: unknown, args: readonly unknown[]): Shape {
  const [called] = args;
  if (!isOwnCallback(called)) return Shape.UNKNOWN;
  return rendering().rehearse(() => reducerOf(called, list, args).shape);
}

provide({ shapeOfReduction });

function isComplete<T>(all: readonly (T | undefined)[]): all is readonly T[] {
  return all.every((each) => each !== undefined);
}
