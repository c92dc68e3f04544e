import { Shape } from "../../../mustache/shape.js";
import { builtinName, NUMBER, resultKindOf, shapeOfValue, STRING } from "./builtins.js";
import {
  type Computation,
  type Expression,
  indexIn,
  innermostLoop,
  type ListLoop,
  mayBeNothing,
  type VariableExpression,
} from "./expression.js";
import { cutOfSlice, endOfSlice, isCallback, itemOf } from "./loops.js";
import { valueOfPath } from "./paths.js";
import { rendering } from "./rendering.js";
import { piecesOf, symbolicOf } from "./strings.js";
import {
  AccessPath,
  isElement,
  isPlain,
  type Loop,
  type Slice,
  type SourceRange,
  type Symbolic,
  type Test,
} from "./symbolic.js";

/** `callee(…args)` */
export function callExpression(
  callee: Expression | undefined,
  args: readonly unknown[],
  isNew = false,
): Expression | undefined {
  const all = args.map((value) => expressionOf(value));
  return callee && isComplete(all) ? { kind: "call", callee, args: all, ...(isNew && { isNew }) } : undefined;
}

/** `of.name(…args)` */
export function methodCallExpression(of: unknown, name: string, args: readonly unknown[]): Expression | undefined {
  const object = expressionOf(of);
  if (!object) return undefined;
  const shape = shapeOfValue(of).items();
  const all = args.map((value) =>
    isCallback(value) && !builtinName(value) ? functionOf(value, name, shape) : expressionOf(value),
  );
  const callee: Expression = { kind: "member", of: object, name };
  return isComplete(all) ? { kind: "call", callee, args: all } : undefined;
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

export interface ResultOptions extends Pick<Computation, "problem"> {
  readonly shape?: Shape | undefined;
  readonly site?: SourceRange | undefined;
  readonly within?: SourceRange | undefined;
  readonly changesVariable?: boolean;
}

export function resultVariable(
  expression: Expression,
  { problem, shape = Shape.UNKNOWN, site, within, changesVariable }: ResultOptions,
): unknown {
  const { computed } = rendering();
  const isFrom = within && within !== site ? { within } : {};
  const result = resultKindOf(shape);
  const { key } = computed.add({
    expression,
    result,
    problem,
    site,
    ...isFrom,
    ...(changesVariable && { changesVariable }),
  });
  const innermost = innermostLoop(expression);
  const loop = typeof innermost === "object" ? computed.loops.get(innermost.id) : undefined;
  const optional = mayBeNothing(expression);
  return valueOfPath(new AccessPath({ names: [key], shape, optional, sure: true, stated: true, loop, site }));
}

/** A value as an expression; undefined if it can't be recorded, such as an element. */
export function expressionOf(value: unknown): Expression | undefined {
  const symbolic = symbolicOf(value);
  if (symbolic) return symbolicExpression(symbolic);
  if (value instanceof SpreadArgument) {
    const of = expressionOf(value.value);
    return of && { kind: "spread", of };
  }
  if (typeof value === "function") {
    const name = builtinName(value);
    if (name !== undefined) return { kind: "name", name };
    return isCallback(value) ? functionOf(value, "", Shape.UNKNOWN) : undefined;
  }
  if (typeof value === "symbol" || typeof value === "bigint") return undefined;
  if (typeof value !== "object" || value === null || value instanceof RegExp) return { kind: "value", value };
  const made = objects.get(value);
  if (made) return made;
  if (isElement(value)) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => expressionOf(item));
    return isComplete(items) ? { kind: "list", items } : undefined;
  }
  if (value instanceof Date) {
    return callExpression({ kind: "name", name: "Date" }, [value.getTime()], true);
  }
  return isPlain(value) ? objectOf(value) : undefined;
}

function objectOf(value: Readonly<Record<string, unknown>>): Expression | undefined {
  const members: [string, Expression][] = [];
  for (const [name, each] of Object.entries(value)) {
    const expression = expressionOf(each);
    if (!expression) return undefined;
    members.push([name, expression]);
  }
  return { kind: "object", members };
}

function symbolicExpression(symbolic: Symbolic): Expression | undefined {
  switch (symbolic.kind) {
    case "path":
      return pathExpression(symbolic);
    case "choice":
      return choiceOf(testExpression(symbolic.test), expressionOf(symbolic.yes), expressionOf(symbolic.no));
    case "text":
      return textExpression(symbolic.text);
    case "position":
      return plus({ kind: "position", loop: loopOf(symbolic.loop) }, symbolic.offset);
    case "length": {
      const of = sliceExpression(pathExpression(symbolic.of), symbolic.slice);
      return of && plus({ kind: "member", of, name: "length" }, symbolic.offset);
    }
    case "sliced":
      return sliceExpression(pathExpression(symbolic.of), symbolic.slice);
    case "repeat": {
      if (symbolic.computed) return expressionOf(symbolic.computed());
      const list = sliceExpression(pathExpression(symbolic.loop.list), symbolic.slice);
      const body = expressionOf(symbolic.body);
      const method = symbolic.isFlat ? "flatMap" : "map";
      return list && body && { kind: "map", method, loop: loopOf(symbolic.loop).id, list, body };
    }
    case "refused":
    case "rows":
    case "several":
    default:
      return undefined;
  }
}

function pathExpression(path: AccessPath): Expression | undefined {
  const [first, ...others] = path.names;
  const known = first === undefined ? undefined : rendering().computed.all.get(first);
  if (known && rendering().computed.isChanged(known.key)) return undefined;
  if (known)
    return others.reduce<Expression>((of, name) => ({ kind: "member", of, name: step(name) }), known.expression);
  return variableOf(path);
}

function variableOf(path: AccessPath): VariableExpression {
  const { names, loop, isOfOptional = false } = path;
  return {
    kind: "variable",
    names,
    mayBeMissing: names.length > 0 && (path.mayBeMissing || isOfOptional),
    ...(isOfOptional && { isOfOptional }),
    ...(loop && { loop: loopOf(loop) }),
  };
}

function loopOf(loop: Loop): ListLoop {
  rendering().computed.loops.set(loop.id, loop);
  const { kind: _kind, ...list } = variableOf(loop.list);
  return { id: loop.id, list, isOfValues: itemOf(loop).isOnly("string", "number", "boolean") };
}

/** `[0]` reads an item, `[length]` the number of items. */
function step(name: string): string | number {
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

function choiceOf(
  test: Expression | undefined,
  yes: Expression | undefined,
  no: Expression | undefined,
): Expression | undefined {
  if (!test || !yes || !no) return undefined;
  const isItself = yes.kind === "value" && yes.value === true && no.kind === "value" && no.value === false;
  return isItself ? test : { kind: "if", test, yes, no };
}

function testExpression({ path, question }: Test): Expression | undefined {
  if (question.kind === "among-first" && path.loop) {
    const index: Expression = { kind: "position", loop: loopOf(path.loop) };
    return { kind: "binary", operator: "<", left: index, right: { kind: "value", value: question.count } };
  }
  const of = pathExpression(path);
  return of && questionExpression(of, question);
}

function questionExpression(of: Expression, question: Test["question"]): Expression | undefined {
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
      return compared(">", { kind: "member", of, name: "length" }, 0);
    case "has-at-least":
      return compared(">=", { kind: "member", of, name: "length" }, question.count);
    case "has-exactly":
      return compared("===", { kind: "member", of, name: "length" }, question.count);
    case "some":
    case "every": {
      const names = question.path === "." ? [] : question.path.split(".");
      const item = names.reduce<Expression>(
        (holder, name) => ({ kind: "member", of: holder, name }),
        parameter("item"),
      );
      const body = questionExpression(item, question.test);
      const callee: Expression = { kind: "member", of, name: question.kind };
      return body && { kind: "call", callee, args: [{ kind: "function", parameters: ["item"], body }] };
    }
    case "empty":
    case "among-first":
    case "among-last":
    default:
      return undefined;
  }
}

/** A string with tokens; only for variables. */
function textExpression(text: string): Expression | undefined {
  const parts = piecesOf(text).map(({ text: piece, meaning }) => {
    if (!meaning) return piece;
    return meaning.kind === "value" ? pathExpression(meaning.path) : undefined;
  });
  return isComplete(parts) ? { kind: "text", parts } : undefined;
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  sort: ["a", "b"],
  toSorted: ["a", "b"],
  reduce: ["sum", "item", "index"],
  reduceRight: ["sum", "item", "index"],
  replace: ["match"],
  replaceAll: ["match"],
  "": ["value", "other", "third"],
};

const OF_ITEMS = ["item", "index"];

/** Records a function of the project by running it once with placeholders for its parameters. */
function functionOf(called: (...args: unknown[]) => unknown, method: string, items: Shape): Expression | undefined {
  const { computed, site } = rendering();
  const isOfItems = !Object.hasOwn(PARAMETERS, method);
  const shapes: Readonly<Record<string, Shape>> = { item: items, a: items, b: items, index: NUMBER, match: STRING };
  const names = (PARAMETERS[method] ?? OF_ITEMS).slice(0, Math.max(called.length, isOfItems ? 1 : 0));
  const depth = computed.parameters;
  computed.parameters += 1;
  try {
    const parameters = names.map((name) => (depth === 0 ? name : `${name}${depth + 1}`));
    const args = parameters.map((name, index) =>
      resultVariable(parameter(name), { problem: "", shape: shapes[names[index] ?? ""], site }),
    );
    const body = expressionOf(called(...args));
    return body && { kind: "function", parameters, body };
  } finally {
    computed.parameters = depth;
  }
}

function parameter(name: string): Expression {
  return { kind: "parameter", name };
}

function isComplete<T>(all: readonly (T | undefined)[]): all is readonly T[] {
  return all.every((each) => each !== undefined);
}
