import { bundleModule } from "../../modules/bundle.js";
import type { ESTree } from "../../modules/rolldown.js";
import type { SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../text/position.js";
import { childrenOf } from "./rewrite/nodes.js";

/** A place at which the project's modules pass on a variable. */
export interface Use {
  readonly at: SourcePosition;
  /** Whether it is passed to a component or a function, which may test it. */
  readonly isPassedOn: boolean;
}

/** Where the project's modules pass a variable of this name to an element or to a function. */
export async function usesOf(file: string, name: string): Promise<Use[]> {
  const uses: Use[] = [];
  await bundleModule(file, {
    transform(module) {
      for (const { offset, isPassedOn } of usesIn(module.program, name)) {
        uses.push({ at: { file: module.file, ...positionAt(module.code, offset) }, isPassedOn });
      }
    },
  });
  return uses;
}

interface Place {
  readonly offset: number;
  readonly isPassedOn: boolean;
}

function usesIn(program: ESTree.Program, name: string): Place[] {
  const byOffset = new Map<number, Place>();
  const search = (node: ESTree.Node, place: Place | undefined): void => {
    if (place && isNamed(node, name)) byOffset.set(place.offset, place);
    if (node.type.startsWith("TS") && !("expression" in node)) return;
    if (node.type === "CallExpression") {
      search(node.callee, place);
      for (const argument of node.arguments) search(argument, place && { offset: argument.start, isPassedOn: true });
    } else if (node.type === "JSXElement") {
      const isPassedOn = isComponent(node);
      for (const attribute of node.openingElement.attributes) searchIn(attribute, isPassedOn);
      for (const child of node.children) searchIn(child, isPassedOn);
    } else {
      for (const child of childrenOf(node)) search(child, place);
    }
  };
  const searchIn = (node: ESTree.Node, isPassedOn: boolean): void => {
    if (node.type === "JSXElement") return search(node, undefined);
    const inner = node.type === "JSXAttribute" ? node.value : node;
    if (inner?.type === "JSXExpressionContainer")
      search(inner.expression, { offset: inner.expression.start, isPassedOn });
    else if (inner?.type === "JSXSpreadAttribute") search(inner.argument, { offset: inner.argument.start, isPassedOn });
    else if (inner) search(inner, undefined);
  };
  search(program, undefined);
  return [...byOffset.values()];
}

function isNamed(node: ESTree.Node, name: string): boolean {
  if (node.type === "Identifier") return node.name === name;
  return node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === name;
}

function isComponent({ openingElement: { name } }: ESTree.JSXElement): boolean {
  return name.type !== "JSXIdentifier" || !/^[a-z]/.test(name.name);
}
