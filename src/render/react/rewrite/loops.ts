import type { ESTree } from "../../../process/rolldown.js";
import { addBoundNames, assignmentsIn, childrenOf, isFunction, listsChanged, type NodeOf, someWithin } from "../ast.js";
import { destructured, rewritePattern } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

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
