import type { ESTree } from "../../../modules/rolldown.js";
import { rangeOf } from "./editor.js";
import { addNames, namesIn } from "./names.js";
import { childrenOf, isFunction, type FunctionNode } from "./nodes.js";
import type { Rewriter } from "./rewriter.js";

/** A function that is being rewritten, and the names that it declares outside of the functions in it. */
export interface FunctionScope {
  /** Where it begins. */
  readonly id: number;
  readonly names: ReadonlySet<string>;
}

/** The module's own scope. */
const MODULE = 0;

/** The scope of a function; noted at its beginning is whether it, or a function in it, changes variables around it. */
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

/** Goes through a function's body, but not through those of the functions in it. */
function visit(node: ESTree.Node, see: (node: ESTree.Node) => void): void {
  see(node);
  if (!isFunction(node)) for (const child of childrenOf(node)) visit(child, see);
}
