import type { ModuleTransform, OwnModule } from "../../../process/bundle.js";
import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, declarationsIn, isComponentElement, isFunction } from "../ast.js";
import {
  rewriteArray,
  rewriteCall,
  rewriteMember,
  rewriteNew,
  rewriteObject,
  rewriteSetup,
  rewriteSpread,
  rewriteTemplate,
} from "./expressions.js";
import { rewriteFunction } from "./functions.js";
import {
  rewriteAssignment,
  rewriteBinary,
  rewriteConditional,
  rewriteEffect,
  rewriteLogical,
  rewriteUnary,
  rewriteUpdate,
} from "./operators.js";
import { importsCode, packageImportsIn } from "./package-imports.js";
import { rewritePattern, shapeOf } from "./patterns.js";
import { Editor, type Rewriter, RUNTIME_KEY } from "./rewriter.js";
import { rewriteBlock, rewriteForEach, rewriteIf, rewriteLoop, rewriteSwitch, rewriteTry } from "./statements.js";

/** `<a b={c}>{d}</a>` → `element(…, <a b={sighted(…, c)}>{sighted(…, d)}</a>)`; with positions, `element(…, positioned(…, <a …>))` */
function rewriteElement(node: ESTree.JSXElement, rewriter: Rewriter, inMarkup = false): void {
  const { editor, withPositions } = rewriter;
  const { openingElement: opening, children } = node;
  const isOpen = mayBeOpen(node);
  if (isOpen || withPositions) {
    const calls = [...(isOpen ? ["element"] : []), ...(withPositions ? ["positioned"] : [])];
    const opened = calls.map((method) => `${editor.call(method, opening)}, `).join("");
    editor.before(node.start, `${inMarkup ? "{" : ""}${opened}`);
    editor.after(node.end, `${")".repeat(calls.length)}${inMarkup ? "}" : ""}`);
  }
  for (const attribute of opening.attributes) rewriteAttribute(attribute, rewriter);
  rewriteChildren(children, rewriter);
}

/** Whether a property may depend on a choice that must be made before the element is created, or React reads the children. */
function mayBeOpen(node: ESTree.JSXElement): boolean {
  const { attributes, name } = node.openingElement;
  return (
    isComponentElement(node) ||
    (name.type === "JSXIdentifier" && READS_CHILDREN.has(name.name)) ||
    attributes.some((each) => each.type === "JSXSpreadAttribute" || each.value?.type === "JSXExpressionContainer")
  );
}

const READS_CHILDREN: ReadonlySet<string> = new Set(["title", "script", "style"]);

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

/**
 * Rewrites a module so that operations that JavaScript would decide at once (`a && b`, `a === b`, `a.length`, a default, an
 * `if`) become runtime calls, which behave like JavaScript unless the value is symbolic.
 *
 * @example
 * await bundleModule(file, { transform: rewriteModule }); // `note && <p/>` → `__lettershop().and(12, 24, note, () => (<p/>))`
 */
export const rewriteModule: ModuleTransform = (module) => rewrite(module, false);

/** The same, with source positions on elements. */
export const rewriteWithPositions: ModuleTransform = (module) => rewrite(module, true);

function rewrite({ file, code, program, edits }: OwnModule, withPositions: boolean): void {
  const editor = new Editor(code, edits);
  const packages = packageImportsIn(program, editor);
  rewriterOf({ editor, imported: packages.names, withPositions, canFork: false, scopes: [] }).visit(program);
  const name = editor.runtime.slice(0, -2);
  // A function, because it is hoisted above all other code of the bundle; on the first line, so that line numbers don't change.
  const runtime = `function ${name}() { return globalThis[Symbol.for("${RUNTIME_KEY}")](${JSON.stringify(file)}); } `;
  editor.prepend(runtime + importsCode(packages, editor));
  editor.append(`\n${editor.runtime}.own(${declaredAtTop(program).join(", ")});`);
}

function rewriterOf(module: Omit<Rewriter, "visit" | "visitIn">): Rewriter {
  const rewriter: Rewriter = {
    ...module,
    visit(node) {
      if (node) rewriteNode(node, rewriter);
    },
    visitIn(forks, scope, node, rule = rewriteNode) {
      rule(node, rewriterOf({ ...module, canFork: forks, scopes: [...module.scopes, scope] }));
    },
  };
  return rewriter;
}

function rewriteNode(node: ESTree.Node, rewriter: Rewriter): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other nodes are only traversed
  switch (node.type) {
    case "LogicalExpression":
      return rewriteLogical(node, rewriter);
    case "ConditionalExpression":
      return rewriteConditional(node, rewriter);
    case "UnaryExpression":
      return rewriteUnary(node, rewriter);
    case "BinaryExpression":
      return rewriteBinary(node, rewriter);
    case "AssignmentExpression":
      return rewriteAssignment(node, rewriter);
    case "UpdateExpression":
      return rewriteUpdate(node, rewriter);
    case "MemberExpression":
      return rewriteMember(node, rewriter);
    case "CallExpression":
      return rewriteCall(node, rewriter);
    case "ImportExpression":
      if (node.source.type !== "Literal") rewriter.editor.wrap(node.source, "importPath");
      return rewriter.visit(node.source);
    case "NewExpression":
      return rewriteNew(node, rewriter);
    case "TaggedTemplateExpression":
      rewriter.visit(node.tag);
      return node.quasi.expressions.forEach(rewriter.visit);
    case "TemplateLiteral":
      return rewriteTemplate(node, rewriter);
    case "ArrayExpression":
      return rewriteArray(node, rewriter);
    case "ObjectExpression":
      return rewriteObject(node, rewriter);
    case "SpreadElement":
      return rewriteSpread(node, rewriter);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "FunctionDeclaration":
      return rewriteFunction(node, rewriter);
    case "VariableDeclarator":
      return rewriteDeclarator(node, rewriter);
    case "ExpressionStatement":
      if (rewriter.scopes.length === 0) rewriteSetup(node.expression, rewriter);
      return rewriteEffect(node.expression, rewriter);
    case "IfStatement":
      return rewriteIf(node, rewriter);
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForStatement":
      return rewriteLoop(node, rewriter);
    case "ForOfStatement":
    case "ForInStatement":
      return rewriteForEach(node, rewriter);
    case "SwitchStatement":
      return rewriteSwitch(node, rewriter);
    case "BlockStatement":
      return rewriteBlock(node, rewriter);
    case "TryStatement":
      return rewriteTry(node, rewriter);
    case "ThrowStatement":
      rewriter.editor.wrap(node.argument, "thrown");
      return rewriter.visit(node.argument);
    case "JSXElement":
      return rewriteElement(node, rewriter);
    case "JSXFragment":
      return rewriteChildren(node.children, rewriter);
    case "ExportDefaultDeclaration":
      return rewriteDefaultExport(node, rewriter);
    default:
      if (node.type.startsWith("TS") && !("expression" in node)) return;
      return childrenOf(node).forEach(rewriter.visit);
  }
}

function rewriteDefaultExport({ declaration }: ESTree.ExportDefaultDeclaration, { editor, visit }: Rewriter): void {
  const isNamed = "id" in declaration && declaration.id;
  if (!isNamed && isWrittenHere(declaration)) {
    editor.before(declaration.start, `${editor.runtime}.own(`);
    editor.after(declaration.end, declaration.type.endsWith("Declaration") ? ");" : ")");
  }
  visit(declaration);
}

/** `const { a = 1 } = b` → `const { a: value } = b, a = fallback(…, value, () => (1))` */
function rewriteDeclarator({ id, init, end }: ESTree.VariableDeclarator, rewriter: Rewriter): void {
  if (!init) return;
  if (id.type === "ArrayPattern") rewriter.editor.wrap(init, "destructure", shapeOf(id));
  rewritePattern(id, { offset: end, opening: ", ", closing: "", declares: true }, rewriter, false);
  rewriter.visit(init);
}

/** The names of a module's top-level declarations that may be functions or components. */
function declaredAtTop(program: ESTree.Program): string[] {
  return declarationsIn(program).flatMap((each) => {
    const node = each.type === "ExportDefaultDeclaration" ? each.declaration : each;
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration")
      return node.id && !node.declare ? [node.id.name] : [];
    if (node.type !== "VariableDeclaration" || node.declare) return [];
    return node.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init && isWrittenHere(init) ? [id.name] : [],
    );
  });
}

/** Whether it is a function or a class of this module, or a call that receives one, such as `memo`. */
function isWrittenHere(node: ESTree.Node): boolean {
  if (node.type === "CallExpression") return node.arguments.some(isWrittenHere);
  return isFunction(node) || node.type === "ClassExpression" || node.type === "ClassDeclaration";
}
