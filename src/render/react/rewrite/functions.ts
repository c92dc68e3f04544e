import type { ESTree } from "../../../process/rolldown.js";
import { collectingCallback, type Collecting } from "./collecting.js";
import { namesIn } from "./names.js";
import { canWait, childrenOf, isFunction, someWithin, type FunctionNode } from "./nodes.js";
import { isDecision, rewriteEffect } from "./operators.js";
import { enterFunction } from "./outer.js";
import { needsRewriting, rewritePattern, type Destination } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";
import { closing, endTurns, opening } from "./turns.js";

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

/** `(a) => rows.push(b)` → `adding(rows, (turn) => (a) => { return turn((rows) => { void (rows.push(b)); return rows; }) })` */
export function rewriteCallback(node: ESTree.Node, rewriter: Rewriter): void {
  const collecting = collectingCallback(node);
  if (!collecting || !isFunction(node) || !node.body || (!rewriter.forks && decidesWhatItAdds(node))) {
    rewriter.visit(node);
    return;
  }
  const { editor } = rewriter;
  const turn = editor.newName();
  editor.before(node.start, `${editor.runtime}.adding(${collecting.rows}, (${turn}) => (`);
  editor.after(node.end, "))");
  rewriteTurn(node, node.body, { collecting, turn }, rewriter);
}

interface Turn {
  readonly collecting: Collecting;
  readonly turn: string;
}

function rewriteTurn(node: FunctionNode, body: ESTree.Node, { collecting, turn }: Turn, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const isBlock = body.type === "BlockStatement";
  const start = isBlock ? body.start + 1 : afterArrow(node, body, rewriter);
  if (isBlock) {
    editor.before(start, ` return ${opening(turn, collecting)}`);
    editor.after(body.end - 1, `${closing(collecting)};`);
  } else {
    editor.between(start, " {");
    editor.before(start, ` return ${opening(turn, collecting)}void (`);
    editor.after(node.end, `)${closing(collecting)}; }`);
  }
  const scope = enterFunction(node, rewriter);
  const to: Destination = { offset: start, opening: "let ", closing: "; ", declares: false };
  for (const parameter of node.params) rewritePattern(parameter, to, rewriter);
  endTurns(collecting, rewriter);
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
  if (!collectingCallback(callback) || !isFunction(callback) || !callback.body) return false;
  return isDecision(callback.body) || decides(callback.body);
}

/** Whether a body can run more than once: it may change only its own variables. */
function canRepeat(node: FunctionNode, body: ESTree.Node): boolean {
  if (node.async || node.generator) return false;
  const { declared, assigned } = namesIn(body);
  return [...assigned, ...addedTo(body)].every((name) => declared.has(name));
}

/** The names of the lists to which something is pushed. */
function addedTo(node: ESTree.Node): string[] {
  const inner = childrenOf(node).flatMap(addedTo);
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return inner;
  const { object, property, computed } = node.callee;
  const isPush = !computed && property.type === "Identifier" && /^(?:push|unshift)$/.test(property.name);
  return isPush && object.type === "Identifier" ? [object.name, ...inner] : inner;
}
