import type { ESTree } from "../../../process/rolldown.js";
import { canWait } from "../ast.js";
import { shapeOf, withoutDots } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

const LOGICAL = { "&&": "and", "||": "or", "??": "nullish" } as const;

/** `a && b` → `and(…, a, () => (b))` */
export function rewriteLogical(node: ESTree.LogicalExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { left, operator, right } = node;
  if (canWait(right)) {
    const at = editor.find(operator, left.end, right.start);
    editor.before(node.start, `${editor.call(LOGICAL[operator], node)}, `);
    editor.replace(at, at + operator.length, ", () => (");
    editor.after(node.end, "))");
  } else {
    rewriteTest(left, rewriter);
  }
  rewriter.visit(left);
  rewriter.visit(right);
}

/** `a ? b : c` → `when(…, a, () => (b), () => (c))` */
export function rewriteConditional(node: ESTree.ConditionalExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { test, consequent, alternate } = node;
  if (canWait(consequent) && canWait(alternate)) {
    const question = editor.find("?", test.end, consequent.start);
    const colon = editor.find(":", consequent.end, alternate.start);
    editor.before(node.start, `${editor.call("when", node)}, `);
    editor.replace(question, question + 1, ", () => (");
    editor.replace(colon, colon + 1, "), () => (");
    editor.after(node.end, "))");
  } else {
    rewriteTest(test, rewriter);
  }
  for (const part of [test, consequent, alternate]) rewriter.visit(part);
}

/** `a && b()` whose result is unused: `b` runs or doesn't, as in an `if`. */
export function rewriteEffect(node: ESTree.Node, rewriter: Rewriter): void {
  if (!rewriter.canFork || !isDecision(node)) {
    rewriter.visit(node);
    return;
  }
  const test = node.type === "LogicalExpression" ? node.left : node.test;
  rewriteTest(test, rewriter);
  rewriter.visit(test);
  for (const part of node.type === "LogicalExpression" ? [node.right] : [node.consequent, node.alternate])
    rewriteEffect(part, rewriter);
}

/** Whether an expression decides which of its parts run. */
export function isDecision(node: ESTree.Node): node is ESTree.LogicalExpression | ESTree.ConditionalExpression {
  return node.type === "ConditionalExpression" || (node.type === "LogicalExpression" && node.operator === "&&");
}

export function rewriteTest(test: ESTree.Expression, { editor, canFork: forks }: Rewriter): void {
  editor.wrap(test, forks ? "test" : "unforked");
}

/** `!a` → `not(…, a)`, `-a` → `unary(…, "-", a)` */
export function rewriteUnary(node: ESTree.UnaryExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { operator, argument } = node;
  const end = node.start + operator.length;
  const native = `(a) => ${operator} a)`;
  if (operator === "!") {
    editor.replace(node.start, end, `${editor.call("not", node)}, `);
    editor.after(node.end, ")");
  } else if (operator === "typeof" && argument.type === "Identifier") {
    editor.before(node.start, `${editor.call("typeOf", node)}, `);
    editor.after(node.end, `, () => ${argument.name}, ${native}`);
  } else if (operator === "delete" && argument.type === "MemberExpression") {
    return rewriteTarget(argument, rewriter);
  } else if (operator !== "void" && operator !== "delete" && argument.type !== "Literal") {
    editor.replace(node.start, end, `${editor.call("unary", node)}, "${operator}",`);
    editor.after(node.end, `, ${native}`);
  }
  rewriter.visit(argument);
}

/** `a === b` → `binary(…, "===", a, b)` */
export function rewriteBinary(node: ESTree.BinaryExpression | ESTree.PrivateInExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { left, operator, right } = node;
  const isPrivate = left.type === "PrivateIdentifier";
  if (!isPrivate && !(left.type === "Literal" && right.type === "Literal")) {
    const at = editor.find(operator, left.end, right.start);
    editor.before(node.start, `${editor.call("binary", node)}, "${operator}", `);
    editor.replace(at, at + operator.length, ",");
    editor.after(node.end, `, (a, b) => a ${operator} b)`);
  }
  if (!isPrivate) rewriter.visit(left);
  rewriter.visit(right);
}

/** `a += b` → `a = binary(…, "+", a, b)` */
export function rewriteAssignment(node: ESTree.AssignmentExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { left, operator, right } = node;
  const at = editor.find(operator, left.end, right.start);
  const target = editor.textOf(left);
  const combined = operator.slice(0, -1);
  if (operator === "=") {
    if (left.type === "ArrayPattern") {
      editor.wrap(right, "destructure", shapeOf(left));
      withoutDots(left, editor);
    }
  } else if (!isRepeatable(left)) {
    editor.wrap(right, "concrete", JSON.stringify("is assigned to a computed target"));
  } else if (isLogical(combined)) {
    editor.replace(at, at + operator.length, `= ${editor.call(LOGICAL[combined], node)}, ${target}, () => (`);
    editor.after(node.end, "))");
  } else {
    editor.replace(at, at + operator.length, `= ${editor.call("binary", node)}, "${combined}", ${target}, `);
    editor.after(node.end, `, (a, b) => a ${combined} b)`);
  }
  rewriteTarget(left, rewriter);
  rewriter.visit(right);
}

/** `++a` → `a = increment(…, 1, a, (a) => ++a)`, `a++` → `before(…, a, a = increment(…, 1, a, (a) => ++a))` */
export function rewriteUpdate(node: ESTree.UpdateExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { argument, operator, prefix } = node;
  const target = editor.textOf(argument);
  if (isRepeatable(argument)) {
    const by = operator === "++" ? 1 : -1;
    const result = ` = ${editor.call("increment", node)}, ${by}, ${target}, (a) => ${operator}a))`;
    if (prefix) {
      editor.replace(node.start, node.start + operator.length, "(");
      editor.after(node.end, result);
    } else {
      editor.before(node.start, `${editor.call("before", node)}, ${target}, `);
      editor.replace(node.end - operator.length, node.end, result);
    }
  }
  rewriteTarget(argument, rewriter);
}

/** An assignment target must stay a reference; only the path to it is rewritten. */
export function rewriteTarget(node: ESTree.Node, rewriter: Rewriter): void {
  if (node.type !== "MemberExpression") return;
  const isNamed = !node.computed || node.property.type === "Literal";
  if (node.object.type !== "Super") rewriter.editor.wrap(node.object, "target", String(isNamed), node);
  rewriter.visit(node.object);
  if (!node.computed) return;
  if (!isNamed) rewriter.editor.wrap(node.property, "memberName");
  rewriter.visit(node.property);
}

function isLogical(operator: string): operator is keyof typeof LOGICAL {
  return operator in LOGICAL;
}

/** Whether a target can be repeated without evaluating anything twice. */
function isRepeatable(node: ESTree.Node): boolean {
  if (node.type === "Identifier" || node.type === "ThisExpression") return true;
  return node.type === "MemberExpression" && !node.computed && isRepeatable(node.object);
}
