import type { ESTree } from "../../../modules/rolldown.js";
import { rangeOf } from "./editor.js";
import type { Rewriter } from "./rewriter.js";

/** `<a b={c}>{d}</a>` → `element(<a b={sighted(c, …)}>{sighted(d, …)}</a>, …)`; sited, `element(placed(<a …>, …), …)` */
export function rewriteElement(node: ESTree.JSXElement, rewriter: Rewriter, inMarkup = false): void {
  const { editor, sited } = rewriter;
  const { openingElement: opening, children } = node;
  const isOpen = mayBeOpen(node);
  if (isOpen || sited) {
    const calls = `${isOpen ? `${editor.runtime}.element(` : ""}${sited ? `${editor.runtime}.placed(` : ""}`;
    const end = `, ${rangeOf(opening)})`;
    editor.before(node.start, `${inMarkup ? "{" : ""}${calls}`);
    editor.after(node.end, `${isOpen && sited ? end + end : end}${inMarkup ? "}" : ""}`);
  }
  for (const attribute of opening.attributes) rewriteAttribute(attribute, rewriter);
  rewriteChildren(children, rewriter);
}

export function rewriteFragment({ children }: ESTree.JSXFragment, rewriter: Rewriter): void {
  rewriteChildren(children, rewriter);
}

/** Whether a property may depend on a choice that must be made before the element is created. */
function mayBeOpen({ openingElement: { name, attributes } }: ESTree.JSXElement): boolean {
  const isComponent = name.type !== "JSXIdentifier" || !/^[a-z]/.test(name.name);
  return (
    isComponent ||
    attributes.some((each) => each.type === "JSXSpreadAttribute" || each.value?.type === "JSXExpressionContainer")
  );
}

function rewriteAttribute(attribute: ESTree.JSXAttributeItem, rewriter: Rewriter): void {
  const { editor } = rewriter;
  if (attribute.type === "JSXSpreadAttribute") {
    editor.wrap(attribute.argument, "spread");
    rewriter.visit(attribute.argument);
  } else if (attribute.name.name === "key") {
    // A key identifies an element between renderings; here there is only one rendering, and the key is often an index.
    editor.remove(attribute.start, attribute.end);
  } else if (attribute.value?.type === "JSXElement") {
    rewriteElement(attribute.value, rewriter, true);
  } else if (attribute.value?.type === "JSXExpressionContainer") {
    rewriteContainer(attribute.value, rewriter);
  } else {
    rewriter.visit(attribute.value);
  }
}

function rewriteChildren(children: readonly ESTree.JSXChild[], rewriter: Rewriter): void {
  for (const child of children) {
    if (child.type === "JSXElement") rewriteElement(child, rewriter, true);
    else if (child.type === "JSXExpressionContainer") rewriteContainer(child, rewriter);
    else if (child.type === "JSXSpreadChild") rewriter.visit(child.expression);
    else rewriter.visit(child);
  }
}

function rewriteContainer({ expression }: ESTree.JSXExpressionContainer, rewriter: Rewriter): void {
  if (expression.type === "JSXEmptyExpression") return;
  if (!NOT_A_VARIABLE.test(expression.type)) rewriter.editor.wrap(expression, "sighted");
  rewriter.visit(expression);
}

/** Never a variable itself. */
const NOT_A_VARIABLE =
  /^(?:Literal|TemplateLiteral|JSX.*|(?:Object|Array|ArrowFunction|Function|Binary|Unary)Expression)$/;
