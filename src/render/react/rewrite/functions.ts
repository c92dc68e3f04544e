import type { ESTree } from "../../../process/rolldown.js";
import {
  addBoundNames,
  assignmentsIn,
  canWait,
  childrenOf,
  type FunctionNode,
  isFunction,
  listsChanged,
  type NodeOf,
  someWithin,
} from "../ast.js";
import { isDecision, rewriteEffect } from "./operators.js";
import { type Destination, destructured, needsRewriting, rewritePattern } from "./patterns.js";
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
  const { body } = node;
  const iterate = editor.newName();
  editor.before(node.start, `${editor.runtime}.appending(${appends.rows}, (${iterate}) => (`);
  editor.after(node.end, "))");
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
    return ["IfStatement", "SwitchStatement", "TryStatement"].includes(node.type);
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

/*
 * `for (const item of items) rows.push(<Row />)` and `items.forEach((item) => rows.push(<Row />))` collect a row for each
 * item, as `.map` does. This finds such loops, if they do nothing else.
 */

/** Ends an item's iteration, and continues with the next. */
export type IterationEnd = NodeOf<"ContinueStatement"> | NodeOf<"ReturnStatement">;

export interface AppendLoop {
  readonly rows: string;
  readonly ends: readonly IterationEnd[];
}

export function appendLoop(loop: ESTree.ForOfStatement): AppendLoop | undefined {
  const { left, body } = loop;
  if (loop.await || left.type !== "VariableDeclaration" || left.kind === "var") return undefined;
  const [declared] = left.declarations;
  return declared && appendBody(body, [declared.id], "ContinueStatement");
}

export function appendCallback(callback: ESTree.Node): AppendLoop | undefined {
  if (!isFunction(callback) || !callback.body || callback.async || callback.generator) return undefined;
  if (callback.type === "FunctionDeclaration") return undefined;
  return appendBody(callback.body, callback.params, "ReturnStatement");
}

function appendBody(
  body: ESTree.Node,
  patterns: readonly ESTree.Node[],
  ending: IterationEnd["type"],
): AppendLoop | undefined {
  const own = new Set<string>();
  for (const pattern of patterns) addBoundNames(pattern, own);
  const { declared, assigned } = assignmentsIn(body);
  const isOwn = (name: string): boolean => own.has(name) || declared.has(name);
  if (![...assigned].every(isOwn) || someWithin(body, ({ type }) => UNREPEATABLE.includes(type))) return undefined;
  const pushedTo = listsChanged(body, /^push$/);
  const [rows, ...others] = new Set(pushedTo.filter((name) => !isOwn(name)));
  if (rows === undefined || others.length > 0) return undefined;
  if (mentions(body, rows) > pushedTo.filter((name) => name === rows).length) return undefined;
  const ends = endsIn(body, ending);
  return ends && { rows, ends };
}

const UNREPEATABLE: readonly string[] = ["AwaitExpression", "YieldExpression", "LabeledStatement"];

function mentions(node: ESTree.Node, name: string): number {
  const own = node.type === "Identifier" && node.name === name ? 1 : 0;
  return childrenOf(node).reduce((sum, child) => sum + mentions(child, name), own);
}

/** The statements that end an item's iteration; undefined if something ends the whole loop, or the function around it. */
function endsIn(
  node: ESTree.Node,
  ending: IterationEnd["type"],
  inLoop = false,
  inSwitch = false,
): IterationEnd[] | undefined {
  if (isFunction(node)) return [];
  if (node.type === "VariableDeclaration" && node.kind === "var") return undefined;
  if (node.type === "BreakStatement") return node.label || !(inLoop || inSwitch) ? undefined : [];
  if (node.type === "ContinueStatement" && inLoop) return node.label ? undefined : [];
  if (node.type === "ContinueStatement" || node.type === "ReturnStatement") {
    return node.type === ending && !("label" in node && node.label) ? [node] : undefined;
  }
  const isLoop = /^(?:While|DoWhile|For|ForOf|ForIn)Statement$/.test(node.type);
  const allEnds: IterationEnd[] = [];
  for (const child of childrenOf(node)) {
    const ends = endsIn(child, ending, inLoop || isLoop, inSwitch || node.type === "SwitchStatement");
    if (!ends) return undefined;
    allEnds.push(...ends);
  }
  return allEnds;
}

/** Why a loop does more than add to a list, as one of the runtime's keywords. */
export function whyNotAppendLoop({ type, left, body }: ESTree.ForOfStatement | ESTree.ForInStatement): string {
  if (type === "ForInStatement") return "takes members";
  if (!endsIn(body, "ContinueStatement")) return "ends early";
  const { declared, assigned } = assignmentsIn(body);
  const own = new Set<string>();
  if (left.type === "VariableDeclaration") for (const { id } of left.declarations) addBoundNames(id, own);
  return [...assigned].some((name) => !declared.has(name) && !own.has(name)) ? "carries on" : "does more";
}

/** `for (const a of b) c` → `forEach(…, b, appending(rows, (iterate) => (item) => iterate((rows) => { let a = item; c; return rows; })));` */
export function rewriteAppendLoop(node: ESTree.ForOfStatement, appends: AppendLoop, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { left, right, body } = node;
  const id = left.type === "VariableDeclaration" ? left.declarations[0]?.id : undefined;
  if (!id) return;
  const [iterate, item] = [editor.newName(), editor.newName()];
  const value = id.type === "ArrayPattern" ? destructured(item, id, editor) : item;
  // Doesn't begin with a bracket, because the line before may have no semicolon.
  editor.replace(node.start, id.start, `void ${editor.call("forEach", right)}, `);
  editor.remove(id.end, right.start);
  editor.after(right.end, `, ${editor.runtime}.appending(${appends.rows}, (${iterate}) => (`);
  editor.replace(right.end, body.start, `${item}) => ${iterationOpening(iterate, appends)}let `);
  editor.after(id.end, ` = ${value}; `);
  editor.move(id, body.start);
  editor.after(body.end, `${iterationClosing(appends)}));`);
  rewritePattern(id, { offset: body.start, opening: "let ", closing: "; ", declares: true }, rewriter, false);
  const names = new Set<string>();
  addBoundNames(id, names);
  rewriter.visit(right);
  rewriteIterationEnds(appends, rewriter);
  rewriter.visitIn(true, { id: node.start, names }, body);
}

/** The beginning of the code for an item, in a function that receives the list to push to. */
export function iterationOpening(iterate: string, { rows }: AppendLoop): string {
  return `${iterate}((${rows}) => { `;
}

export function iterationClosing({ rows }: AppendLoop): string {
  return `; return ${rows}; })`;
}

/** `continue;` → `return rows;`, `return a;` → `{ void (a); return rows; }` */
export function rewriteIterationEnds({ ends, rows }: AppendLoop, { editor }: Rewriter): void {
  for (const end of ends) {
    const argument = end.type === "ReturnStatement" ? end.argument : null;
    if (argument) {
      editor.replace(end.start, end.start + 6, "{ void (");
      const rest = `); return ${rows}; }`;
      if (argument.end < end.end) editor.replace(argument.end, end.end, rest);
      else editor.after(end.end, rest);
    } else {
      editor.replace(end.start, end.end, `return ${rows};`);
    }
  }
}
