import type { ESTree } from "../../process/rolldown.js";

export type NodeOf<Type extends ESTree.Node["type"]> = Extract<ESTree.Node, { readonly type: Type }>;

export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

/** The direct children of a node, in source order, without types. */
export function childrenOf(node: ESTree.Node): ESTree.Node[] {
  const children: ESTree.Node[] = [];
  // A loop, because rewriting spends most of its time here: filters take ten times as long.
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

/** Whether a node, or a descendant that is not in a nested function, matches. */
export function someWithin(node: ESTree.Node, matches: (node: ESTree.Node) => boolean): boolean {
  return matches(node) || childrenOf(node).some((child) => !isFunction(child) && someWithin(child, matches));
}

/** Whether an expression can be run later or repeatedly without a difference, as a function without parameters. */
export function canWait(expression: ESTree.Node): boolean {
  return !someWithin(expression, ({ type }) => UNWAITING.includes(type));
}

const UNWAITING: readonly string[] = ["AwaitExpression", "YieldExpression", "AssignmentExpression", "UpdateExpression"];

/** TypeScript nodes that contain expressions, not only types. */
const WITH_TYPES =
  /^TS(?:AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ExportAssignment)$/;

/** A node that is not a type. */
function isCode(value: unknown): value is ESTree.Node {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const { type } = value;
  return typeof type === "string" && (!type.startsWith("TS") || WITH_TYPES.test(type));
}

/** Whether an optional chain may short-circuit before this access, because of an earlier `?.`. */
export function mayEndEarly(node: ESTree.Node): boolean {
  if (node.type === "MemberExpression") return node.optional || mayEndEarly(node.object);
  if (node.type === "CallExpression") return node.optional || mayEndEarly(node.callee);
  return node.type === "TSNonNullExpression" && mayEndEarly(node.expression);
}

/** The statements directly in a block, or at the top level of a module; of an export, what it declares. */
export function declarationsIn(node: ESTree.Node): ESTree.Node[] {
  if (node.type !== "BlockStatement" && node.type !== "Program") return [];
  return node.body.flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? []) : (statement as ESTree.Node),
  );
}

/** The variables that are declared directly in a block, or at the top level of a module. */
export function declaratorsIn(node: ESTree.Node): ESTree.VariableDeclarator[] {
  return declarationsIn(node).flatMap((each) => (each.type === "VariableDeclaration" ? each.declarations : []));
}

/** `<Row />`, `<ui.Row />` rather than `<p>` */
export function isComponentElement({ openingElement: { name } }: ESTree.JSXElement): boolean {
  return name.type !== "JSXIdentifier" || !/^[a-z]/.test(name.name);
}

/** The names of the lists whose methods of these names are called, once for each call. */
export function listsChanged(node: ESTree.Node, methods: RegExp): string[] {
  return [...listChangedBy(node, methods), ...childrenOf(node).flatMap((child) => listsChanged(child, methods))];
}

/** The name of the list whose method of such a name a node calls. */
export function listChangedBy(node: ESTree.Node, methods: RegExp): string[] {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return [];
  const { object, property, computed } = node.callee;
  const isChange = !computed && property.type === "Identifier" && methods.test(property.name);
  return isChange && object.type === "Identifier" ? [object.name] : [];
}

interface Names {
  readonly declared: Set<string>;
  readonly assigned: Set<string>;
}

/** All names that a node declares and assigns. */
export function assignmentsIn(node: ESTree.Node, names: Names = { declared: new Set(), assigned: new Set() }): Names {
  if (node.type === "VariableDeclarator") addBoundNames(node.id, names.declared);
  if (isFunction(node)) for (const parameter of node.params) addBoundNames(parameter, names.declared);
  if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && node.id)
    names.declared.add(node.id.name);
  for (const name of assignedBy(node)) names.assigned.add(name);
  for (const child of childrenOf(node)) assignmentsIn(child, names);
  return names;
}

export function addBoundNames(pattern: ESTree.Node, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(pattern.name);
  if (pattern.type === "AssignmentPattern") addBoundNames(pattern.left, names);
  if (pattern.type === "RestElement") addBoundNames(pattern.argument, names);
  if (pattern.type === "ArrayPattern")
    for (const element of pattern.elements) if (element) addBoundNames(element, names);
  if (pattern.type !== "ObjectPattern") return;
  for (const property of pattern.properties)
    addBoundNames(property.type === "Property" ? property.value : property, names);
}

/** The variables of the code around a node that it uses in a certain way, each with the first place. */
export function outerNamesIn(
  node: ESTree.Node,
  namesIn: (node: ESTree.Node) => Iterable<string>,
): Map<string, ESTree.Node> {
  const found = new Map<string, ESTree.Node>();
  for (const name of namesIn(node)) found.set(name, node);
  for (const child of childrenOf(node)) {
    for (const [name, place] of outerNamesIn(child, namesIn)) if (!found.has(name)) found.set(name, place);
  }
  for (const name of declaredBy(node)) found.delete(name);
  return found;
}

/** The names that are visible within a node, and not around it. */
function declaredBy(node: ESTree.Node): Set<string> {
  const names = new Set<string>();
  const add = (declaration: ESTree.Node): void => {
    if (declaration.type === "VariableDeclaration")
      for (const { id } of declaration.declarations) addBoundNames(id, names);
    if (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration")
      if (declaration.id) names.add(declaration.id.name);
  };
  if (isFunction(node)) {
    for (const parameter of node.params) addBoundNames(parameter, names);
    if (node.type === "FunctionExpression" && node.id) names.add(node.id.name);
  }
  if (node.type === "BlockStatement") node.body.forEach(add);
  if (node.type === "SwitchStatement") for (const { consequent } of node.cases) consequent.forEach(add);
  if (node.type === "ForStatement" && node.init) add(node.init);
  if (node.type === "ForOfStatement" || node.type === "ForInStatement") add(node.left);
  if (node.type === "CatchClause" && node.param) addBoundNames(node.param, names);
  return names;
}

/** The names that a node itself assigns, without the nodes in it. */
export function assignedBy(node: ESTree.Node): Set<string> {
  const names = new Set<string>();
  if (node.type === "AssignmentExpression") addBoundNames(node.left, names);
  if (node.type === "UpdateExpression") addBoundNames(node.argument, names);
  return names;
}
