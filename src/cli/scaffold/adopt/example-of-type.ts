import type { ESTree } from "../../../modules/rolldown.js";
import { sampleOf } from "../../../mustache/sample.js";
import type { Components } from "./components.js";
import type { SourceModule } from "./source-modules.js";

/** A type where it is written. */
export interface TypeInModule {
  readonly node: ESTree.Node;
  readonly module: SourceModule;
}

export interface TypedProperty {
  /** Undefined where it is not written. */
  readonly type: TypeInModule | undefined;
  readonly isOptional: boolean;
}

/**
 * A value of a type, for an example of what has the type: strings say their own name, lists have two items, a union is the
 * first of its types.
 *
 * @returns Undefined where the type is not written in the project's own modules, or is no JSON.
 */
export async function exampleOfType(
  type: TypeInModule,
  name: string,
  components: Components,
  depth = 0,
): Promise<unknown> {
  if (depth > DEEPEST) return undefined;
  const { node, module } = type;
  const inner = (each: ESTree.Node, as = name): Promise<unknown> =>
    exampleOfType({ node: each, module }, as, components, depth + 1);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of all others nothing is known
  switch (node.type) {
    case "TSStringKeyword":
      return sampleText(name);
    case "TSNumberKeyword":
      return 1;
    case "TSBooleanKeyword":
      return true;
    case "TSLiteralType":
      return node.literal.type === "Literal" && !("bigint" in node.literal) ? node.literal.value : undefined;
    case "TSUnionType":
      for (const each of node.types) {
        const value = await inner(each);
        if (value !== undefined && value !== null) return value;
      }
      return undefined;
    case "TSArrayType":
      return listOf(await inner(node.elementType), await inner(node.elementType, `${name} 2`));
    case "TSTypeOperator":
      return node.operator === "readonly" ? inner(node.typeAnnotation) : undefined;
    case "TSTypeReference": {
      const called = node.typeName.type === "Identifier" ? node.typeName.name : "";
      const [first] = node.typeArguments?.params ?? [];
      if (called === "Date") return SAMPLE_DATE;
      if (first && /^(?:Readonly)?Array$/.test(called))
        return listOf(await inner(first), await inner(first, `${name} 2`));
      const alias = await components.findType(module, called);
      if (alias?.node.type === "TSTypeAliasDeclaration")
        return exampleOfType({ node: alias.node.typeAnnotation, module: alias.module }, name, components, depth + 1);
    }
  }
  const properties = await propertiesOf(type, components);
  if (!properties) return undefined;
  const object: Record<string, unknown> = {};
  for (const [key, { type: of, isOptional }] of properties) {
    const value = of && (await exampleOfType(of, key, components, depth + 1));
    if (value !== undefined) object[key] = value;
    else if (!isOptional) return undefined;
  }
  return object;
}

/** A type that contains itself ends here. */
const DEEPEST = 8;

/** The properties of an object's type; undefined where they are not written in the project's own modules. */
export async function propertiesOf(
  { node, module }: TypeInModule,
  components: Components,
  depth = 0,
): Promise<ReadonlyMap<string, TypedProperty> | undefined> {
  if (depth > DEEPEST) return undefined;
  const inner = (each: ESTree.Node, of = module): Promise<ReadonlyMap<string, TypedProperty> | undefined> =>
    propertiesOf({ node: each, module: of }, components, depth + 1);
  if (node.type === "TSTypeLiteral") return membersOf(node.members, module);
  if (node.type === "TSIntersectionType") return together(await Promise.all(node.types.map((each) => inner(each))));
  if (node.type === "TSInterfaceDeclaration") {
    const above = node.extends.map(({ expression }) => findProperties(expression));
    return together([...(await Promise.all(above)), membersOf(node.body.body, module)]);
  }
  if (node.type !== "TSTypeReference") return undefined;
  const [first] = node.typeArguments?.params ?? [];
  const isWrapper =
    node.typeName.type === "Identifier" && /^(?:Readonly|Partial|Required|PropsWithChildren)$/.test(node.typeName.name);
  return first && isWrapper ? inner(first) : findProperties(node.typeName);

  async function findProperties(name: ESTree.Node): Promise<ReadonlyMap<string, TypedProperty> | undefined> {
    const found = name.type === "Identifier" ? await components.findType(module, name.name) : undefined;
    return (
      found &&
      inner(found.node.type === "TSTypeAliasDeclaration" ? found.node.typeAnnotation : found.node, found.module)
    );
  }
}

function membersOf(members: readonly ESTree.TSSignature[], module: SourceModule): Map<string, TypedProperty> {
  const found = new Map<string, TypedProperty>();
  for (const member of members) {
    if (!("key" in member) || member.computed || member.key.type !== "Identifier") continue;
    const node = member.type === "TSPropertySignature" ? member.typeAnnotation?.typeAnnotation : undefined;
    found.set(member.key.name, { type: node && { node, module }, isOptional: member.optional });
  }
  return found;
}

/** Undefined where not all of them are known. */
function together(
  all: readonly (ReadonlyMap<string, TypedProperty> | undefined)[],
): ReadonlyMap<string, TypedProperty> | undefined {
  return all.includes(undefined) ? undefined : new Map(all.flatMap((each) => [...(each ?? [])]));
}

/** An example of a string with this name. */
export function sampleText(name: string): unknown {
  if (/(?:date|time|At)$|^(?:date|time)/.test(name)) return SAMPLE_DATE;
  return sampleOf({ properties: { [name]: { type: "string" } } })[name];
}

export const SAMPLE_DATE = "2026-01-31T12:00:00.000Z";

function listOf(first: unknown, second: unknown): unknown[] | undefined {
  return first === undefined ? undefined : [first, second];
}
