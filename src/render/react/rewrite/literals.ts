import type { ESTree } from "../../../process/rolldown.js";
import { rangeOf } from "./editor.js";
import type { Rewriter } from "./rewriter.js";

/** `{ a, ...b, c }` → `merge([{ a }, b, { c }], …)` */
export function rewriteObject(node: ESTree.ObjectExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const spreads = node.properties.some(({ type }) => type === "SpreadElement") && !node.properties.some(isAccessor);
  if (spreads) {
    editor.before(node.start, `${editor.runtime}.merge([`);
    editor.after(node.end, `], ${rangeOf(node)})`);
  }
  for (const [index, property] of node.properties.entries()) {
    if (property.type !== "SpreadElement" || !spreads) {
      if (property.type === "SpreadElement") rewriter.visit(property.argument);
      else rewriteProperty(property, rewriter);
      continue;
    }
    const next = node.properties[index + 1]?.start ?? node.end - 1;
    editor.replace(property.start, property.start + 3, "}, ");
    editor.after(property.end, ", {");
    const comma = editor.code.slice(property.end, next).includes(",") ? editor.find(",", property.end, next) : next;
    if (comma < next) editor.remove(comma, comma + 1);
    rewriter.visit(property.argument);
  }
}

/** Parts are merged by their values, so accessors would be lost. */
function isAccessor(property: ESTree.ObjectPropertyKind): boolean {
  return property.type === "Property" && property.kind !== "init";
}

function rewriteProperty(property: ESTree.ObjectProperty, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { key, value, shorthand, computed } = property;
  if (computed && key.type !== "Literal") editor.wrap(key, "concrete", JSON.stringify("is the name of a member"));
  if (computed) rewriter.visit(key);
  const isHtml = !computed && key.type === "Identifier" && key.name === "__html";
  if (shorthand) {
    if (isHtml) editor.after(property.end, `: ${editor.runtime}.html(__html, ${rangeOf(property)})`);
    return;
  }
  if (isHtml) editor.wrap(value, "html");
  rewriter.visit(value);
}

/** `…${a}…` in backticks → the same, tagged with `text(…)` */
export function rewriteTemplate(node: ESTree.TemplateLiteral, rewriter: Rewriter): void {
  const { editor } = rewriter;
  if (node.expressions.length > 0) editor.before(node.start, `${editor.runtime}.text(${rangeOf(node)})`);
  for (const expression of node.expressions) rewriter.visit(expression);
}

/** `[...a]` → `copied(a, …)`: a copy of a list counts as the list. */
export function rewriteArray(node: ESTree.ArrayExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const [spread, ...others] = node.elements;
  if (spread?.type !== "SpreadElement" || others.length > 0) {
    rewriteParts(node, rewriter);
    return;
  }
  editor.replace(node.start, editor.find("...", node.start, spread.end) + 3, `${editor.runtime}.copied(`);
  editor.replace(spread.end, node.end, `, (a) => [...a], ${rangeOf(node)})`);
  rewriter.visit(spread.argument);
}

/** `[a, ...b]` → `joined([a, ...part(b, …)], …)` */
function rewriteParts(node: ESTree.ArrayExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const spreads = node.elements.filter((element) => element?.type === "SpreadElement");
  if (spreads.length > 0) {
    editor.before(node.start, `${editor.runtime}.joined(`);
    editor.after(node.end, `, ${rangeOf(node)})`);
  }
  for (const element of node.elements) {
    if (element?.type === "SpreadElement") {
      editor.wrap(element.argument, "part");
      rewriter.visit(element.argument);
    } else rewriter.visit(element);
  }
}

/** `...a` in a call → `...iterate(a, …)` */
export function rewriteSpread(node: ESTree.SpreadElement, rewriter: Rewriter): void {
  rewriter.editor.wrap(node.argument, "iterate");
  rewriter.visit(node.argument);
}
