import type { ESTree } from "../../../modules/rolldown.js";
import { isFunction } from "./nodes.js";
import { rewritePattern, shapeOf } from "./patterns.js";
import type { Rewriter } from "./rewriter.js";

/** `const { a = 1 } = b` → `const { a: value } = b, a = fallback(value, () => (1), …)` */
export function rewriteDeclarator({ id, init, end }: ESTree.VariableDeclarator, rewriter: Rewriter): void {
  if (!init) return;
  if (id.type === "ArrayPattern") rewriter.editor.wrap(init, "destructure", shapeOf(id));
  rewritePattern(id, { offset: end, opening: ", ", closing: "", declares: true }, rewriter, false);
  rewriter.visit(init);
}

/** The names of a module's top-level declarations that may be functions or components. */
export function declaredAtTop(program: ESTree.Program): string[] {
  return program.body.flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
      ? declaredBy(statement.declaration)
      : declaredBy(statement),
  );
}

function declaredBy(node: ESTree.Node | null): string[] {
  if (node?.type === "FunctionDeclaration" || node?.type === "ClassDeclaration") {
    return node.id && !node.declare ? [node.id.name] : [];
  }
  if (node?.type !== "VariableDeclaration" || node.declare) return [];
  return node.declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && init && isWrittenHere(init) ? [id.name] : [],
  );
}

/** Whether it is a function or a class of this module, or a call that receives one, such as `memo`. */
export function isWrittenHere(node: ESTree.Node): boolean {
  if (node.type === "CallExpression") return node.arguments.some(isWrittenHere);
  return isFunction(node) || node.type === "ClassExpression" || node.type === "ClassDeclaration";
}

/**
 * A module's imports from packages, and the functions that these create for it: `const badge = cva(…)`. React's own functions
 * are excluded: React calls them itself.
 */
export function broughtByPackages(program: ESTree.Program): Set<string> {
  const imports = program.body.filter((statement) => statement.type === "ImportDeclaration");
  const fromPackages = imports.filter(
    ({ source }) => !/^[./#~@]\/?$|^\.{0,2}\/|^react(?:-dom)?(?:\/|$)/.test(source.value),
  );
  const imported = new Set(fromPackages.flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)));
  const statements = program.body.map((each) => (each.type === "ExportNamedDeclaration" ? each.declaration : each));
  const declarations = statements.flatMap((each) => (each?.type === "VariableDeclaration" ? each.declarations : []));
  const made = declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && init?.type === "CallExpression" && isNameIn(init.callee, imported) ? [id.name] : [],
  );
  return new Set([...imported, ...made]);
}

function isNameIn(node: ESTree.Node, names: ReadonlySet<string>): boolean {
  return node.type === "Identifier" && names.has(node.name);
}
