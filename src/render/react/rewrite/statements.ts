import type { ESTree } from "../../../modules/rolldown.js";
import { rewriteTarget, rewriteTest } from "./operators.js";
import { rewritePattern } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

export function rewriteIf(node: ESTree.IfStatement, rewriter: Rewriter): void {
  rewriteTest(node.test, rewriter);
  for (const part of [node.test, node.consequent, node.alternate]) rewriter.visit(part);
}

type Loop = ESTree.WhileStatement | ESTree.DoWhileStatement | ESTree.ForStatement;

export function rewriteLoop(node: Loop, rewriter: Rewriter): void {
  if (node.test) rewriter.editor.wrap(node.test, "loop");
  if (node.type === "ForStatement") {
    rewriter.visit(node.init);
    rewriter.visit(node.test);
    rewriter.visit(node.update);
  } else {
    rewriter.visit(node.test);
  }
  rewriter.visit(node.body);
}

/** `for (… of a)` → `for (… of iterate(a, …))` */
export function rewriteForEach(node: ESTree.ForOfStatement | ESTree.ForInStatement, rewriter: Rewriter): void {
  rewriter.editor.wrap(node.right, "iterate");
  if (node.left.type === "VariableDeclaration" && node.body.type === "BlockStatement") {
    const to = { offset: node.body.start + 1, opening: "let ", closing: "; ", declares: true };
    for (const { id } of node.left.declarations) rewritePattern(id, to, rewriter);
  }
  rewriteTarget(node.left, rewriter);
  rewriter.visit(node.right);
  rewriter.visit(node.body);
}

/** `switch (a) { case "b": …` → `switch (match(a, ["b"], …)) { case "b": …` */
export function rewriteSwitch(node: ESTree.SwitchStatement, rewriter: Rewriter): void {
  const { editor, forks } = rewriter;
  const tests = node.cases.flatMap(({ test }) => test ?? []);
  if (forks && tests.every(isConstant)) {
    editor.wrap(node.discriminant, "match", `[${tests.map((test) => editor.textOf(test)).join(", ")}]`);
  } else {
    if (forks) editor.wrap(node.discriminant, "concrete", JSON.stringify("is compared with cases that are computed"));
    else editor.wrap(node.discriminant, "unforked");
  }
  rewriter.visit(node.discriminant);
  for (const { test, consequent } of node.cases) {
    if (test && !isConstant(test)) rewriter.visit(test);
    for (const statement of consequent) rewriter.visit(statement);
  }
}

function isConstant(node: ESTree.Node): boolean {
  if (node.type === "UnaryExpression") return isConstant(node.argument);
  return node.type === "Literal" || (node.type === "TemplateLiteral" && node.expressions.length === 0);
}
