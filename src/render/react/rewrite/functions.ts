import type { ESTree } from "../../../modules/rolldown.js";
import { namesIn } from "./names.js";
import { canWait, someWithin, type FunctionNode } from "./nodes.js";
import { enterFunction } from "./outer.js";
import { needsRewriting, rewritePattern, type Destination } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

/** Takes defaults out of the parameters, and wraps a body whose statements decide something into `fork(() => { … })`. */
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
    // TypeScript allows none that is required after it, as those are whose defaults are taken out.
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

/** Whether there is a statement that decides which code runs, or an expression that must be decided like one. */
function decides(body: ESTree.Node): boolean {
  return someWithin(body, (node) => {
    if (node.type === "LogicalExpression") return !canWait(node.right);
    if (node.type === "ConditionalExpression") return !canWait(node.consequent) || !canWait(node.alternate);
    return node.type === "IfStatement" || node.type === "SwitchStatement";
  });
}

/** Whether a body can be run more than once: it may change only what is its own. */
function canRepeat(node: FunctionNode, body: ESTree.Node): boolean {
  if (node.async || node.generator) return false;
  const { declared, assigned } = namesIn(body);
  return [...assigned].every((name) => declared.has(name));
}
