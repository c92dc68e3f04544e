import type { ESTree } from "../../../process/rolldown.js";
import { mayEndEarly } from "../ast.js";
import { rewriteCallback } from "./loops.js";
import type { Rewriter } from "./rewriter.js";

/**
 * `a.length` → `length(…, a)`, `a[b]` → `lookUp(…, a, b)`, `a.name` → `holder(…, a, "name").name`, `a?.name` →
 * `optionalHolder(…, a, "name")?.name`
 */
export function rewriteMember(node: ESTree.MemberExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { object, property, optional } = node;
  const access = optional || mayEndEarly(object) ? "?." : ".";
  if (object.type === "Super") return;
  if (!node.computed && property.type === "Identifier" && property.name === "length") {
    const dot = editor.find(optional ? "?." : ".", object.end, property.start);
    editor.before(node.start, `${editor.call("length", node)}, `);
    editor.replace(dot, node.end, `, (a) => a${access}length, ${access === "?."})`);
  } else if (node.computed && !isString(property)) {
    const from = editor.find(optional ? "?." : "[", object.end, property.start);
    editor.before(node.start, `${editor.call("lookUp", node)}, `);
    editor.replace(from, editor.find("[", from, property.start) + 1, ", ");
    editor.replace(node.end - 1, node.end, `, (a, b) => a${access === "." ? "" : access}[b])`);
  } else if (!node.computed) {
    if (property.type === "Identifier" && (optional || mayBeText(node))) {
      const dot = editor.find(optional ? "?." : ".", object.end, property.start);
      editor.before(node.start, `${editor.call(optional ? "optionalHolder" : "holder", node)}, `);
      editor.after(dot, `, "${property.name}")`);
    }
    continueChain(node, rewriter);
  }
  rewriter.visit(object);
  if (node.computed) rewriter.visit(property);
}

/** Whether a member is read from something that should have it, but may be a string variable. */
function mayBeText({ object }: ESTree.MemberExpression): boolean {
  if (object.type === "MetaProperty" || object.type === "ThisExpression") return false;
  return object.type !== "Identifier" || !NOT_A_STRING.test(object.name);
}

/** Never a string variable: the variables as a whole, and globals. */
const NOT_A_STRING = /^(?:props|process|React|Math|Number|Object|globalThis)$/;

/** `a.name(b)` → `receiver(…, a, "name").name(b)`, `a[b](c)` → `method(…, a, b)(c)`, `name(b)` → `callee(…, name)(b)` */
export function rewriteCall(node: ESTree.CallExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { callee } = node;
  if (makesNewObject(node)) return rewriteAssign(node, rewriter);
  if (callee.type === "Identifier") {
    if (callee.name !== "require")
      editor.wrap(callee, rewriter.imported.has(callee.name) ? "imported" : "callee", undefined, node);
  } else if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
    rewriteMethod(callee, node, rewriter);
  } else {
    if (mayBeChosen(callee)) editor.wrap(callee, "callee", undefined, node);
    rewriter.visit(callee);
  }
  const isForEach =
    callee.type === "MemberExpression" && "name" in callee.property && callee.property.name === "forEach";
  const takesWhole = callee.type === "MemberExpression" && takesWholeList(callee);
  for (const [index, argument] of node.arguments.entries()) {
    if (isForEach && index === 0) rewriteCallback(argument, rewriter);
    else if (takesWhole && argument.type === "SpreadElement") rewriteWhole(argument, node, rewriter);
    else rewriter.visit(argument);
  }
}

/** `(a ? b : c)(d)`, `(a ?? b)(c)` */
function mayBeChosen(callee: ESTree.Expression): boolean {
  if (callee.type === "ParenthesizedExpression" || callee.type === "TSAsExpression") {
    return mayBeChosen(callee.expression);
  }
  return callee.type === "ConditionalExpression" || callee.type === "LogicalExpression";
}

/** `Object.assign({ … }, a)` */
function makesNewObject({ callee, arguments: args }: ESTree.CallExpression): boolean {
  if (callee.type !== "MemberExpression" || callee.computed) return false;
  if (callee.object.type !== "Identifier" || callee.object.name !== "Object") return false;
  const isAssign = "name" in callee.property && callee.property.name === "assign";
  return isAssign && args[0]?.type === "ObjectExpression" && !args.some(({ type }) => type === "SpreadElement");
}

/** `Object.assign({ … }, a, b)` → `merge(…, [{ … }, a, b])` */
function rewriteAssign(node: ESTree.CallExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const [first] = node.arguments;
  editor.replace(node.start, first?.start ?? node.end, `${editor.call("merge", node)}, [`);
  editor.replace(node.end - 1, node.end, "])");
  node.arguments.forEach(rewriter.visit);
}

/** `Math.max(...a)`, `b.push(...a)`: the operation concerns the whole list. */
function takesWholeList({ object, property, computed }: ESTree.MemberExpression): boolean {
  if (computed || property.type !== "Identifier") return false;
  return (object.type === "Identifier" && object.name === "Math") || /^(?:push|unshift|splice)$/.test(property.name);
}

function rewriteWhole({ argument }: ESTree.SpreadElement, call: ESTree.CallExpression, rewriter: Rewriter): void {
  rewriter.editor.wrap(argument, "whole", undefined, call);
  rewriter.visit(argument);
}

function rewriteMethod(callee: ESTree.MemberExpression, call: ESTree.CallExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { object, property } = callee;
  const receiver = isOfPackage(object, rewriter) ? "packageReceiver" : "receiver";
  if (!callee.computed && property.type === "Identifier") {
    const dot = editor.find(callee.optional ? "?." : ".", object.end, property.start);
    editor.before(callee.start, `${editor.call(receiver, call)}, `);
    editor.after(dot, `, "${property.name}", ${callee.optional || mayEndEarly(object)})`);
    continueChain(callee, rewriter);
  } else if (callee.computed && !isString(property) && !mayEndEarly(callee)) {
    const from = editor.find("[", object.end, property.start);
    editor.before(callee.start, `${editor.call("method", call)}, `);
    editor.replace(from, from + 1, ", ");
    editor.replace(callee.end - 1, callee.end, ")");
  } else if (callee.computed && !isString(property)) {
    editor.wrap(property, "concrete", JSON.stringify("is the name of a method"));
  }
  rewriter.visit(object);
  if (callee.computed) rewriter.visit(property);
}

/** `library`, `library.strings` */
function isOfPackage(node: ESTree.Node, { imported }: Pick<Rewriter, "imported">): boolean {
  if (node.type === "Identifier") return imported.has(node.name);
  return node.type === "MemberExpression" && !node.computed && isOfPackage(node.object, { imported });
}

/** At the top level of a module, `library.use(a)` → `setup(…, library, true, library.use(a))`: what it changes in the package. */
export function rewriteSetup(node: ESTree.Expression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const root = packageIn(node, rewriter);
  if (root === undefined) return;
  const callee = node.type === "CallExpression" ? node.callee : undefined;
  const isKnown =
    callee?.type === "MemberExpression" ? isOfPackage(callee.object, rewriter) : callee?.type === "Identifier";
  editor.before(node.start, `${editor.call("setup", node)}, ${root}, ${isKnown}, `);
  editor.after(node.end, ")");
}

/** The import that an expression begins with. */
function packageIn(node: ESTree.Node, rewriter: Rewriter): string | undefined {
  if (node.type === "Identifier") return rewriter.imported.has(node.name) ? node.name : undefined;
  if (node.type === "MemberExpression") return packageIn(node.object, rewriter);
  if (node.type === "CallExpression") return packageIn(node.callee, rewriter);
  if (node.type === "AwaitExpression") return packageIn(node.argument, rewriter);
  return node.type === "AssignmentExpression" ? packageIn(node.left, rewriter) : undefined;
}

/** `new Name(a)` → `new (constructed(…, Name))(a)` */
export function rewriteNew(node: ESTree.NewExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  editor.before(node.callee.start, `(${editor.call("constructed", node)}, `);
  editor.after(node.callee.end, "))");
  rewriter.visit(node.callee);
  for (const argument of node.arguments) rewriter.visit(argument);
}

/** An optional chain must still short-circuit after a runtime call has been inserted. */
function continueChain({ object, property, optional }: ESTree.MemberExpression, { editor }: Rewriter): void {
  if (optional || !mayEndEarly(object)) return;
  const dot = editor.find(".", object.end, property.start);
  editor.replace(dot, dot + 1, "?.");
}

function isString(node: ESTree.Node): boolean {
  return node.type === "Literal" && typeof node.value === "string";
}

/** `{ a, ...b, [c]: d, e }` → `merge(…, [{ a }, b, entry(…, c, d), { e }])`, `{ a }` → `made({ a })` */
export function rewriteObject(node: ESTree.ObjectExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const isMerged = node.properties.some(isPart) && !node.properties.some(isAccessor);
  editor.before(node.start, isMerged ? `${editor.call("merge", node)}, [` : `${editor.runtime}.made(`);
  editor.after(node.end, isMerged ? "])" : ")");
  for (const [index, property] of node.properties.entries()) {
    if (!isMerged || !isPart(property)) {
      if (property.type === "SpreadElement") rewriter.visit(property.argument);
      else rewriteProperty(property, rewriter);
      continue;
    }
    const next = node.properties[index + 1]?.start ?? node.end - 1;
    if (property.type === "SpreadElement") {
      editor.replace(property.start, property.start + 3, "}, ");
      editor.after(property.end, ", {");
      rewriter.visit(property.argument);
    } else {
      rewriteEntry(property, rewriter);
    }
    const comma = editor.code.slice(property.end, next).includes(",") ? editor.find(",", property.end, next) : next;
    if (comma < next) editor.remove(comma, comma + 1);
  }
}

/** Whether a property is a part of its own: a spread, or a computed key with a value. */
function isPart(property: ESTree.ObjectPropertyKind): boolean {
  if (property.type === "SpreadElement") return true;
  return property.computed && property.key.type !== "Literal" && !property.method;
}

/** Parts are merged by their values, so accessors would be lost. */
function isAccessor(property: ESTree.ObjectPropertyKind): boolean {
  return property.type === "Property" && property.kind !== "init";
}

/** `[a]: b` → `}, entry(…, a, b), {` */
function rewriteEntry({ key, value, start, end }: ESTree.ObjectProperty, { editor, visit }: Rewriter): void {
  const bracket = editor.find("]", key.end, value.start);
  const colon = editor.find(":", bracket, value.start);
  editor.replace(start, start + 1, `}, ${editor.call("entry", key)}, `);
  editor.remove(bracket, bracket + 1);
  editor.replace(colon, colon + 1, ",");
  editor.after(end, "), {");
  visit(key);
  visit(value);
}

function rewriteProperty(property: ESTree.ObjectProperty, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const { key, value, shorthand, computed } = property;
  if (computed && key.type !== "Literal") editor.wrap(key, "concrete", JSON.stringify("is the name of a member"));
  if (computed) rewriter.visit(key);
  const isHtml = !computed && key.type === "Identifier" && key.name === "__html";
  if (shorthand) {
    if (isHtml) editor.after(property.end, `: ${editor.call("html", property)}, __html)`);
    return;
  }
  if (isHtml) editor.wrap(value, "html");
  rewriter.visit(value);
}

/** `…${a}…` in backticks → the same, tagged with `text(…)` */
export function rewriteTemplate(node: ESTree.TemplateLiteral, rewriter: Rewriter): void {
  const { editor } = rewriter;
  if (node.expressions.length > 0) editor.before(node.start, `${editor.call("text", node)})`);
  for (const expression of node.expressions) rewriter.visit(expression);
}

/** `[...a]` → `copied(…, a)`: a copy of a list counts as the list. */
export function rewriteArray(node: ESTree.ArrayExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const [spread, ...others] = node.elements;
  if (spread?.type !== "SpreadElement" || others.length > 0) {
    rewriteParts(node, rewriter);
    return;
  }
  editor.replace(node.start, editor.find("...", node.start, spread.end) + 3, `${editor.call("copied", node)}, `);
  editor.replace(spread.end, node.end, ", (a) => [...a])");
  rewriter.visit(spread.argument);
}

/** `[a, ...b]` → `joined(…, [a, ...part(…, b)])`, `[a]` → `made([a])` */
function rewriteParts(node: ESTree.ArrayExpression, rewriter: Rewriter): void {
  const { editor } = rewriter;
  const spreads = node.elements.some((element) => element?.type === "SpreadElement");
  editor.before(node.start, spreads ? `${editor.call("joined", node)}, ` : `${editor.runtime}.made(`);
  editor.after(node.end, ")");
  for (const element of node.elements) {
    if (element?.type === "SpreadElement") {
      editor.wrap(element.argument, "part");
      rewriter.visit(element.argument);
    } else rewriter.visit(element);
  }
}

/** `...a` in a call → `...iterate(…, a)` */
export function rewriteSpread(node: ESTree.SpreadElement, rewriter: Rewriter): void {
  rewriter.editor.wrap(node.argument, "iterate");
  rewriter.visit(node.argument);
}
