import type { ESTree } from "../../../process/rolldown.js";
import type { NodeOf } from "../ast.js";
import type { Editor, Rewriter } from "./rewriter.js";

/*
 * JavaScript applies a default if the value is undefined, which a symbolic value never is. So defaults are moved out of
 * patterns: `{ a = 1 }` → `{ a }`, then `a = fallback(…, a, () => (1))`. Array patterns, which would iterate, are moved
 * out, too: `{ list: [a, b] }` → `{ list: value }`, then `[a, b] = destructure(…, value, 2)`.
 */

/** Where code that is moved out of a pattern goes. */
export interface Destination {
  readonly offset: number;
  /** How a statement or declarator there begins and ends. */
  readonly opening: string;
  readonly closing: string;
  /** Whether names are declared there, so that the pattern needs other names; otherwise they are assigned. */
  readonly declares: boolean;
}

export function needsRewriting(pattern: ESTree.Node): boolean {
  if (pattern.type === "ArrayPattern") return true;
  if (pattern.type === "AssignmentPattern") {
    return pattern.left.type === "Identifier" || !isEmptyLiteral(pattern.right) || needsRewriting(pattern.left);
  }
  return (
    pattern.type === "ObjectPattern" &&
    pattern.properties.some((each) => each.type === "Property" && needsRewriting(each.value))
  );
}

/** Rewrites a pattern of parameters or of a declaration. `inner` means that it is not the whole target of a declaration. */
export function rewritePattern(pattern: ESTree.Node, to: Destination, rewriter: Rewriter, inner = true): void {
  if (pattern.type === "AssignmentPattern") moveOutDefault(pattern, to, rewriter, undefined);
  if (pattern.type === "ObjectPattern") {
    for (const property of pattern.properties) if (property.type === "Property") rewriteMember(property, to, rewriter);
  }
  if (pattern.type === "ArrayPattern") {
    if (inner) moveOutList(pattern, to, rewriter);
    withoutDots(pattern, rewriter.editor);
    for (const element of pattern.elements) {
      if (element) rewritePattern(element.type === "RestElement" ? element.argument : element, to, rewriter);
    }
  }
}

function rewriteMember(property: NodeOf<"Property">, to: Destination, rewriter: Rewriter): void {
  const { key, value, computed, shorthand } = property;
  if (computed) {
    rewriter.editor.wrap(key, "concrete", JSON.stringify("is the name of a member"));
    rewriter.visit(key);
  }
  if (value.type === "AssignmentPattern") moveOutDefault(value, to, rewriter, shorthand ? ": " : "");
  else rewritePattern(value, to, rewriter);
}

/** @param colon The separator between a member's name and its alias; undefined if there is no such pair. */
function moveOutDefault(
  { left, right, start, end }: NodeOf<"AssignmentPattern">,
  to: Destination,
  rewriter: Rewriter,
  colon: string | undefined,
): void {
  const { editor } = rewriter;
  if (left.type !== "Identifier" && isEmptyLiteral(right)) {
    rewritePattern(left, to, rewriter);
    return;
  }
  const isNamed = left.type === "Identifier" && !to.declares;
  const value = isNamed ? left.name : editor.newName();
  const target = left.type === "Identifier" ? left.name : "";
  if (left.type !== "Identifier") {
    moveOut(left, value, to, rewriter);
  } else if (to.declares) {
    if (colon === ": ") editor.between(left.end, `: ${value}`);
    else editor.replace(left.start, left.end, value);
  }
  editor.remove(left.end, right.start);
  editor.remove(right.end, end);
  const opening = left.type === "Identifier" ? `${isNamed ? "" : to.opening}${target}` : "";
  const [list, shape] =
    left.type === "ArrayPattern" ? [`${editor.call("destructure", left)}, `, `, ${shapeOf(left)})`] : ["", ""];
  editor.before(right.start, `${opening} = ${list}${editor.call("fallback", { start, end })}, ${value}, () => (`);
  editor.after(right.end, `))${shape}${to.closing}`);
  editor.move(right, to.offset);
  rewriter.visit(right);
  if (left.type !== "Identifier") rewritePattern(left, to, rewriter, false);
}

function moveOutList(pattern: NodeOf<"ArrayPattern">, to: Destination, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const value = editor.newName();
  moveOut(pattern, value, to, rewriter);
  editor.after(pattern.end, ` = ${destructured(value, pattern, editor)}${to.closing}`);
}

export function destructured(value: string, pattern: NodeOf<"ArrayPattern">, editor: Editor): string {
  return `${editor.call("destructure", pattern)}, ${value}, ${shapeOf(pattern)})`;
}

/** The number of names that a list is destructured into, and whether the last one takes the rest. */
export function shapeOf({ elements }: NodeOf<"ArrayPattern">): string {
  return `${elements.length}, ${elements.at(-1)?.type === "RestElement"}`;
}

/** `[a, ...b]` → `[a, b]`: destructuring returns the rest as one list. */
export function withoutDots(
  { elements }: ESTree.Node & { readonly elements: readonly (ESTree.Node | null)[] },
  editor: Editor,
): void {
  const rest = elements.at(-1);
  if (rest?.type === "RestElement") editor.remove(rest.start, rest.argument.start);
}

/** Leaves a name in place of a pattern that is moved to the destination. */
function moveOut(pattern: ESTree.Node, name: string, to: Destination, { editor }: Rewriter): void {
  editor.between(pattern.start, name);
  editor.before(pattern.start, to.declares ? to.opening : `let `);
  editor.move(pattern, to.offset);
}

function isEmptyLiteral(node: ESTree.Node): boolean {
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") return isEmptyLiteral(node.expression);
  if (node.type === "ObjectExpression") return node.properties.length === 0;
  return node.type === "ArrayExpression" && node.elements.length === 0;
}
