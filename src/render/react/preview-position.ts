import type { ESTree, Rolldown } from "../../modules/rolldown.js";
import type { SourceFile } from "../../template/template.js";
import type { Steps } from "./leaves.js";
import { childrenOf } from "./rewrite/nodes.js";

/** The offset of a value in a component's `PreviewProps`, or of the nearest enclosing literal. */
export function offsetInPreviewProps(
  { file, text }: SourceFile,
  steps: Steps,
  parseSync: Rolldown["parseSync"],
): number | undefined {
  const { program, errors } = parseSync(file, text, { preserveParens: false });
  let node = errors.length > 0 ? undefined : assigned(program);
  for (const step of node ? steps : []) {
    const inner = node && memberOf(withoutTypes(node), step);
    if (!inner) break;
    node = inner;
  }
  return node?.start;
}

/** The value of `Email.PreviewProps = …`, or of a class's static member. */
function assigned(node: ESTree.Node): ESTree.Node | undefined {
  if (node.type === "AssignmentExpression" && isNamed(node.left)) return node.right;
  if (node.type === "PropertyDefinition" && node.key.type === "Identifier" && node.key.name === "PreviewProps") {
    return node.value ?? undefined;
  }
  for (const child of childrenOf(node)) {
    const value = assigned(child);
    if (value) return value;
  }
  return undefined;
}

function isNamed(node: ESTree.Node): boolean {
  if (node.type.startsWith("TS")) return childrenOf(node).some(isNamed);
  return (
    node.type === "MemberExpression" && node.property.type === "Identifier" && node.property.name === "PreviewProps"
  );
}

function withoutTypes(node: ESTree.Node): ESTree.Node {
  const [inner] = node.type.startsWith("TS") ? childrenOf(node) : [];
  return inner ? withoutTypes(inner) : node;
}

function memberOf(node: ESTree.Node, step: string | number): ESTree.Node | undefined {
  if (node.type === "ArrayExpression") return node.elements[Number(step)] ?? undefined;
  if (node.type !== "ObjectExpression") return undefined;
  const property = node.properties.find((each) => each.type === "Property" && keyOf(each.key) === step);
  return property?.type === "Property" ? property.value : undefined;
}

function keyOf(key: ESTree.Node): unknown {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? key.value : undefined;
}
