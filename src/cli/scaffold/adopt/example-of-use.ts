import type { ESTree } from "../../../modules/rolldown.js";
import { walk } from "../../../modules/walk.js";
import { sampleText } from "../../../mustache/sample.js";

/**
 * An example of a value that a function does nothing with but print it, or members of it, and ask whether they are there.
 *
 * @returns Undefined where it does something else with it, or nothing.
 *
 * @example
 * exampleOfUse(body, "team"); // { name: "name", isPaid: true } of `<p>{team.isPaid && team.name}</p>`
 */
export function exampleOfUse(body: ESTree.Node, name: string): unknown {
  const printed: string[][] = [];
  const asked: string[][] = [];
  const seen = new Set<ESTree.Node>();
  let isOnlyPrinted = true;
  const note = (paths: string[][], node: ESTree.Node): void => {
    const path = pathFrom(node, name, seen);
    if (path) paths.push(path);
  };
  walk(body, (node) => {
    for (const each of printedBy(node)) note(printed, each);
    for (const each of askedBy(node)) note(asked, each);
    if (node.type === "MemberExpression" && !node.computed) seen.add(node.property);
    if (node.type === "Property" && !node.computed) seen.add(node.key);
    // What is destructured takes its name there.
    for (const property of node.type === "ObjectPattern" ? node.properties : [])
      if (property.type === "Property") seen.add(property.value);
    if (node.type === "Identifier" && node.name === name && !seen.has(node)) isOnlyPrinted = false;
    return !node.type.startsWith("TS") || "expression" in node;
  });
  if (!isOnlyPrinted) return undefined;
  const example = printed.reduce((so: unknown, path) => withPath(so, path, sampleText), undefined);
  return asked.reduce((so: unknown, path) => withPath(so, path, () => true), example);
}

/** The expressions that a node prints: of an element, an attribute or a text. */
function printedBy(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "JSXExpressionContainer") return choicesOf(node.expression);
  return node.type === "TemplateLiteral" ? node.expressions.flatMap(choicesOf) : [];
}

/** What an expression may come to: each side of a choice. */
function choicesOf(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "ConditionalExpression") return [...choicesOf(node.consequent), ...choicesOf(node.alternate)];
  if (node.type !== "LogicalExpression") return [node];
  return [...(node.operator === "&&" ? [] : choicesOf(node.left)), ...choicesOf(node.right)];
}

/** What a node decides by. */
function askedBy(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "ConditionalExpression" || node.type === "IfStatement") return [node.test];
  if (node.type === "LogicalExpression" && node.operator === "&&") return [node.left];
  return node.type === "UnaryExpression" && node.operator === "!" ? [node.argument] : [];
}

/** `["user", "name"]` of `user.name`, where it begins with the name; its nodes are noted. */
function pathFrom(node: ESTree.Node, name: string, seen: Set<ESTree.Node>): string[] | undefined {
  if (node.type === "Identifier" && node.name === name) {
    seen.add(node);
    return [name];
  }
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
  const path = pathFrom(node.object, name, seen);
  return path && [...path, node.property.name];
}

/** An example with a member as well, where it has none there yet. */
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
