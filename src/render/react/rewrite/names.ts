import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, isFunction } from "./nodes.js";

interface Names {
  readonly declared: Set<string>;
  readonly assigned: Set<string>;
}

/** All names that a node declares and assigns. */
export function namesIn(node: ESTree.Node, names: Names = { declared: new Set(), assigned: new Set() }): Names {
  if (node.type === "VariableDeclarator") addNames(node.id, names.declared);
  if (isFunction(node)) for (const parameter of node.params) addNames(parameter, names.declared);
  if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && node.id)
    names.declared.add(node.id.name);
  if (node.type === "AssignmentExpression") addNames(node.left, names.assigned);
  if (node.type === "UpdateExpression") addNames(node.argument, names.assigned);
  for (const child of childrenOf(node)) namesIn(child, names);
  return names;
}

/** The names that a pattern binds. */
export function addNames(pattern: ESTree.Node, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(pattern.name);
  if (pattern.type === "AssignmentPattern") addNames(pattern.left, names);
  if (pattern.type === "RestElement") addNames(pattern.argument, names);
  if (pattern.type === "ArrayPattern") for (const element of pattern.elements) if (element) addNames(element, names);
  if (pattern.type !== "ObjectPattern") return;
  for (const property of pattern.properties) addNames(property.type === "Property" ? property.value : property, names);
}
