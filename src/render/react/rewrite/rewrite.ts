import type { ModuleTransform, OwnModule } from "../../../modules/bundle.js";
import type { ESTree } from "../../../modules/rolldown.js";
import { RUNTIME_KEY } from "../runtime/key.js";
import { rewriteCall, rewriteMember, rewriteNew } from "./access.js";
import { broughtByPackages, declaredAtTop, isWrittenHere, rewriteDeclarator } from "./declarations.js";
import { Editor } from "./editor.js";
import { rewriteFunction } from "./functions.js";
import { rewriteElement, rewriteFragment } from "./jsx.js";
import { rewriteArray, rewriteObject, rewriteSpread, rewriteTemplate } from "./literals.js";
import { childrenOf } from "./nodes.js";
import {
  rewriteAssignment,
  rewriteBinary,
  rewriteConditional,
  rewriteEffect,
  rewriteLogical,
  rewriteTarget,
  rewriteUnary,
} from "./operators.js";
import type { Rewriter } from "./rewriter.js";
import { rewriteForEach, rewriteIf, rewriteLoop, rewriteSwitch } from "./statements.js";

/**
 * Rewrites a module so that operations that JavaScript would decide at once (`a && b`, `a === b`, `a.length`, a default, an
 * `if`) become runtime calls, which behave like JavaScript unless the value is symbolic.
 *
 * @example
 * await bundleModule(file, { transform: rewriteModule }); // `note && <p/>` → `__lettershop().and(note, () => (<p/>), 12, 24)`
 */
export const rewriteModule: ModuleTransform = (module) => rewrite(module, false);

/** The same, with source positions on elements. */
export const rewriteSited: ModuleTransform = (module) => rewrite(module, true);

function rewrite({ file, code, program, edits }: OwnModule, sited: boolean): void {
  const editor = new Editor(code, edits);
  const imported = broughtByPackages(program);
  rewriterOf({ editor, imported, sited, forks: false, scopes: [] }).visit(program);
  const name = editor.runtime.slice(0, -2);
  // A function, because it is hoisted above all other code of the bundle; on the first line, so that line numbers don't change.
  editor.prepend(`function ${name}() { return globalThis[Symbol.for("${RUNTIME_KEY}")](${JSON.stringify(file)}); } `);
  editor.append(`\n${editor.runtime}.own(${declaredAtTop(program).join(", ")});`);
}

function rewriterOf(module: Omit<Rewriter, "visit" | "visitIn">): Rewriter {
  const rewriter: Rewriter = {
    ...module,
    visit(node) {
      if (node) rewriteNode(node, rewriter);
    },
    visitIn(forks, scope, node, rule = rewriteNode) {
      rule(node, rewriterOf({ ...module, forks, scopes: [...module.scopes, scope] }));
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
      return rewriteTarget(node.argument, rewriter);
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
    case "JSXElement":
      return rewriteElement(node, rewriter);
    case "JSXFragment":
      return rewriteFragment(node, rewriter);
    case "ExportDefaultDeclaration":
      return rewriteDefaultExport(node, rewriter);
    default:
      if (node.type.startsWith("TS") && !("expression" in node)) return;
      return childrenOf(node).forEach(rewriter.visit);
  }
}

/** A component exported without a name. */
function rewriteDefaultExport({ declaration }: ESTree.ExportDefaultDeclaration, { editor, visit }: Rewriter): void {
  const isNamed = "id" in declaration && declaration.id;
  if (!isNamed && isWrittenHere(declaration)) {
    editor.before(declaration.start, `${editor.runtime}.own(`);
    editor.after(declaration.end, declaration.type.endsWith("Declaration") ? ");" : ")");
  }
  visit(declaration);
}
