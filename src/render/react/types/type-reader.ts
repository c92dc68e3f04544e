import type { SourcePosition } from "../../../diagnostic.js";
import { isOpenSchema } from "../../../mustache/infer.js";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../../mustache/javascript-values.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import type { ESTree } from "../../../process/rolldown.js";
import { type ResolvedDeclaration, type TypeModule, type TypeSources, Unreadable } from "./type-module.js";
import {
  ABSENT,
  exclude,
  intersect,
  literalNamesIn,
  mapObjects,
  mergeObjectTypes,
  NEVER,
  typeOfKind,
  typeOfLiterals,
  schemaOfType,
  type TypeValue,
  union,
  withMembers,
} from "./type-value.js";

export interface TypeScope {
  readonly module: TypeModule;
  /** The values of the surrounding type's parameters. */
  readonly parameters: ReadonlyMap<string, () => Promise<TypeValue>>;
  /** The surrounding declarations, to detect a type that refers to itself. */
  readonly within: readonly ESTree.Node[];
}

/** Where a variable's type is written, and why it can't be read, if so. */
export interface TypeOrigin {
  readonly at: SourcePosition;
  readonly unread?: string;
}

type TypeArguments = { readonly params: readonly ESTree.TSType[] } | null | undefined;

/** Reads types as they are written, without a type checker. */
export class TypeReader {
  /** By each member's schema, which is always a separate object. */
  readonly origins = new Map<VariablesSchema, TypeOrigin>();
  /** Other parts of the types that can't be read. */
  readonly gaps: TypeOrigin[] = [];
  readonly #sources: TypeSources;

  constructor(sources: TypeSources) {
    this.#sources = sources;
  }

  /** @throws {Unreadable} */
  async read(node: ESTree.TSType, scope: TypeScope): Promise<TypeValue> {
    switch (node.type) {
      case "TSStringKeyword":
      case "TSTemplateLiteralType":
        return typeOfKind({ type: "string" });
      case "TSNumberKeyword":
        return typeOfKind({ type: "number" });
      case "TSBooleanKeyword":
        return typeOfKind({ type: "boolean" });
      case "TSBigIntKeyword":
        return typeOfKind(BIGINT_SCHEMA);
      case "TSNullKeyword":
        return typeOfKind({ type: "null" });
      case "TSUndefinedKeyword":
      case "TSVoidKeyword":
        return ABSENT;
      case "TSNeverKeyword":
        return NEVER;
      case "TSLiteralType":
        return typeOfLiterals([literalOf(node.literal)]);
      case "TSUnionType":
        return union(await this.#readAll(node.types, scope));
      case "TSIntersectionType":
        return this.#intersection(node.types, scope);
      case "TSArrayType":
        return listOf(await this.read(node.elementType, scope));
      case "TSTupleType":
        return listOf(union(await Promise.all(node.elementTypes.map((each) => this.#tupleElement(each, scope)))));
      case "TSTypeLiteral":
        return typeOfKind(await this.#members(node.members, scope));
      case "TSTypeReference":
        return this.#reference(node.typeName, node.typeArguments, scope);
      case "TSParenthesizedType":
        return this.read(node.typeAnnotation, scope);
      case "TSTypeOperator":
        return this.#operator(node, scope);
      case "TSIndexedAccessType":
        return this.#indexed(node, scope);
      case "TSImportType":
        return this.#imported(node, scope);
      case "TSFunctionType":
      case "TSConstructorType":
        throw new Unreadable("it is a function", { isFunction: true });
      case "TSAnyKeyword":
      case "TSUnknownKeyword":
      case "TSObjectKeyword":
        throw new Unreadable("it does not say what it contains");
      case "TSTypeQuery":
        throw new Unreadable("typeof needs a type checker");
      case "TSConditionalType":
      case "TSInferType":
      case "TSMappedType":
      case "TSThisType":
      case "TSTypePredicate":
      case "TSNamedTupleMember":
        throw new Unreadable("it needs a type checker");
      case "TSSymbolKeyword":
      case "TSIntrinsicKeyword":
      case "TSJSDocNullableType":
      case "TSJSDocNonNullableType":
      case "TSJSDocUnknownType":
        break;
    }
    throw new Unreadable("JSON has no such value");
  }

  /** The type that was declared; if it has parameters, with these arguments. */
  async declared({ module, nodes }: ResolvedDeclaration, args: TypeArguments, scope: TypeScope): Promise<TypeValue> {
    const [first] = nodes;
    if (!first) return NEVER;
    if (scope.within.includes(first)) throw new Unreadable("it refers to itself");
    const around = { module, within: [...scope.within, first] };
    this.#sources.files.add(module.file);
    if (first.type === "TSEnumDeclaration") return typeOfLiterals(enumValues(first));
    if (first.type === "TSTypeAliasDeclaration") {
      return this.read(first.typeAnnotation, { ...around, parameters: this.#bind(first, args, scope, around) });
    }
    if (first.type !== "TSInterfaceDeclaration") throw new Unreadable("it is not a type declaration");
    let object: VariablesSchema = { type: "object", properties: {}, required: [] };
    for (const node of nodes) {
      if (node.type !== "TSInterfaceDeclaration") continue;
      const inner = { ...around, parameters: this.#bind(node, args, scope, around) };
      for (const base of node.extends) object = overridden(object, await this.#base(base, inner));
      object = overridden(object, await this.#members(node.body.body, inner));
    }
    return typeOfKind(object);
  }

  async named(name: string, args: TypeArguments, scope: TypeScope): Promise<TypeValue> {
    const parameter = scope.parameters.get(name);
    if (parameter) return parameter();
    const declared = await this.#sources.find(scope.module, name);
    if (declared) return this.declared(declared, args, scope);
    const [first, second] = args?.params ?? [];
    const of = async (node: ESTree.TSType | undefined): Promise<TypeValue> => {
      if (!node) throw new Unreadable(`${name} lacks a type argument`);
      return this.read(node, scope);
    };
    switch (name) {
      case "Readonly":
      case "NoInfer":
      case "PropsWithChildren":
        return of(first);
      case "Array":
      case "ReadonlyArray":
        return listOf(await of(first));
      case "Partial":
        return mapObjects(await of(first), (object) => ({ ...object, required: [] }));
      case "Required":
        return mapObjects(await of(first), (object) => ({ ...object, required: Object.keys(object.properties ?? {}) }));
      case "Pick":
      case "Omit": {
        const names = literalNamesIn(await of(second));
        return mapObjects(await of(first), (object) =>
          withMembers(object, (each) => names.includes(each) === (name === "Pick")),
        );
      }
      case "Record":
        return typeOfKind(recordOf(await of(first), await of(second)));
      case "NonNullable":
        return exclude(await of(first), { kinds: [{ type: "null" }], absent: true });
      case "Exclude":
      case "Extract":
        return exclude(await of(first), await of(second), name === "Extract");
      case "Date":
        return typeOfKind(DATE_SCHEMA);
      case "Function":
        throw new Unreadable("it is a function", { isFunction: true });
      default:
        throw new Unreadable(`${name} is not declared in the project`);
    }
  }

  #readAll(nodes: readonly ESTree.TSType[], scope: TypeScope): Promise<TypeValue[]> {
    return Promise.all(nodes.map((node) => this.read(node, scope)));
  }

  /** If one part can't be read, the others still describe an object. */
  async #intersection(nodes: readonly ESTree.TSType[], scope: TypeScope): Promise<TypeValue> {
    let all: TypeValue | undefined;
    let unreadable: Unreadable | undefined;
    for (const node of nodes) {
      try {
        const value = await this.read(node, scope);
        all = all ? intersect(all, value) : value;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable ??= error;
        this.gaps.push({ at: scope.module.positionOf(node), unread: error.message });
      }
    }
    if (unreadable && !all?.kinds.every(({ type }) => type === "object")) throw unreadable;
    return all ?? NEVER;
  }

  async #base({ expression, typeArguments }: ESTree.TSInterfaceHeritage, scope: TypeScope): Promise<VariablesSchema> {
    try {
      if (expression.type !== "Identifier") throw new Unreadable("it is not declared in the project");
      const { kinds } = await this.named(expression.name, typeArguments, scope);
      const [only] = kinds;
      if (only?.type !== "object") throw new Unreadable("it is not an object");
      return only;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.gaps.push({ at: scope.module.positionOf(expression), unread: error.message });
      return { type: "object" };
    }
  }

  async #members(nodes: readonly ESTree.Node[], scope: TypeScope): Promise<VariablesSchema> {
    const properties: [string, VariablesSchema][] = [];
    const required: string[] = [];
    let others: VariablesSchema | undefined;
    for (const node of nodes) {
      if (node.type === "TSIndexSignature")
        others = (await this.#member(node.typeAnnotation.typeAnnotation, node, scope))?.schema;
      if (node.type !== "TSPropertySignature" || node.computed) continue;
      const name = keyOf(node.key);
      const member = node.typeAnnotation && (await this.#member(node.typeAnnotation.typeAnnotation, node, scope));
      if (name === undefined || !member) continue;
      properties.push([name, member.schema]);
      if (!node.optional && !member.absent) required.push(name);
    }
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      required,
      ...(others && { additionalProperties: others }),
    };
  }

  /** The schema of a member; undefined if it can't be a variable. */
  async #member(
    type: ESTree.TSType,
    member: ESTree.Node,
    { module, ...scope }: TypeScope,
  ): Promise<{ readonly schema: VariablesSchema; readonly absent: boolean } | undefined> {
    const at = module.positionOf(member);
    const description = module.docOf(member);
    const described = description === undefined ? {} : { description };
    try {
      const value = await this.read(type, { module, ...scope });
      if (value.kinds.length === 0) return undefined;
      const schema = { ...schemaOfType(value), ...described };
      this.origins.set(schema, { at });
      return { schema, absent: value.absent };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (error.isFunction) return undefined;
      const schema = { ...described };
      this.origins.set(schema, { at, unread: error.message });
      return { schema, absent: false };
    }
  }

  async #tupleElement(node: ESTree.TSTupleElement, scope: TypeScope): Promise<TypeValue> {
    if (node.type === "TSNamedTupleMember") return this.#tupleElement(node.elementType, scope);
    if (node.type === "TSOptionalType") return this.read(node.typeAnnotation, scope);
    if (node.type === "TSRestType") return itemsOf(await this.#tupleElement(node.typeAnnotation, scope));
    return this.read(node, scope);
  }

  async #reference(typeName: ESTree.TSTypeName, args: TypeArguments, scope: TypeScope): Promise<TypeValue> {
    if (typeName.type === "Identifier") return this.named(typeName.name, args, scope);
    if (typeName.type === "TSQualifiedName" && typeName.left.type === "Identifier") {
      const namespace = scope.module.imports.get(typeName.left.name);
      const name = typeName.right.name;
      if (namespace?.name === "*") {
        const foreign = { specifier: namespace.specifier, name };
        return this.declared(await this.#sources.findIn(scope.module, foreign), args, scope);
      }
    }
    throw new Unreadable("it is not declared in the project");
  }

  async #imported({ source, qualifier, typeArguments }: ESTree.TSImportType, scope: TypeScope): Promise<TypeValue> {
    if (qualifier?.type !== "Identifier") throw new Unreadable("it is a whole module");
    const foreign = { specifier: source.value, name: qualifier.name };
    return this.declared(await this.#sources.findIn(scope.module, foreign), typeArguments, scope);
  }

  async #operator({ operator, typeAnnotation }: ESTree.TSTypeOperator, scope: TypeScope): Promise<TypeValue> {
    if (operator === "readonly") return this.read(typeAnnotation, scope);
    if (operator !== "keyof") throw new Unreadable("it is a symbol");
    const { kinds } = await this.read(typeAnnotation, scope);
    const [object] = kinds;
    if (kinds.length !== 1 || object?.type !== "object") throw new Unreadable("it needs a type checker");
    return typeOfLiterals(Object.keys(object.properties ?? {}));
  }

  /** `Order["items"][number]` */
  async #indexed({ objectType, indexType }: ESTree.TSIndexedAccessType, scope: TypeScope): Promise<TypeValue> {
    const holder = await this.read(objectType, scope);
    if (indexType.type === "TSNumberKeyword") return itemsOf(holder);
    const names = literalNamesIn(await this.read(indexType, scope));
    const [object] = holder.kinds;
    if (holder.kinds.length !== 1 || object?.type !== "object") throw new Unreadable("it needs a type checker");
    return union(
      names.map((name) => {
        const member = object.properties?.[name];
        if (!member || isOpenSchema(member)) throw new Unreadable(`the member "${name}" was not read`);
        const { description: _, ...schema } = member;
        return { kinds: schema.anyOf ?? [schema], absent: !object.required?.includes(name) };
      }),
    );
  }

  #bind(
    { typeParameters }: Pick<ESTree.TSTypeAliasDeclaration, "typeParameters">,
    args: TypeArguments,
    from: TypeScope,
    around: Omit<TypeScope, "parameters">,
  ): TypeScope["parameters"] {
    const parameters = new Map<string, () => Promise<TypeValue>>();
    for (const [index, { name, default: otherwise }] of (typeParameters?.params ?? []).entries()) {
      const argument = args?.params[index];
      parameters.set(name.name, async () => {
        if (argument) return this.read(argument, from);
        if (otherwise) return this.read(otherwise, { ...around, parameters });
        throw new Unreadable(`${name.name} lacks a type argument`);
      });
    }
    return parameters;
  }
}

/** A member that is declared again replaces the earlier one. */
function overridden(object: VariablesSchema, by: VariablesSchema): VariablesSchema {
  const names = Object.keys(by.properties ?? {});
  return mergeObjectTypes(
    withMembers(object, (name) => !names.includes(name)),
    by,
    (_, own) => own,
  );
}

function listOf({ kinds }: TypeValue): TypeValue {
  // In a JSON list, undefined becomes null; a type that allows it is rare.
  return typeOfKind({ type: "array", ...(kinds.length > 0 && { items: schemaOfType({ kinds, absent: false }) }) });
}

function itemsOf({ kinds }: TypeValue): TypeValue {
  return union(
    kinds.map(({ type, items }) => {
      if (type !== "array" || typeof items !== "object") throw new Unreadable("it is not a list");
      return { kinds: items.anyOf ?? [items], absent: false };
    }),
  );
}

function recordOf(keys: TypeValue, values: TypeValue): VariablesSchema {
  if (keys.kinds.some((kind) => kind.const === undefined && !kind.enum)) {
    return { type: "object", properties: {}, required: [], additionalProperties: schemaOfType(values) };
  }
  const names = literalNamesIn(keys);
  const properties = names.map((name) => [name, schemaOfType(values)] as const);
  return { type: "object", properties: Object.fromEntries(properties), required: values.absent ? [] : names };
}

function literalOf(node: ESTree.Expression): string | number | boolean {
  if (node.type === "UnaryExpression" && node.operator === "-") return -Number(literalOf(node.argument));
  if (node.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? "";
  if (node.type === "Literal" && !("bigint" in node) && !("regex" in node) && node.value !== null) return node.value;
  throw new Unreadable("JSON has no such value");
}

function enumValues({ body }: ESTree.TSEnumDeclaration): (string | number)[] {
  let next = 0;
  return body.members.map(({ initializer }) => {
    const value = initializer ? literalOf(initializer) : next;
    if (typeof value === "boolean") throw new Unreadable("its values are computed");
    next = Number(value) + 1;
    return value;
  });
}

function keyOf(key: ESTree.Node): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}
