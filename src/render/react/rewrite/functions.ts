import type { ESTree } from "../../../process/rolldown.js";
import { assignmentsIn, type FunctionNode } from "../ast.js";
import { afterArrow, decides } from "./loops.js";
import { type Destination, needsRewriting, rewritePattern } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";
import { enterFunction } from "./scopes.js";

/** Moves defaults out of the parameters, and wraps a body with branching statements in `fork(() => { … })`. */
export function rewriteFunction(node: FunctionNode, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { body } = node;
  if (!body) return;
  const start = body.type === "BlockStatement" ? body.start + 1 : afterArrow(node, body, editor);
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

/** Whether a body can run more than once: it may change only its own variables. */
function canRepeat(node: FunctionNode, body: ESTree.Node): boolean {
  if (node.async || node.generator) return false;
  const { declared, assigned } = assignmentsIn(body);
  return [...assigned].every((name) => declared.has(name));
}
