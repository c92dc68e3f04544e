import type { ESTree } from "../../../process/rolldown.js";
import { childrenOf, type FunctionNode } from "../rewrite/nodes.js";
import type { Edit } from "./edits.js";
import type { Modules, ParsedModule } from "./syntax.js";

/** A place where a function of the project is called, or used as a component. */
export interface Use {
  readonly module: ParsedModule;
  /** The argument for a parameter, or for a property of the first parameter. */
  readonly argument: ESTree.Node;
  /** Passes one more argument. */
  readonly give: (name: string, text: string) => Edit;
}

/** A parameter of a function, and its property if the function is a component. */
export interface Parameter {
  readonly index: number;
  readonly property: string | undefined;
}

/** The name of a top-level function in its module. */
export function nameOfFunction(node: FunctionNode, { program }: ParsedModule): string | undefined {
  if (node.id) return node.id.name;
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    const declarator = declaration.declarations.find(({ init }) => init === node);
    if (declarator?.id.type === "Identifier") return declarator.id.name;
  }
  return undefined;
}

/** All uses of a function; undefined if it may also receive something else. */
export function usesOf(name: string, { index, property }: Parameter, modules: Modules): Use[] | undefined {
  const uses: (Use | undefined)[] = [];
  for (const file of modules.files) {
    const module = modules.module(file);
    if (!module) continue;
    const visit = (node: ESTree.Node): void => {
      if (node.type === "JSXOpeningElement" && isNamed(node.name, name))
        uses.push(useInElement(node, property, module));
      if (node.type === "CallExpression" && isNamed(node.callee, name)) uses.push(useInCall(node, index, module));
      for (const child of childrenOf(node)) visit(child);
    };
    visit(module.program);
  }
  return uses.length > 0 && uses.every((use) => use !== undefined) ? uses : undefined;
}

function isNamed(node: ESTree.Node, name: string): boolean {
  return (node.type === "Identifier" || node.type === "JSXIdentifier") && node.name === name;
}

function useInElement(
  { attributes }: ESTree.JSXOpeningElement,
  property: string | undefined,
  module: ParsedModule,
): Use | undefined {
  for (const attribute of attributes) {
    if (attribute.type !== "JSXAttribute" || attribute.name.name !== property) continue;
    if (attribute.value?.type !== "JSXExpressionContainer") return undefined;
    const { end } = attribute;
    const give = (name: string, text: string): Edit => {
      return { kind: "name", file: module.file, at: end, name: `${name}={${text}}`, before: " ", after: "" };
    };
    return { module, argument: attribute.value.expression, give };
  }
  return undefined;
}

function useInCall(node: ESTree.CallExpression, index: number, module: ParsedModule): Use | undefined {
  const argument = node.arguments[index];
  const last = node.arguments.at(-1);
  if (!argument || !last || argument.type === "SpreadElement") return undefined;
  const give = (_name: string, text: string): Edit => {
    return { kind: "name", file: module.file, at: last.end, name: text, before: ", ", after: "" };
  };
  return { module, argument, give };
}

/** The function parameter, and its property, that a binding refers to. */
export function parameterOf(from: ESTree.Node, read: readonly string[], node: FunctionNode): Parameter | undefined {
  const index = node.params.findIndex((each) => each === from);
  if (index < 0) return undefined;
  const own = from.type === "AssignmentPattern" ? from.left : from;
  return { index, property: own.type === "ObjectPattern" || index === 0 ? read[0] : undefined };
}
