import type { ESTree } from "../../../process/rolldown.js";
import { rangeOf } from "./editor.js";
import { addNames, namesIn } from "./names.js";
import { childrenOf, isFunction, type FunctionNode } from "./nodes.js";
import type { Rewriter } from "./rewriter.js";

/** A function being rewritten, and the names that it declares, except in nested functions. */
export interface FunctionScope {
  /** The offset at which it begins. */
  readonly id: number;
  readonly names: ReadonlySet<string>;
}

/** The module's own scope. */
const MODULE = 0;

/** The scope of a function. If it or a nested function changes variables of a scope around it, notes are inserted at its start. */
export function enterFunction(node: FunctionNode, { editor, scopes }: Rewriter): FunctionScope {
  const { body, start: id } = node;
  const names = new Set<string>();
  for (const parameter of node.params) addNames(parameter, names);
  const scope = { id, names };
  if (!body) return scope;
  const inner: FunctionNode[] = [];
  const assignments: ESTree.Node[] = [];
  visit(body, (each) => {
    if (each.type === "VariableDeclarator") addNames(each.id, names);
    if (isFunction(each)) inner.push(each);
    if (each.type === "AssignmentExpression" || each.type === "UpdateExpression") assignments.push(each);
  });
  const notes: string[] = [];
  const assignedWithin = inner.flatMap((each) => [...namesIn(each).assigned]);
  if (assignedWithin.some((name) => names.has(name))) notes.push(`${editor.runtime}.begins(${id})`);
  const outer = assignments.filter((each) => outerNames(each, names).length > 0);
  const [first] = outer;
  if (first) {
    const changed = outer.flatMap((each) => outerNames(each, names)).map((name) => declarerOf(name, scopes));
    notes.push(`${editor.runtime}.changes([${[...new Set(changed)].join(", ")}], ${rangeOf(first)})`);
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

function outerNames(assignment: ESTree.Node, own: ReadonlySet<string>): string[] {
  const assigned = new Set<string>();
  if (assignment.type === "AssignmentExpression") addNames(assignment.left, assigned);
  if (assignment.type === "UpdateExpression") addNames(assignment.argument, assigned);
  return [...assigned].filter((name) => !own.has(name));
}

function declarerOf(name: string, scopes: readonly FunctionScope[]): number {
  return scopes.findLast(({ names }) => names.has(name))?.id ?? MODULE;
}

/** Visits a function's body, without nested functions. */
function visit(node: ESTree.Node, callback: (node: ESTree.Node) => void): void {
  callback(node);
  if (!isFunction(node)) for (const child of childrenOf(node)) visit(child, callback);
}
