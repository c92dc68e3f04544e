import type { ESTree } from "../../../modules/rolldown.js";
import { walk } from "../../../modules/walk.js";
import { sampleText } from "./example-of-type.js";

/**
 * An example of a value that a function does nothing with but print it, or members of it.
 *
 * @returns Undefined where it does something else with it, or nothing.
 *
 * @example
 * exampleOfUse(body, "team"); // { name: "name" } of `<p>{team.name}</p>`
 */
export function exampleOfUse(body: ESTree.Node, name: string): unknown {
  const printed: string[][] = [];
  const seen = new Set<ESTree.Node>();
  let isOnlyPrinted = true;
  walk(body, (node) => {
    for (const each of printedBy(node)) {
      const path = pathFrom(each, name, seen);
      if (path) printed.push(path);
    }
    const isName = node.type === "Identifier" && node.name === name && !seen.has(node);
    if (node.type === "MemberExpression" && !node.computed) seen.add(node.property);
    if (node.type === "Property" && !node.computed) seen.add(node.key);
    // What is destructured takes its name there.
    for (const property of node.type === "ObjectPattern" ? node.properties : [])
      if (property.type === "Property") seen.add(property.value);
    if (isName) isOnlyPrinted = false;
    return !node.type.startsWith("TS");
  });
  return isOnlyPrinted && printed.length > 0 ? printed.reduce(withPath, undefined) : undefined;
}

/** The expressions that a node prints: of an element, an attribute or a text. */
function printedBy(node: ESTree.Node): readonly ESTree.Node[] {
  if (node.type === "JSXExpressionContainer") return [node.expression];
  return node.type === "TemplateLiteral" ? node.expressions : [];
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

function withPath(example: unknown, [name = "", ...members]: readonly string[]): unknown {
  const [member] = members;
  if (member === undefined) return example ?? sampleText(name);
  const object = typeof example === "object" ? { ...example } : {};
  return { ...object, [member]: withPath(Reflect.get(object, member), members) };
}
