import { NUMBER } from "../../../mustache/expression/results.js";
import type { Shape } from "../../../mustache/shape.js";
import { shapeOfValue } from "./builtins.js";
import { certainShape } from "./certain-shapes.js";
import { type Expression, operandsOf } from "./expression.js";
import { made, rendering } from "./rendering.js";
import { resultVariable } from "./result-variables.js";
import { symbolicOf } from "./strings.js";

/*
 * A function of the project is recorded by running it once. Placeholders stand for what it will be called with.
 */

/** Maximum nesting depth of functions: those of a package may return further functions endlessly. */
export const MOST_NESTED = 5;

/**
 * The name and the type of what a function is called with.
 *
 * @param own The class of an object that the function may change, because only its calls use it.
 */
export type Parameter = readonly [name: string, shape: Shape, own?: string];

/** What a function is called with for an item of a list. */
export function parametersForItem(list: unknown): readonly Parameter[] {
  return [
    ["item", itemShape(list)],
    ["index", NUMBER],
    ["list", shapeOfValue(list)],
  ];
}

export function itemShape(list: unknown): Shape {
  const symbolic = symbolicOf(list);
  return (symbolic?.kind === "repeat" ? certainShape(list) : shapeOfValue(list)).items();
}

/**
 * Does something with placeholders for a function's parameters, and with their names.
 *
 * @param list The list whose items and indexes the function is called with.
 */
export function withPlaceholders<Result>(
  parameters: readonly Parameter[],
  list: unknown,
  work: (args: readonly unknown[], names: readonly string[]) => Result,
): Result {
  const { computed, site } = rendering();
  const depth = computed.parameters;
  computed.parameters += 1;
  try {
    const names = parameters.map(([name]) => (depth === 0 ? name : `${name}${depth + 1}`));
    const args = parameters.map(([, shape, own], at) => {
      const placeholder = resultVariable(parameter(names[at] ?? ""), { problem: "", shape, site });
      if (own === undefined) return placeholder;
      computed.classes.set(names[at] ?? "", own);
      return made(placeholder);
    });
    const [item, index] = ["item", "index"].map((name) => args[parameters.findIndex(([own]) => own === name)]);
    recordItem(list, index, item);
    return work(args, names);
  } finally {
    computed.parameters = depth;
  }
}

/** Records to which item of a list the placeholder for an index leads. */
function recordItem(list: unknown, index: unknown, item: unknown): void {
  const { items } = rendering().computed;
  const [of, at] = [list, index].map(symbolicOf);
  const key = at?.kind === "path" ? at.names[0] : undefined;
  if (key === undefined) return;
  if (of?.kind === "path") items.set(key, { list: of.key, item });
  else items.delete(key);
}

/** A function without the last parameters if it doesn't use them. */
export function functionExpression(parameters: readonly string[], body: Expression): Expression {
  const used = parameters.findLastIndex((name) => usesParameter(body, name)) + 1;
  return { kind: "function", parameters: parameters.slice(0, used), body };
}

function usesParameter(expression: Expression, name: string): boolean {
  if (expression.kind === "parameter") return expression.name === name;
  return operandsOf(expression).some((part) => usesParameter(part, name));
}

export function parameter(name: string): Expression {
  return { kind: "parameter", name };
}
