import type { ESTree } from "../../../process/rolldown.js";
import {
  addBoundNames,
  assignmentsIn,
  canWait,
  childrenOf,
  type FunctionNode,
  isFunction,
  listsChanged,
  someWithin,
} from "../ast.js";
import { appendCallback, type AppendLoop, iterationClosing, iterationOpening, rewriteIterationEnds } from "./loops.js";
import { isDecision, rewriteEffect } from "./operators.js";
import { type Destination, needsRewriting, rewritePattern } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

/** Moves defaults out of the parameters, and wraps a body with branching statements in `fork(() => { … })`. */
export function rewriteFunction(node: FunctionNode, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { body } = node;
  if (!body) return;
  const start = body.type === "BlockStatement" ? body.start + 1 : afterArrow(node, body, rewriter);
  const isRewritten = node.params.some(needsRewriting);
  const to: Destination = { offset: start, opening: "let ", closing: "; ", declares: false };
  if (body.type !== "BlockStatement" && isRewritten) {
    editor.between(start, " {");
    editor.before(start, " return (");
    editor.after(node.end, "); }");
  }
  const scope = enterFunction(node, rewriter);
  const forks = body.type === "BlockStatement" && decides(body) && canRepeat(node, body);
  if (forks) {
    editor.before(start, ` return ${editor.runtime}.fork(() => {`);
    editor.after(body.end - 1, "});");
  }
  for (const parameter of node.params) {
    // TypeScript allows no required parameter after it, as parameters are after their defaults are moved out.
    if (isRewritten && "optional" in parameter && parameter.optional) {
      const mark = editor.find("?", parameter.start, parameter.end);
      editor.remove(mark, mark + 1);
    }
    rewritePattern(parameter, to, rewriter);
  }
  rewriter.visitIn(forks, scope, body);
}

function afterArrow(node: FunctionNode, body: ESTree.Node, { editor }: Rewriter): number {
  const from = node.returnType?.end ?? node.params.at(-1)?.end ?? node.start;
  return editor.find("=>", from, body.start) + 2;
}

/** `(a) => rows.push(b)` → `appending(rows, (iterate) => (a) => { return iterate((rows) => { void (rows.push(b)); return rows; }) })` */
export function rewriteCallback(node: ESTree.Node, rewriter: Rewriter): void {
  const appends = appendCallback(node);
  if (!appends || !isFunction(node) || !node.body || (!rewriter.canFork && decidesWhatItAdds(node))) {
    rewriter.visit(node);
    return;
  }
  const { editor } = rewriter;
  const iterate = editor.newName();
  editor.before(node.start, `${editor.runtime}.appending(${appends.rows}, (${iterate}) => (`);
  editor.after(node.end, "))");
  rewriteIteration(node, node.body, { appends, iterate }, rewriter);
}

interface Iteration {
  readonly appends: AppendLoop;
  readonly iterate: string;
}

function rewriteIteration(
  node: FunctionNode,
  body: ESTree.Node,
  { appends, iterate }: Iteration,
  rewriter: Rewriter,
): void {
  const { editor } = rewriter;
  const isBlock = body.type === "BlockStatement";
  const start = isBlock ? body.start + 1 : afterArrow(node, body, rewriter);
  if (isBlock) {
    editor.before(start, ` return ${iterationOpening(iterate, appends)}`);
    editor.after(body.end - 1, `${iterationClosing(appends)};`);
  } else {
    editor.between(start, " {");
    editor.before(start, ` return ${iterationOpening(iterate, appends)}void (`);
    editor.after(node.end, `)${iterationClosing(appends)}; }`);
  }
  const scope = enterFunction(node, rewriter);
  const to: Destination = { offset: start, opening: "let ", closing: "; ", declares: false };
  for (const parameter of node.params) rewritePattern(parameter, to, rewriter);
  rewriteIterationEnds(appends, rewriter);
  rewriter.visitIn(true, scope, body, rewriteEffect);
}

/** Whether there is a branching statement, or an expression that must be treated like one. */
export function decides(body: ESTree.Node): boolean {
  return someWithin(body, (node) => {
    if (node.type === "ExpressionStatement" && isDecision(node.expression)) return true;
    if (node.type === "CallExpression") return node.arguments.some(decidesWhatItAdds);
    if (node.type === "LogicalExpression") return !canWait(node.right);
    if (node.type === "ConditionalExpression") return !canWait(node.consequent) || !canWait(node.alternate);
    return node.type === "IfStatement" || node.type === "SwitchStatement";
  });
}

function decidesWhatItAdds(callback: ESTree.Node): boolean {
  if (!appendCallback(callback) || !isFunction(callback) || !callback.body) return false;
  return isDecision(callback.body) || decides(callback.body);
}

/** Whether a body can run more than once: it may change only its own variables. */
function canRepeat(node: FunctionNode, body: ESTree.Node): boolean {
  if (node.async || node.generator) return false;
  const { declared, assigned } = assignmentsIn(body);
  return [...assigned, ...listsChanged(body, /^(?:push|unshift)$/)].every((name) => declared.has(name));
}

/** A function being rewritten, and the names that it declares, except in nested functions. */
export interface FunctionScope {
  readonly id: number;
  readonly names: ReadonlySet<string>;
}

const MODULE = 0;

/** The scope of a function. If it or a nested function changes variables of a scope around it, notes are inserted at its start. */
export function enterFunction(node: FunctionNode, { editor, scopes }: Rewriter): FunctionScope {
  const { body, start: id } = node;
  const names = new Set<string>();
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

function outerNames(assignment: ESTree.Node, own: ReadonlySet<string>): string[] {
  const assigned = new Set<string>();
  if (assignment.type === "AssignmentExpression") addBoundNames(assignment.left, assigned);
  if (assignment.type === "UpdateExpression") addBoundNames(assignment.argument, assigned);
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
