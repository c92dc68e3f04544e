import type { ESTree } from "../../../process/rolldown.js";
import { walk } from "../../../process/walk.js";
import { sampleText } from "../../../mustache/sample.js";

/**
 * An example for a value that a function only prints or tests for truthiness, or whose members it prints or tests.
 *
 * @returns Undefined if the function uses the value in any other way, or not at all.
 *
 * @example
 * exampleOfUse(body, "team"); // { name: "name", isPaid: true } for `<p>{team.isPaid && team.name}</p>`
 */
export function exampleOfUse(body: ESTree.Node, name: string): unknown {
  const printed: string[][] = [];
  const tested: string[][] = [];
  const seen = new Set<ESTree.Node>();
  let isOnlyPrinted = true;
  const note = (paths: string[][], node: ESTree.Node): void => {
    const path = pathFrom(node, name, seen);
    if (path) paths.push(path);
  };
  walk(body, (node) => {
    for (const each of printedBy(node)) note(printed, each);
    for (const each of testedBy(node)) note(tested, each);
    if (node.type === "MemberExpression" && !node.computed) seen.add(node.property);
    if (node.type === "Property" && !node.computed) seen.add(node.key);
    // Names that destructuring declares are not uses of the value.
    for (const property of node.type === "ObjectPattern" ? node.properties : [])
      if (property.type === "Property") seen.add(property.value);
    if (node.type === "Identifier" && node.name === name && !seen.has(node)) isOnlyPrinted = false;
    return !node.type.startsWith("TS") || "expression" in node;
  });
  if (!isOnlyPrinted) return undefined;
  const example = printed.reduce((value: unknown, path) => withPath(value, path, sampleText), undefined);
  return tested.reduce((value: unknown, path) => withPath(value, path, () => true), example);
}

/** The expressions that a node prints: in an element, an attribute or a template literal. */
function printedBy(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "JSXExpressionContainer") return choicesOf(node.expression);
  return node.type === "TemplateLiteral" ? node.expressions.flatMap(choicesOf) : [];
}

/** The possible values of an expression: each side of a condition. */
function choicesOf(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "ConditionalExpression") return [...choicesOf(node.consequent), ...choicesOf(node.alternate)];
  if (node.type !== "LogicalExpression") return [node];
  return [...(node.operator === "&&" ? [] : choicesOf(node.left)), ...choicesOf(node.right)];
}

/** The conditions that a node tests. */
function testedBy(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "ConditionalExpression" || node.type === "IfStatement") return [node.test];
  if (node.type === "LogicalExpression" && node.operator === "&&") return [node.left];
  return node.type === "UnaryExpression" && node.operator === "!" ? [node.argument] : [];
}

/** `["user", "name"]` for `user.name`, if it starts with the name. Adds its nodes to `seen`. */
function pathFrom(node: ESTree.Node, name: string, seen: Set<ESTree.Node>): string[] | undefined {
  if (node.type === "Identifier" && node.name === name) {
    seen.add(node);
    return [name];
  }
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
  const path = pathFrom(node.object, name, seen);
  return path && [...path, node.property.name];
}

/** Adds a member to an example, unless it already has one. */
function withPath(
  example: unknown,
  [name = "", ...members]: readonly string[],
  sample: (name: string) => unknown,
): unknown {
  const [member] = members;
  if (member === undefined) return example ?? sample(name);
  const object = typeof example === "object" ? { ...example } : {};
  return { ...object, [member]: withPath(Reflect.get(object, member), members, sample) };
}
