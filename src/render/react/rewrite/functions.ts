import type { ESTree } from "../../../modules/rolldown.js";
import { canWait, childrenOf, isFunction, someWithin, type FunctionNode } from "./nodes.js";
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
  rewriter.visitIn(forks, body);
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

interface Names {
  readonly declared: Set<string>;
  readonly assigned: Set<string>;
}

function namesIn(node: ESTree.Node, names: Names = { declared: new Set(), assigned: new Set() }): Names {
  if (node.type === "VariableDeclarator") addNames(node.id, names.declared);
  if (isFunction(node)) for (const parameter of node.params) addNames(parameter, names.declared);
  if ((node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && node.id)
    names.declared.add(node.id.name);
  if (node.type === "AssignmentExpression") addNames(node.left, names.assigned);
  if (node.type === "UpdateExpression") addNames(node.argument, names.assigned);
  for (const child of childrenOf(node)) namesIn(child, names);
  return names;
}

/** The names that a pattern gives values to. */
function addNames(pattern: ESTree.Node, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(pattern.name);
  if (pattern.type === "AssignmentPattern") addNames(pattern.left, names);
  if (pattern.type === "RestElement") addNames(pattern.argument, names);
  if (pattern.type === "ArrayPattern") for (const element of pattern.elements) if (element) addNames(element, names);
  if (pattern.type !== "ObjectPattern") return;
  for (const property of pattern.properties) addNames(property.type === "Property" ? property.value : property, names);
}
