import { bundleModule } from "../../modules/bundle.js";
import type { ESTree } from "../../modules/rolldown.js";
import type { SourcePosition } from "../../diagnostic.js";
import { positionAt } from "../../position.js";
import { childrenOf } from "./rewrite/nodes.js";

/** A place at which own modules hand on a variable. */
export interface Use {
  readonly at: SourcePosition;
  /** Whether it is handed to a component or a function, which may decide by it. */
  readonly isHandedOn: boolean;
}

/** Where own modules hand a variable of this name to an element or to a function. */
export async function usesOf(file: string, name: string): Promise<Use[]> {
  const uses: Use[] = [];
  await bundleModule(file, {
    transform(module) {
      for (const { offset, isHandedOn } of usesIn(module.program, name)) {
        uses.push({ at: { file: module.file, ...positionAt(module.code, offset) }, isHandedOn });
      }
    },
  });
  return uses;
}

interface Place {
  readonly offset: number;
  readonly isHandedOn: boolean;
}

function usesIn(program: ESTree.Program, name: string): Place[] {
  const found = new Map<number, Place>();
  const search = (node: ESTree.Node, place: Place | undefined): void => {
    if (place && isNamed(node, name)) found.set(place.offset, place);
    if (node.type.startsWith("TS") && !("expression" in node)) return;
    if (node.type === "CallExpression") {
      search(node.callee, place);
      for (const argument of node.arguments) search(argument, place && { offset: argument.start, isHandedOn: true });
    } else if (node.type === "JSXElement") {
      const isHandedOn = isComponent(node);
      for (const attribute of node.openingElement.attributes) searchIn(attribute, isHandedOn);
      for (const child of node.children) searchIn(child, isHandedOn);
    } else {
      for (const child of childrenOf(node)) search(child, place);
    }
  };
  const searchIn = (node: ESTree.Node, isHandedOn: boolean): void => {
    if (node.type === "JSXElement") return search(node, undefined);
    const inner = node.type === "JSXAttribute" ? node.value : node;
    if (inner?.type === "JSXExpressionContainer")
      search(inner.expression, { offset: inner.expression.start, isHandedOn });
    else if (inner?.type === "JSXSpreadAttribute") search(inner.argument, { offset: inner.argument.start, isHandedOn });
    else if (inner) search(inner, undefined);
  };
  search(program, undefined);
  return [...found.values()];
}

function isNamed(node: ESTree.Node, name: string): boolean {
  if (node.type === "Identifier") return node.name === name;
  return node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === name;
}

function isComponent({ openingElement: { name } }: ESTree.JSXElement): boolean {
  return name.type !== "JSXIdentifier" || !/^[a-z]/.test(name.name);
}
