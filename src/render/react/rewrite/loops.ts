import type { ESTree } from "../../../process/rolldown.js";
import {
  addBoundNames,
  assignedBy,
  assignmentsIn,
  canWait,
  childrenOf,
  type FunctionNode,
  isFunction,
  listChangedBy,
  listsChanged,
  type NodeOf,
  outerNamesIn,
  someWithin,
} from "../ast.js";
import { isDecision, rewriteEffect } from "./operators.js";
import { type Destination, destructured, rewritePattern } from "./patterns.js";
import type { Editor, Rewriter } from "./rewriter.js";
import { declarerOf, enterFunction, type FunctionScope, MODULE } from "./scopes.js";

/*
 * A loop over a list that is only known when an email is filled can't run. These loops become calls of the runtime with a
 * function of an item, which the runtime calls once for all items:
 *
 * - `for (const item of items) rows.push(<Row />)` collects a row for each item, as `.map` does.
 * - `for (const item of items) total += item.price` carries a value from item to item, as `.reduce` does.
 *
 * So do `items.forEach((item) => …)` and `for (let i = 0; i < items.length; i++) …`.
 */

/** Ends an item's iteration, and continues with the next. */
type IterationEnd = NodeOf<"ContinueStatement"> | NodeOf<"ReturnStatement">;

/** What a loop does besides with its own variables. */
type LoopEffect = { readonly ends: readonly IterationEnd[] } & (
  | { readonly kind: "appends"; readonly rows: string }
  /** The variables that it assigns, each with its first assignment. */
  | { readonly kind: "carries"; readonly assigned: ReadonlyMap<string, ESTree.Node> }
);

type ListLoop = ESTree.ForOfStatement | ESTree.ForInStatement;

function effectOfForOf({ await: waits, left, body }: ESTree.ForOfStatement): LoopEffect | undefined {
  if (waits || left.type !== "VariableDeclaration" || left.kind === "var") return undefined;
  const [declared] = left.declarations;
  return declared && effectOf(body, [declared.id], "ContinueStatement");
}

function effectOfCallback(callback: ESTree.Node): LoopEffect | undefined {
  if (!isFunction(callback) || !callback.body || callback.async || callback.generator) return undefined;
  if (callback.type === "FunctionDeclaration") return undefined;
  return effectOf(callback.body, callback.params, "ReturnStatement");
}

/** The effect of what is done for each item; undefined if it has none, more than one, or any other. */
function effectOf(
  body: ESTree.Node,
  patterns: readonly ESTree.Node[],
  ending: IterationEnd["type"],
): LoopEffect | undefined {
  const ends = endsIn(body, ending);
  if (!ends || someWithin(body, ({ type }) => UNREPEATABLE.includes(type))) return undefined;
  const own = new Set<string>();
  for (const pattern of patterns) addBoundNames(pattern, own);
  const assigned = outerNamesIn(body, assignedBy);
  const lists = outerNamesIn(body, (node) => listChangedBy(node, /^push$/));
  for (const name of own) for (const names of [assigned, lists]) names.delete(name);
  const [rows, ...others] = lists.keys();
  const changed = outerNamesIn(body, (node) => [...listChangedBy(node, CHANGING), ...memberAssignedBy(node)]);
  for (const name of [...own, ...lists.keys()]) changed.delete(name);
  const isOnlyAppending = rows !== undefined && others.length === 0 && assigned.size === 0 && changed.size === 0;
  const isOnlyPushedTo =
    isOnlyAppending && mentions(body, rows) === listsChanged(body, /^push$/).filter((name) => name === rows).length;
  if (isOnlyPushedTo) return { kind: "appends", rows, ends };
  return someWithin(body, pushesElement) ? undefined : { kind: "carries", assigned, ends };
}

/** Methods that change their object. */
const CHANGING = /^(?:add|append|clear|copyWithin|delete|fill|pop|push|reverse|set\w*|shift|sort|splice|unshift)$/;

/** `name.member = value`, `name[key] += 1` */
function memberAssignedBy(node: ESTree.Node): string[] {
  const target =
    node.type === "AssignmentExpression" ? node.left : node.type === "UpdateExpression" ? node.argument : undefined;
  return target?.type === "MemberExpression" && target.object.type === "Identifier" ? [target.object.name] : [];
}

function pushesElement(node: ESTree.Node): boolean {
  return listChangedBy(node, /^push$/).length > 0 && someWithin(node, ({ type }) => type.startsWith("JSX"));
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

/** Why a loop has no effect that the runtime knows, as one of its keywords. */
export function whyNoEffect({ type, left, body }: ListLoop): string {
  if (type === "ForInStatement") return "takes members";
  if (!endsIn(body, "ContinueStatement")) return "ends early";
  const own = new Set<string>();
  if (left.type === "VariableDeclaration") for (const { id } of left.declarations) addBoundNames(id, own);
  return [...outerNamesIn(body, assignedBy).keys()].some((name) => !own.has(name)) ? "carries on" : "does more";
}

/** Whether there is a branching statement, or an expression that must be treated like one. */
export function decides(body: ESTree.Node): boolean {
  return someWithin(body, (node) => {
    if (node.type === "ExpressionStatement" && isDecision(node.expression)) return true;
    if (node.type === "CallExpression") return node.arguments.some((each) => effectOfCallback(each) && branches(each));
    if (node.type === "LogicalExpression") return !canWait(node.right);
    if (node.type === "ConditionalExpression") return !canWait(node.consequent) || !canWait(node.alternate);
    return ["IfStatement", "SwitchStatement", "TryStatement"].includes(node.type);
  });
}

function branches(callback: ESTree.Node): boolean {
  return isFunction(callback) && callback.body !== null && (isDecision(callback.body) || decides(callback.body));
}

/** The code of a function that is called for each item. */
interface IterationCode {
  /** Around the function. */
  readonly before: string;
  readonly after: string;
  /** At the beginning and at the end of its body. */
  readonly opening: string;
  readonly closing: string;
  /** The statement that continues with the next item. */
  readonly next: string;
}

/** The code for an effect; undefined if it concerns variables that aren't those of a function around. */
function codeOf(effect: LoopEffect, id: number, { editor, scopes }: Rewriter): IterationCode | undefined {
  if (effect.kind === "appends") {
    const { rows } = effect;
    const iterate = editor.newName();
    return {
      before: `${editor.runtime}.appending(${rows}, (${iterate}) => (`,
      after: "))",
      opening: ` return ${iterate}((${rows}) => { `,
      closing: `; return ${rows}; });`,
      next: `return ${rows};`,
    };
  }
  const names = [...effect.assigned.keys()];
  const declarers = new Set(names.map((name) => declarerOf(name, scopes)));
  if (declarers.has(MODULE)) return undefined;
  const around = [...declarers].filter((each) => each !== scopes.at(-1)?.id);
  const sites = [...effect.assigned].map(([name, { start, end }]) => `${name}: [${start}, ${end}]`);
  const [state, values] = [`{ ${names.join(", ")} }`, editor.newName()];
  const access = `() => (${state}), (${values}) => { (${state} = ${values}); }`;
  return {
    before: `${editor.runtime}.carrying(${id}, [${around.join(", ")}], { ${sites.join(", ")} }, ${access}, (`,
    after: "))",
    opening: "",
    closing: "",
    next: "return;",
  };
}

/** The scope of a loop's body, in which the variables that it carries on are its own. */
function scopeOfLoop(
  { start: id, body }: ESTree.Node & { readonly body: ESTree.Node },
  patterns: readonly ESTree.Node[],
  effect: LoopEffect,
): FunctionScope {
  const names = new Set([...assignmentsIn(body).declared, ...carriedBy(effect)]);
  for (const pattern of patterns) addBoundNames(pattern, names);
  return { id, names };
}

function carriedBy(effect: LoopEffect): Iterable<string> {
  return effect.kind === "carries" ? effect.assigned.keys() : [];
}

/** `list.forEach((a) => rows.push(b))` → `list.forEach(appending(rows, (iterate) => (a) => { return iterate((rows) => { void (rows.push(b)); return rows; }) }))` */
export function rewriteCallback(node: ESTree.Node, rewriter: Rewriter): void {
  const effect = effectOfCallback(node);
  const isPossible = effect && (rewriter.canFork || !branches(node));
  const code = isPossible ? codeOf(effect, node.start, rewriter) : undefined;
  if (!effect || !code || !isFunction(node) || !node.body) {
    rewriter.visit(node);
    return;
  }
  const { editor } = rewriter;
  const { body } = node;
  editor.before(node.start, code.before);
  editor.after(node.end, code.after);
  const isBlock = body.type === "BlockStatement";
  const start = isBlock ? body.start + 1 : afterArrow(node, body, editor);
  if (isBlock) {
    editor.before(start, code.opening);
    editor.after(body.end - 1, code.closing);
  } else {
    editor.between(start, " {");
    editor.before(start, `${code.opening} void (`);
    editor.after(node.end, `)${code.closing} }`);
  }
  const scope = enterFunction(node, rewriter, carriedBy(effect));
  const to: Destination = { offset: start, opening: "let ", closing: "; ", declares: false };
  for (const parameter of node.params) rewritePattern(parameter, to, rewriter);
  rewriteEnds(effect, code, editor);
  rewriter.visitIn(true, scope, body, rewriteEffect);
}

export function afterArrow(node: FunctionNode, body: ESTree.Node, editor: Editor): number {
  const from = node.returnType?.end ?? node.params.at(-1)?.end ?? node.start;
  return editor.find("=>", from, body.start) + 2;
}

/**
 * `for (const a of b) c` → `forEach(…, b, carrying(…, (item) => { let a = item; c }));`. Returns whether the runtime knows the
 * loop's effect.
 */
export function rewriteForOf(node: ESTree.ForOfStatement, rewriter: Rewriter): boolean {
  const { left, right, body } = node;
  const id = left.type === "VariableDeclaration" ? left.declarations[0]?.id : undefined;
  const effect = effectOfForOf(node);
  const code = effect && (rewriter.canFork || !decides(body)) ? codeOf(effect, node.start, rewriter) : undefined;
  if (!id || !effect || !code) return false;
  const { editor } = rewriter;
  const item = editor.newName();
  const value = id.type === "ArrayPattern" ? destructured(item, id, editor) : item;
  // Doesn't begin with a bracket, because the line before may have no semicolon.
  editor.replace(node.start, id.start, `void ${editor.call("forEach", right)}, `);
  editor.remove(id.end, right.start);
  editor.after(right.end, `, ${code.before}`);
  editor.replace(right.end, body.start, `(${item}) => {${code.opening} let `);
  editor.after(id.end, ` = ${value}; `);
  editor.move(id, body.start);
  editor.after(body.end, `${code.closing} }${code.after});`);
  rewritePattern(id, { offset: body.start, opening: "let ", closing: "; ", declares: true }, rewriter, false);
  rewriter.visit(right);
  rewriteEnds(effect, code, editor);
  rewriter.visitIn(true, scopeOfLoop(node, [id], effect), body);
  return true;
}

/** `for (let i = a; i < b; i++) c` */
interface CountingLoop {
  readonly counter: ESTree.Node;
  readonly from: ESTree.Expression;
  readonly operator: "<" | "<=";
  readonly limit: ESTree.Expression;
}

function countingLoop({ init, test, update, body }: ESTree.ForStatement): CountingLoop | undefined {
  if (init?.type !== "VariableDeclaration" || init.kind !== "let" || !update) return undefined;
  const [declared, ...others] = init.declarations;
  if (declared?.id.type !== "Identifier" || !declared.init || others.length > 0) return undefined;
  if (test?.type !== "BinaryExpression" || (test.operator !== "<" && test.operator !== "<=")) return undefined;
  const { name } = declared.id;
  const { left, operator, right: limit } = test;
  const assigned = outerNamesIn(body, assignedBy);
  const isFixed =
    canWait(limit) && !assigned.has(name) && ![...assigned.keys()].some((each) => mentions(limit, each) > 0);
  if (left.type !== "Identifier" || left.name !== name || !addsOne(update, name) || !isFixed) return undefined;
  return { counter: declared.id, from: declared.init, operator, limit };
}

/** `i++`, `i += 1` */
function addsOne(update: ESTree.Expression, name: string): boolean {
  const [only, ...others] = assignedBy(update);
  if (only !== name || others.length > 0) return false;
  if (update.type === "UpdateExpression") return update.operator === "++";
  return (
    update.type === "AssignmentExpression" &&
    update.operator === "+=" &&
    update.right.type === "Literal" &&
    update.right.value === 1
  );
}

/** `for (let i = a; i < b; i++) c` → `count(…, a, "<", () => (b), carrying(…, (i) => { c }));`. Returns whether it is such a loop. */
export function rewriteCounting(node: ESTree.ForStatement, rewriter: Rewriter): boolean {
  const { body } = node;
  const loop = countingLoop(node);
  const effect = loop && effectOf(body, [loop.counter], "ContinueStatement");
  const code = effect && (rewriter.canFork || !decides(body)) ? codeOf(effect, node.start, rewriter) : undefined;
  if (!loop || !effect || !code || !node.test) return false;
  const { editor } = rewriter;
  const { counter, from, operator, limit } = loop;
  editor.replace(node.start, from.start, `void ${editor.call("count", node.test)}, `);
  editor.replace(from.end, limit.start, `, "${operator}", () => (`);
  editor.replace(limit.end, body.start, `), ${code.before}(${editor.textOf(counter)}) => {${code.opening} `);
  editor.after(body.end, `${code.closing} }${code.after});`);
  rewriter.visit(from);
  rewriter.visit(limit);
  rewriteEnds(effect, code, editor);
  rewriter.visitIn(true, scopeOfLoop(node, [counter], effect), body);
  return true;
}

/** `continue;` → `return rows;`, `return a;` → `{ void (a); return rows; }` */
function rewriteEnds({ ends }: LoopEffect, { next }: IterationCode, editor: Editor): void {
  for (const end of ends) {
    const argument = end.type === "ReturnStatement" ? end.argument : null;
    if (argument) {
      editor.replace(end.start, end.start + 6, "{ void (");
      const rest = `); ${next} }`;
      if (argument.end < end.end) editor.replace(argument.end, end.end, rest);
      else editor.after(end.end, rest);
    } else {
      editor.replace(end.start, end.end, next);
    }
  }
}
