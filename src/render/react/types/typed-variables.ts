import path from "node:path";
import type { Diagnostic, SourcePosition } from "../../../diagnostic.js";
import { unknownNames } from "../../../mustache/read-inferred.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { describeIssue, type Issue } from "../../../project/issues.js";
import { jsonPosition } from "../../../project/source-file.js";
import type { Fixture, Template } from "../../../project/template.js";
import type { CheckedFixture, VariablesModule } from "../../../project/variables-module.js";
import type { CompileContext } from "../../engine.js";
import { typeMismatches, withoutNulls } from "../../typed-examples.js";
import { type ResolvedDeclaration, type TypeModule, TypeModules, TypeSources, Unreadable } from "./type-module.js";
import type { ESTree } from "../../../process/rolldown.js";
import { isFunction } from "../ast.js";
import { type TypeOrigin, TypeReader } from "./type-reader.js";
import { asOneObject } from "./type-value.js";

const runs = new WeakMap<readonly Template[], Promise<TypeModules>>();

/** The type of a component's props: each of the project's modules is read once per run. */
export async function propsTypeOf(
  { body }: Template,
  { folder, together = [] }: Pick<CompileContext, "folder" | "together">,
): Promise<PropsType> {
  const modules = runs.get(together) ?? TypeModules.in(folder);
  runs.set(together, modules);
  return readPropsType(await modules, body.file);
}

/**
 * The type of a component's props, validated with the template's fixtures like a `variables.ts`. If the type contains no
 * information there is no schema, and only files count in which the type could be written.
 */
export async function readTypedVariables(template: Template, context: CompileContext): Promise<VariablesModule> {
  const type = await propsTypeOf(template, context);
  const { schema } = type;
  const base = { isOpen: true, hasDerive: false, sources: [...type.files].sort(), missing: type.missing } as const;
  if (!schema) return { ...base, fixtures: [], diagnostics: [] };
  const checked = template.fixtures.map((fixture) =>
    checkFixture(fixture, { ...type, schema }, template.name, context.folder),
  );
  return {
    ...base,
    schema,
    output: schema,
    fixtures: checked.flatMap(({ fixture }) => fixture ?? []),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
  };
}

type KnownType = PropsType & { readonly schema: VariablesSchema };

function checkFixture(
  fixture: Fixture,
  type: KnownType,
  template: string,
  folder: string,
): { readonly fixture?: CheckedFixture; readonly diagnostics: readonly Diagnostic[] } {
  const { name, source } = fixture;
  const input = withoutNulls(fixture.variables, type.schema);
  const report = (issue: Issue, of: "value" | "name"): Diagnostic => ({
    rule: "fixture-schema",
    severity: "error",
    message: `${describeIssue(issue)} ${describePlace(originAt(type, issue.path), folder)}`,
    template,
    at: jsonPosition(source, issue.path, of),
  });
  const misfits = typeMismatches(input, type.schema).map((issue) => report(issue, "value"));
  // What tags use beyond the type is inferred, so only a name that looks misspelt is an error.
  const misspelt = unknownNames(input, type.schema).flatMap(({ path: steps, near }) =>
    near === undefined
      ? []
      : [
          report(
            { path: steps, message: `not in the type of the component's props (did you mean "${near}"?)` },
            "name",
          ),
        ],
  );
  const diagnostics = [...misfits, ...misspelt];
  return { diagnostics, ...(misfits.length === 0 && { fixture: { name, input, parsed: input } }) };
}

function describePlace({ file, line }: SourcePosition, folder: string): string {
  return `Its type is at ${path.relative(folder, file)}${line === undefined ? "" : `:${line}`}.`;
}

/** Where the type of a variable, or of what contains it, is written. */
function originAt({ schema, origins, at }: KnownType, steps: Issue["path"]): SourcePosition {
  let [place, kinds]: [SourcePosition, readonly VariablesSchema[]] = [at, [schema]];
  for (const step of steps) {
    const inner = kinds
      .flatMap((kind) => kind.anyOf ?? [kind])
      .flatMap(({ items, properties = {} }) =>
        typeof step === "number" ? (typeof items === "object" ? [items] : []) : (properties[String(step)] ?? []),
      );
    place = inner.map((kind) => origins.get(kind)?.at).find((each) => each !== undefined) ?? place;
    kinds = inner;
  }
  return place;
}

/** What the TypeScript type of a component's props specifies about its variables. */
export interface PropsType {
  /** The schema of an object. A member that can't be read is `{}`. Absent if the type specifies nothing. */
  readonly schema?: VariablesSchema;
  readonly unread?: string;
  /** Where the type is written, or otherwise the component. */
  readonly at: SourcePosition;
  /** Where each member's type is written, by the member's schema. */
  readonly origins: ReadonlyMap<VariablesSchema, TypeOrigin>;
  /** Parts of the type that can't be read: their members are inferred from tags and fixtures. */
  readonly gaps: readonly TypeOrigin[];
  /** Absolute paths of the files from which it was read. */
  readonly files: readonly string[];
  /** Absolute paths of imports that can't be resolved, without an extension. */
  readonly missing: readonly string[];
}

/**
 * Reads the type of a component's props from the project's own modules, using only their syntax.
 *
 * @param exportName The name under which the module exports the component.
 *
 * @example
 * // export default function Email({ name = "you" }: { name?: string }) { … }
 * (await readPropsType(modules, file)).schema; // { type: "object", properties: { name: { type: "string" } }, required: [] }
 */
export async function readPropsType(modules: TypeModules, file: string, exportName = "default"): Promise<PropsType> {
  const sources = new TypeSources(modules);
  const reader = new TypeReader(sources);
  const { origins, gaps } = reader;
  let at: SourcePosition = { file };
  const origin = (): Omit<PropsType, "schema"> => ({
    at,
    origins,
    gaps,
    files: [...sources.files],
    missing: [...sources.missing],
  });
  try {
    const module = await modules.read(file);
    if (!module) throw new Unreadable("the file can't be read");
    sources.files.add(file);
    const annotation = await new PropsSearch(sources).ofExported(module, exportName);
    sources.files.add(annotation.module.file);
    at = annotation.module.positionOf(annotation.type);
    const scope = { module: annotation.module, parameters: new Map(), within: [] };
    const schema = asOneObject(await reader.read(annotation.type, scope));
    if (Object.keys(schema.properties ?? {}).length === 0) throw new Unreadable("it has no members");
    const withDefault = namesWithDefault(annotation.parameter);
    const required = (schema.required ?? []).filter((name) => !withDefault.includes(name));
    return { ...origin(), schema: { ...schema, required } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...origin(), unread: error.message };
  }
}

/** The props that have a default in the component's parameter: they are optional, whatever the type declares. */
function namesWithDefault(parameter: ESTree.Node | undefined): string[] {
  if (parameter?.type === "AssignmentPattern") return namesWithDefault(parameter.left);
  if (parameter?.type !== "ObjectPattern") return [];
  return parameter.properties.flatMap((each) => {
    if (each.type !== "Property" || each.computed || each.value.type !== "AssignmentPattern") return [];
    return each.key.type === "Identifier" ? [each.key.name] : [];
  });
}

/** Where the type of a component's props is written. */
interface PropsAnnotation {
  readonly module: TypeModule;
  readonly type: ESTree.TSType;
  /** The component's parameter, if it is written in the source: it may contain defaults. */
  readonly parameter?: ESTree.Node | undefined;
}

/** React types with the props' type as their type argument. */
const COMPONENT_TYPES = ["FC", "FunctionComponent", "VFC", "ComponentType"];

/**
 * Finds the type of the props of a component that a module exports, in all common forms of components: the annotation of
 * the parameter, `FC<Props>` of the variable, `memo` and `forwardRef`, a class. Its methods throw `Unreadable`.
 */
class PropsSearch {
  readonly #sources: TypeSources;
  readonly #seen = new Set<ESTree.Node>();

  constructor(sources: TypeSources) {
    this.#sources = sources;
  }

  async ofExported(module: TypeModule, exportName: string): Promise<PropsAnnotation> {
    const declared = await this.#sources.exported(module, exportName);
    if (!declared) throw new Unreadable(`the file has no ${exportName} export`);
    return this.#declared(declared);
  }

  async #declared({ module, nodes }: ResolvedDeclaration): Promise<PropsAnnotation> {
    const [node] = nodes;
    if (!node || this.#seen.has(node)) throw new Unreadable("no component was found");
    this.#seen.add(node);
    const annotation = await this.#annotationOf(node, module);
    return annotation.parameter ? annotation : { ...annotation, parameter: parameterIn(node) };
  }

  async #annotationOf(node: ESTree.Node, module: TypeModule): Promise<PropsAnnotation> {
    if (node.type !== "VariableDeclarator") return this.#valueOf(node, module);
    const annotation = node.id.typeAnnotation?.typeAnnotation;
    if (annotation) return this.#componentType(annotation, module);
    if (!node.init) throw new Unreadable("no component was found");
    return this.#valueOf(node.init, module);
  }

  async #named(name: string, module: TypeModule): Promise<PropsAnnotation> {
    const declared = await this.#sources.find(module, name);
    if (!declared) throw new Unreadable(`${name} is not declared in the project`);
    return this.#declared(declared);
  }

  async #valueOf(node: ESTree.Node, module: TypeModule): Promise<PropsAnnotation> {
    if (node.type === "Identifier") return this.#named(node.name, module);
    if (node.type === "CallExpression") return this.#called(node, module);
    if (node.type === "ParenthesizedExpression" || node.type === "TSNonNullExpression") {
      return this.#valueOf(node.expression, module);
    }
    // `satisfies FC<Props>` applies to the parameter, and `as FC<Props>` to the export.
    if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") {
      return this.#componentType(node.typeAnnotation, module).catch(() => this.#valueOf(node.expression, module));
    }
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
      const [props] = node.superTypeArguments?.params ?? [];
      if (props) return { module, type: props };
      throw new Unreadable("the class does not declare the type of its props");
    }
    if (isFunction(node)) return { module, type: parameterType(node.params[0]) };
    throw new Unreadable("the component is not a function or class in the source");
  }

  async #called(node: ESTree.CallExpression, module: TypeModule): Promise<PropsAnnotation> {
    const name = calledName(node.callee);
    const args = node.typeArguments?.params ?? [];
    const props = { memo: args[0], forwardRef: args[1] }[name ?? ""];
    if (props)
      return name === "memo"
        ? this.#componentType(props, module).catch(() => ({ module, type: props }))
        : { module, type: props };
    const [component] = node.arguments;
    if (component && ["memo", "forwardRef", "assign"].includes(name ?? "")) return this.#valueOf(component, module);
    throw new Unreadable(`the component is created by ${name ?? "a function"}()`);
  }

  /** `FC<Props>`, `(props: Props) => …`, or a type alias of the project for one of them. */
  async #componentType(node: ESTree.TSType, module: TypeModule): Promise<PropsAnnotation> {
    if (node.type === "TSFunctionType") return { module, type: parameterType(node.params[0]) };
    if (node.type === "TSIntersectionType") {
      for (const each of node.types) {
        const annotation = await this.#componentType(each, module).catch(() => undefined);
        if (annotation) return annotation;
      }
    }
    if (node.type === "TSTypeReference") {
      const [name, props] = [unqualifiedName(node.typeName), node.typeArguments?.params[0]];
      if (props && COMPONENT_TYPES.includes(name ?? "")) return { module, type: props };
      const declared =
        node.typeName.type === "Identifier" ? await this.#sources.find(module, node.typeName.name) : undefined;
      const alias = declared?.nodes[0];
      if (declared && alias?.type === "TSTypeAliasDeclaration") {
        const inner = await this.#componentType(alias.typeAnnotation, declared.module);
        // `type Email<P> = FC<P>`
        const isParameter =
          inner.type.type === "TSTypeReference" &&
          unqualifiedName(inner.type.typeName) === alias.typeParameters?.params[0]?.name.name;
        return isParameter && props ? { module, type: props } : inner;
      }
    }
    throw new Unreadable("the component's type does not declare its props");
  }
}

/** The first parameter of the function that a component consists of or is created from. */
function parameterIn(node: ESTree.Node | null | undefined): ESTree.Node | undefined {
  if (!node) return undefined;
  if (node.type === "VariableDeclarator") return parameterIn(node.init);
  if (node.type === "CallExpression") return parameterIn(node.arguments[0]);
  if (isFunction(node)) return node.params[0];
  return "expression" in node && typeof node.expression === "object" ? parameterIn(node.expression) : undefined;
}

function parameterType(parameter: ESTree.ParamPattern | undefined): ESTree.TSType {
  if (!parameter) throw new Unreadable("the component takes no props");
  const pattern = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  const type = "typeAnnotation" in pattern ? pattern.typeAnnotation?.typeAnnotation : undefined;
  if (!type) throw new Unreadable("the component's parameter has no type");
  return type;
}

function unqualifiedName(node: ESTree.TSTypeName): string | undefined {
  if (node.type === "Identifier") return node.name;
  return node.type === "TSQualifiedName" ? node.right.name : undefined;
}

function calledName(callee: ESTree.Expression): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" ? callee.property.name : undefined;
}
