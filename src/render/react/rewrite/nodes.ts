import type { ESTree } from "../../../modules/rolldown.js";

export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

/** The nodes directly within a node, in the order of the source, without types. */
export function childrenOf(node: ESTree.Node): ESTree.Node[] {
  const children: ESTree.Node[] = [];
  // A loop, because this is most of what rewriting does: filters take ten times as long.
  const values: readonly unknown[] = Object.values(node);
  for (const value of values) {
    if (isCode(value)) children.push(value);
    else if (Array.isArray(value)) for (const item of value) if (isCode(item)) children.push(item);
  }
  return children;
}

export function isFunction(node: ESTree.Node): node is FunctionNode {
  return ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].includes(node.type);
}

/** Whether a node, or one within it that is not in a function of its own, is so. */
export function someWithin(node: ESTree.Node, is: (node: ESTree.Node) => boolean): boolean {
  return is(node) || childrenOf(node).some((child) => !isFunction(child) && someWithin(child, is));
}

/** Whether an expression can be run later, or once more, without anyone noticing: as a function without parameters. */
export function canWait(expression: ESTree.Node): boolean {
  return !someWithin(expression, ({ type }) => UNWAITING.includes(type));
}

const UNWAITING: readonly string[] = ["AwaitExpression", "YieldExpression", "AssignmentExpression", "UpdateExpression"];

/** What holds an expression, and not only types. */
const WITH_TYPES =
  /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ExportAssignment)$/;

/** A node, and not one of types. */
function isCode(value: unknown): value is ESTree.Node {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const { type } = value;
  return typeof type === "string" && (!type.startsWith("TS") || WITH_TYPES.test(type));
}

/** Whether what is accessed may not be there, so that the rest of the chain is not run: after a `?.`. */
export function mayEndEarly(node: ESTree.Node): boolean {
  if (node.type === "MemberExpression") return node.optional || mayEndEarly(node.object);
  if (node.type === "CallExpression") return node.optional || mayEndEarly(node.callee);
  return node.type === "TSNonNullExpression" && mayEndEarly(node.expression);
}
