import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, declarationsIn, declaratorsIn, type FunctionNode, isFunction } from "../ast.js";
import type { SourceRange } from "../runtime/symbolic.js";
import { ancestorsOf, type ProjectModules } from "./modules.js";

/** What a name refers to in a component's source. */
export type NameBinding =
  /** A member of the component's props: the path to it, and its default. */
  | { readonly kind: "received"; readonly path: readonly string[]; readonly otherwise?: ESTree.Node }
  /** A function's parameter, a loop's item, or a member of either, with the path to it. */
  | {
      readonly kind: "own";
      readonly from: ESTree.Node;
      readonly path: readonly string[];
      /** Whether it is a parameter of a top-level function, usually a component. */
      readonly isOutermost: boolean;
    }
  /** Declared at module level, or computed in a function. */
  | { readonly kind: "other" };

/**
 * What a name refers to at a place.
 *
 * @param around The enclosing nodes, innermost first, up to the program.
 * @returns Undefined if it is not declared.
 */
export function bindingOf(name: string, around: readonly ESTree.Node[]): NameBinding | undefined {
  const outermost = around.findLast(isFunction);
  for (const [depth, node] of around.entries()) {
    const match = isFunction(node) ? inPatterns(name, node.params) : inDeclarations(name, node);
    if (!match) continue;
    const { from, path, otherwise } = match;
    const isOutermost = node === outermost;
    if (isOutermost && from === outermost.params[0] && isDefaultExport(node, around.at(-1))) {
      return { kind: "received", path, ...(otherwise && { otherwise }) };
    }
    if (isFunction(node) || node.type.startsWith("For")) return { kind: "own", from, path, isOutermost };
    const [source, ...read] = chainOf(from);
    const origin =
      source === undefined || source === name || otherwise ? undefined : bindingOf(source, around.slice(depth));
    return !origin || origin.kind === "other"
      ? { kind: "other" }
      : { ...origin, path: [...origin.path, ...read, ...path] };
  }
  return undefined;
}

interface PatternMatch {
  /** The parameter, or a variable's initial value. */
  readonly from: ESTree.Node;
  readonly path: readonly string[];
  readonly otherwise?: ESTree.Node;
}

function inPatterns(name: string, patterns: readonly ESTree.Node[]): PatternMatch | undefined {
  for (const from of patterns) {
    const match = inPattern(name, from);
    if (match) return { from, ...match };
  }
  return undefined;
}

function inDeclarations(name: string, node: ESTree.Node): PatternMatch | undefined {
  if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
    const [declared] = node.left.type === "VariableDeclaration" ? node.left.declarations : [];
    return declared && inPatterns(name, [declared.id]);
  }
  for (const declaration of declarationsIn(node)) {
    if (declaration.type === "VariableDeclaration") {
      for (const { id, init } of declaration.declarations) {
        const match = inPattern(name, id);
        if (match) return { from: init ?? id, ...match };
      }
    } else if ("id" in declaration && declaration.id && inPattern(name, declaration.id)) {
      return { from: declaration, path: [] };
    }
  }
  return undefined;
}

function inPattern(name: string, pattern: ESTree.Node): Omit<PatternMatch, "from"> | undefined {
  if (pattern.type === "Identifier") return pattern.name === name ? { path: [] } : undefined;
  if (pattern.type === "RestElement") return inPattern(name, pattern.argument);
  if (pattern.type === "AssignmentPattern") {
    const match = inPattern(name, pattern.left);
    // A default further out applies to an object of which only a member is used.
    return match && { ...match, otherwise: match.otherwise ?? pattern.right };
  }
  if (pattern.type === "Property") {
    const match = inPattern(name, pattern.value);
    const key = pattern.key.type === "Identifier" ? pattern.key.name : undefined;
    return match && key !== undefined && !pattern.computed ? { ...match, path: [key, ...match.path] } : match;
  }
  for (const child of childrenOf(pattern)) {
    const match = inPattern(name, child);
    if (match) return match;
  }
  return undefined;
}

/** `["props", "order", "total"]` for `props.order.total`; empty for anything else. */
function chainOf(node: ESTree.Node): readonly string[] {
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "MemberExpression" || node.computed || node.optional || node.property.type !== "Identifier")
    return [];
  const object = chainOf(node.object);
  return object.length > 0 ? [...object, node.property.name] : [];
}

/** Whether a function is the module's default export, directly, by name, or within `memo(…)`. */
export function isDefaultExport(component: ESTree.Node, program: ESTree.Node | undefined): boolean {
  if (program?.type !== "Program") return false;
  const exported = program.body.find((statement) => statement.type === "ExportDefaultDeclaration");
  if (!exported) return false;
  const { declaration } = exported;
  if (declaration.start <= component.start && component.end <= declaration.end) return true;
  const [name] = identifiersIn(declaration);
  return name !== undefined && isDeclaredAs(name, component, program);
}

/** Whether a function is the value of a top-level name, or is within it. */
export function isDeclaredAs(name: string, component: ESTree.Node, program: ESTree.Program): boolean {
  return declarationsIn(program).some((declaration) => {
    const named = declaration.type === "VariableDeclaration" ? declaration.declarations : [declaration];
    return named.some((each) => {
      if (each.type !== "VariableDeclarator" && each.type !== "FunctionDeclaration") return false;
      const isAround = each.start <= component.start && component.end <= each.end;
      return isAround && each.id?.type === "Identifier" && each.id.name === name;
    });
  });
}

/** `Email` for `Email`, and for `memo(Email)`. */
function identifiersIn(node: ESTree.Node): string[] {
  if (node.type === "Identifier") return [node.name];
  return node.type === "CallExpression" ? node.arguments.flatMap(identifiersIn) : [];
}

/** The initial value of a name, if it is not a function. */
export function initialValueOf(name: string, around: readonly ESTree.Node[]): ESTree.Node | undefined {
  for (const { id, init } of around.flatMap(declaratorsIn)) {
    if (id.type === "Identifier" && id.name === name && init) return isFunction(init) ? undefined : init;
  }
  return undefined;
}

/** The innermost destructuring pattern that binds this name. */
export function patternBinding(name: string, around: readonly ESTree.Node[]): ESTree.Node | undefined {
  const within = (node: ESTree.Node): ESTree.Node | undefined => {
    if (node.type === "AssignmentPattern") return within(node.left);
    if (node.type !== "ObjectPattern") return undefined;
    for (const property of node.properties) {
      if (property.type === "RestElement") continue;
      const value = property.value.type === "AssignmentPattern" ? property.value.left : property.value;
      if (value.type === "Identifier" && value.name === name) return node;
      const inner = within(value);
      if (inner) return inner;
    }
    return undefined;
  };
  for (const node of around) {
    const patterns = isFunction(node) ? node.params : declaratorsIn(node).map(({ id }) => id);
    const pattern = patterns.map(within).find(Boolean);
    if (pattern) return pattern;
  }
  return undefined;
}

/** Whether a function's parameter, or a loop variable, is an item of the iterated list. */
export function isOfEachItem(from: ESTree.Node, around: readonly ESTree.Node[]): boolean {
  return around.some((node, depth) => {
    if (node.type === "ForOfStatement") return node.left.start <= from.start && from.end <= node.left.end;
    return isFunction(node) && node.params[0] === from && isCallback(node, around[depth + 1]);
  });
}

export function itemOfCallback(node: ESTree.Node, depth: number, around: readonly ESTree.Node[]): ESTree.Node[] {
  const [parameter] = isFunction(node) && isCallback(node, around[depth + 1]) ? node.params : [];
  return parameter ? [parameter] : [];
}

function isCallback(node: ESTree.Node, call: ESTree.Node | undefined): boolean {
  return (
    call?.type === "CallExpression" &&
    call.callee.type === "MemberExpression" &&
    call.arguments.some((each) => each === node)
  );
}

/** The list that the innermost `.map` around a site iterates. */
export function iteratedListAt(site: SourceRange, modules: ProjectModules): SourceRange | undefined {
  const module = modules.module(site.file);
  const around = module ? ancestorsOf(module.program, site) : [];
  const depth = around.findIndex((node, index) => isFunction(node) && isCallback(node, around[index + 1]));
  const call = around[depth + 1];
  if (call?.type !== "CallExpression" || call.callee.type !== "MemberExpression") return undefined;
  const { start, end } = call.callee.object;
  return { file: site.file, start, end };
}

export function receivesVariables(component: FunctionNode, program: ESTree.Program): boolean {
  return isDefaultExport(component, program) || isSubject(component, program);
}

function isSubject(component: FunctionNode, program: ESTree.Program): boolean {
  const exported = program.body.filter(({ type }) => type === "ExportNamedDeclaration");
  return isDeclaredAs("subject", component, { ...program, body: exported });
}
