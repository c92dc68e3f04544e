import type { ESTree } from "../../../process/rolldown.js";
import { addBoundNames, assignedBy, assignmentsIn, childrenOf, type FunctionNode, isFunction } from "../ast.js";
import type { Rewriter } from "./rewriter.js";

/** A function or a part of one that is being rewritten, and the names that it declares, except in nested functions. */
export interface FunctionScope {
  readonly id: number;
  readonly names: ReadonlySet<string>;
}

export const MODULE = 0;

/**
 * The scope of a function. If it or a nested function changes variables of a scope around it, notes are inserted at its start.
 *
 * @param own Variables of scopes around that count as its own.
 */
export function enterFunction(
  node: FunctionNode,
  { editor, scopes }: Rewriter,
  own: Iterable<string> = [],
): FunctionScope {
  const { body, start: id } = node;
  const names = new Set(own);
  for (const parameter of node.params) addBoundNames(parameter, names);
  const scope = { id, names };
  if (!body) return scope;
  const inner: FunctionNode[] = [];
  const assignments: ESTree.Node[] = [];
  visit(body, (each) => {
    if (each.type === "VariableDeclarator") addBoundNames(each.id, names);
    if (isFunction(each)) inner.push(each);
    if (each.type === "AssignmentExpression" || each.type === "UpdateExpression") assignments.push(each);
  });
  const notes: string[] = [];
  const assignedWithin = inner.flatMap((each) => [...assignmentsIn(each).assigned]);
  if (assignedWithin.some((name) => names.has(name))) notes.push(`${editor.runtime}.enters(${id})`);
  const outer = assignments.filter((each) => outerNames(each, names).length > 0);
  const [first] = outer;
  if (first) {
    const changed = outer.flatMap((each) => outerNames(each, names)).map((name) => declarerOf(name, scopes));
    notes.push(`${editor.call("assignsOuter", first)}, [${[...new Set(changed)].join(", ")}])`);
  }
  if (notes.length === 0) return scope;
  if (body.type === "BlockStatement") {
    editor.before(body.start + 1, ` ${notes.join("; ")};`);
  } else {
    editor.before(body.start, `(${notes.join(", ")}, `);
    editor.after(body.end, ")");
  }
  return scope;
}

/** The scope of blocks within a function. */
export function scopeOfBlocks(id: number, blocks: readonly ESTree.Node[]): FunctionScope {
  const names = new Set<string>();
  for (const block of blocks)
    visit(block, (each) => {
      if (each.type === "VariableDeclarator") addBoundNames(each.id, names);
    });
  return { id, names };
}

function outerNames(assignment: ESTree.Node, own: ReadonlySet<string>): string[] {
  return [...assignedBy(assignment)].filter((name) => !own.has(name));
}

/** The id of the scope that declares a name. */
export function declarerOf(name: string, scopes: readonly FunctionScope[]): number {
  return scopes.findLast(({ names }) => names.has(name))?.id ?? MODULE;
}

/** Visits a function's body, without nested functions. */
function visit(node: ESTree.Node, callback: (node: ESTree.Node) => void): void {
  callback(node);
  if (!isFunction(node)) for (const child of childrenOf(node)) visit(child, callback);
}
