import type { ESTree } from "../../../process/rolldown.js";
import { isOpenSchema } from "../../../mustache/infer.js";
import { SAMPLE_DATE } from "../../../mustache/sample.js";
import type { PropsType } from "../../../render/react/types/typed-variables.js";
import { type Components, type Declared, type FunctionInModule, type FunctionNode, unwrapped } from "./components.js";
import { exampleOfSchema, exampleOfUse } from "./example-of-schema.js";
import type { SourceModule } from "./source-modules.js";
import { isRecord } from "../../../values.js";

/** An example of a component's props, derived from its code. */
export type PropsExample =
  /** The compiler uses the component's own `PreviewProps`. */
  | { readonly kind: "PreviewProps" }
  | { readonly kind: "props"; readonly props: Readonly<Record<string, unknown>>; readonly from: readonly string[] }
  /** The code does not show what these props look like. */
  | { readonly kind: "unknown"; readonly props: readonly string[] }
  | { readonly kind: "no props" };

/**
 * Finds example props for a component: its `PreviewProps`; else a combination of an element that previews it, its
 * `defaultProps`, its props' default values, types and use. The result fits the types, so that it compiles.
 */
export async function exampleOf(
  component: Declared,
  type: PropsType,
  components: Components,
  preview?: ElementInModule,
): Promise<PropsExample> {
  const { schema = {}, gaps } = type;
  const set = propertiesSetOn(component);
  const previewProps = set.get("PreviewProps");
  if (previewProps) {
    const previewValue = await valueOf(previewProps, component.module, components);
    const fitting = type.schema && isRecord(previewValue) ? exampleOfSchema(schema, "", previewValue) : previewValue;
    if (fitting === previewValue || !isRecord(fitting)) return { kind: "PreviewProps" };
    return { kind: "props", props: fitting, from: ["its PreviewProps", TYPES] };
  }
  const defined = await components.functionOf(component);
  if (defined && defined.node.params.length === 0) return { kind: "no props" };
  const written: [string, unknown][] = [
    ["what its preview passes", preview && (await attributesOf(preview, components))],
    ["its defaultProps", await propsIn(set.get("defaultProps"), component.module, components)],
    [DEFAULTS, defined && (await defaultsOf(defined.node, defined.module, components))],
  ];
  const collected = new Map<string, unknown>();
  const from = new Set<string>();
  for (const [source, values] of written)
    for (const [name, value] of isRecord(values) ? Object.entries(values) : []) {
      if (collected.has(name) || (source === DEFAULTS && hasServedImage(value))) continue;
      collected.set(name, value);
      from.add(source);
    }
  const { taken, withDefault } = destructuredBy(defined);
  const { properties = {}, required = [], additionalProperties } = schema;
  const isClosed = type.schema !== undefined && gaps.length === 0 && additionalProperties === undefined;
  const named = Object.keys(properties);
  const needed = required.filter((name) => !isOpenSchema(properties[name] ?? {}));
  const names = new Set([...(taken ?? named), ...needed, ...collected.keys()]);
  const props: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const name of names) {
    const value = collected.get(name);
    // Leave out a prop whose default can't be read from the code, so that the default applies.
    const isLeftOut = (withDefault.has(name) && !needed.includes(name)) || (isClosed && !named.includes(name));
    if (value === undefined && isLeftOut) continue;
    const member = properties[name] ?? {};
    const fitting = (each: unknown): unknown => (isOpenSchema(member) ? each : exampleOfSchema(member, name, each));
    const ofType = fitting(value);
    const example = ofType ?? fitting(defined?.node.body ? exampleOfUse(defined.node.body, name) : undefined);
    if (example !== undefined) props[name] = example;
    else if (required.includes(name) || !named.includes(name)) unknown.push(name);
    if (example !== undefined && example !== value) from.add(ofType === undefined ? USE : TYPES);
  }
  const isOpen = taken === undefined && !isClosed;
  const received = defined?.node.params[0];
  const used = isOpen && received?.type === "Identifier" && exampleOfUse(defined?.node.body ?? received, received.name);
  if (isRecord(used) && from.size === 0) return { kind: "props", props: used, from: [USE] };
  if (unknown.length > 0 || (isOpen && from.size === 0)) return { kind: "unknown", props: unknown };
  if (names.size === 0) return { kind: "no props" };
  const example = exampleOfSchema(schema, "", props);
  return { kind: "props", props: isRecord(example) ? example : props, from: [...from] };
}

const TYPES = "the types of its props";
const DEFAULTS = "its default values";
const USE = "the use of its props";

/** Whether a value contains the URL of an image that React Email serves. It is updated in components, but not in fixtures. */
function hasServedImage(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("/static/");
  return typeof value === "object" && value !== null && Object.values(value).some(hasServedImage);
}

/** The props that a function destructures; undefined if it may use others. */
function destructuredBy(defined: FunctionInModule | undefined): {
  readonly taken: readonly string[] | undefined;
  readonly withDefault: ReadonlySet<string>;
} {
  const [first] = defined?.node.params ?? [];
  const param = first?.type === "AssignmentPattern" ? first.left : first;
  const destructuring = defined && param && destructuredIn(defined.node, param);
  const pattern = param?.type === "ObjectPattern" ? param : destructuring?.pattern;
  if (!pattern || pattern.properties.some(({ type }) => type === "RestElement"))
    return { taken: undefined, withDefault: new Set() };
  const properties = pattern.properties.flatMap((property) => (property.type === "Property" ? [property] : []));
  const hasDefault = ({ value }: ESTree.BindingProperty): boolean =>
    destructuring?.hasDefaults === true || value.type === "AssignmentPattern";
  return {
    taken: properties.flatMap((property) => keyOf(property) ?? []),
    withDefault: new Set(properties.filter(hasDefault).flatMap((property) => keyOf(property) ?? [])),
  };
}

/** The pattern of `const { name } = props` or `const { name } = { ...example, ...props }`, where `props` is the parameter. */
function destructuredIn(
  { body }: FunctionNode,
  param: ESTree.Node,
): { readonly pattern: ESTree.ObjectPattern; readonly hasDefaults: boolean } | undefined {
  for (const statement of body?.type === "BlockStatement" ? body.body : []) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declarations)
      if (id.type === "ObjectPattern" && init && passesOn(init, param))
        return { pattern: id, hasDefaults: init.type === "ObjectExpression" };
  }
  return undefined;
}

/** Whether an expression is the props, or `{ ...example, ...props }`. */
function passesOn(node: ESTree.Node, param: ESTree.Node): boolean {
  if (node.type !== "ObjectExpression") return node.type === "Identifier" && node.name === nameOf(param);
  return node.properties.some((each) => each.type === "SpreadElement" && passesOn(each.argument, param));
}

/** An element such as `<Email name="Ada" {...example} />`, with its module. */
export interface ElementInModule {
  readonly element: ESTree.JSXElement;
  readonly module: SourceModule;
}

async function attributesOf({ element, module }: ElementInModule, components: Components): Promise<unknown> {
  const props: Record<string, unknown> = {};
  for (const attribute of element.openingElement.attributes) {
    if (attribute.type === "JSXSpreadAttribute") {
      Object.assign(props, await propsIn(attribute.argument, module, components));
    } else if (attribute.name.type === "JSXIdentifier") {
      const { value } = attribute;
      const written = value?.type === "JSXExpressionContainer" ? value.expression : value;
      const attributeValue = written ? await valueOf(written, module, components) : true;
      if (attributeValue !== undefined) props[attribute.name.name] = attributeValue;
    }
  }
  return props;
}

/** The properties that a module assigns to a component, as in `Email.PreviewProps = {…}`, and a class's static properties. */
export function propertiesSetOn({ module, node, name }: Declared): ReadonlyMap<string, ESTree.Node> {
  const properties = new Map<string, ESTree.Node>();
  for (const statement of module.program.body) {
    if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression") continue;
    const { left, right } = statement.expression;
    const target = unwrapped(left);
    if (target.type !== "MemberExpression" || target.property.type !== "Identifier") continue;
    const object = unwrapped(target.object);
    if (object.type === "Identifier" && object.name === name) properties.set(target.property.name, right);
  }
  if (node.type === "ClassDeclaration" || node.type === "ClassExpression")
    for (const member of node.body.body)
      if (member.type === "PropertyDefinition" && member.static && member.key.type === "Identifier" && member.value)
        properties.set(member.key.name, member.value);
  return properties;
}

/** The default values of the props that a function destructures in its parameters or in its body. */
async function defaultsOf(
  { params: [first], body }: FunctionNode,
  module: SourceModule,
  components: Components,
): Promise<Readonly<Record<string, unknown>>> {
  if (!first) return {};
  const parameterDefaults = first.type === "AssignmentPattern" ? await propsIn(first.right, module, components) : {};
  const param = first.type === "AssignmentPattern" ? first.left : first;
  const patterns: ESTree.Node[] = param.type === "ObjectPattern" ? [param] : [];
  const defaults = { ...parameterDefaults };
  const isProps = (node: ESTree.Node): boolean => node.type === "Identifier" && node.name === nameOf(param);
  for (const statement of param.type === "Identifier" && body?.type === "BlockStatement" ? body.body : []) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declarations) {
      if (init && isProps(init)) patterns.push(id);
      // `{ ...example, ...props }`
      if (init?.type !== "ObjectExpression") continue;
      const end = init.properties.findIndex((each) => each.type === "SpreadElement" && isProps(each.argument));
      const before = { ...init, properties: init.properties.slice(0, Math.max(0, end)) };
      Object.assign(defaults, await propsIn(before, module, components));
    }
  }
  for (const pattern of patterns) Object.assign(defaults, await defaultsIn(pattern, module, components));
  return defaults;
}

async function defaultsIn(
  pattern: ESTree.Node,
  module: SourceModule,
  components: Components,
): Promise<Record<string, unknown>> {
  const defaults: Record<string, unknown> = {};
  for (const property of pattern.type === "ObjectPattern" ? pattern.properties : []) {
    if (property.type !== "Property") continue;
    const name = keyOf(property);
    const { value } = property;
    const target = value.type === "AssignmentPattern" ? value.left : value;
    const within = await defaultsIn(target, module, components);
    const byDefault = value.type === "AssignmentPattern" ? await valueOf(value.right, module, components) : undefined;
    const example = Object.keys(within).length > 0 ? { ...within, ...(isRecord(byDefault) && byDefault) } : byDefault;
    if (name !== undefined && example !== undefined && example !== null) defaults[name] = example;
  }
  return defaults;
}

/**
 * Evaluates an expression of literals and the project's constants. Environment variables count as unset.
 *
 * @returns Undefined if the expression can't be evaluated or its value is not JSON.
 */
async function valueOf(
  written: ESTree.Node | undefined,
  module: SourceModule,
  components: Components,
  depth = 0,
): Promise<unknown> {
  if (written === undefined || depth > MAX_STEPS) return undefined;
  const node = unwrapped(written);
  const inner = (each: ESTree.Node | undefined): Promise<unknown> => valueOf(each, module, components, depth + 1);
  if (node.type === "Literal") return "regex" in node || "bigint" in node ? undefined : node.value;
  if (node.type === "TemplateLiteral") {
    let text = node.quasis[0]?.value.cooked ?? "";
    for (const [index, expression] of node.expressions.entries()) {
      const value = await inner(expression);
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      text += `${value}${node.quasis[index + 1]?.value.cooked ?? ""}`;
    }
    return text;
  }
  if (node.type === "ArrayExpression") {
    const items = await Promise.all(node.elements.map((each) => inner(each ?? undefined)));
    return items.some((item) => item === undefined) ? undefined : items;
  }
  if (node.type === "ObjectExpression") return objectOf(node, inner);
  // In variables, dates are strings. A prop whose default is a date keeps that default, because it is left out.
  if (node.type === "NewExpression" && nameOf(node.callee) === "Date") return depth === 0 ? undefined : SAMPLE_DATE;
  if (node.type === "Identifier" || node.type === "MemberExpression") {
    const constant = await constantAt(node, module, components);
    return constant && valueOf(constant.node, constant.module, components, depth + 1);
  }
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const value = await inner(node.argument);
    return typeof value === "number" ? -value : undefined;
  }
  if (node.type === "BinaryExpression" && node.operator === "+") {
    const [left, right] = [await inner(node.left), await inner(node.right)];
    if (typeof left === "string" && typeof right === "string") return left + right;
    return typeof left === "number" && typeof right === "number" ? left + right : undefined;
  }
  if (node.type === "ConditionalExpression" && isEnvironment(node.test)) return inner(node.alternate);
  if (node.type === "LogicalExpression" && isEnvironment(node.left) && node.operator !== "&&") return inner(node.right);
  return undefined;
}

/** Maximum depth, because constants may refer to each other. */
const MAX_STEPS = 20;

/** The expression of a constant or of its member: `"Ada"` for `users.ada.name`. */
async function constantAt(
  written: ESTree.Node,
  module: SourceModule,
  components: Components,
): Promise<{ readonly node: ESTree.Node; readonly module: SourceModule } | undefined> {
  const node = unwrapped(written);
  if (node.type === "Identifier") {
    const binding = await components.find(module, node.name);
    return binding?.kind === "declared" && !isReassigned(binding) ? binding : undefined;
  }
  if (node.type !== "MemberExpression" || node.computed) return undefined;
  const object = await constantAt(node.object, module, components);
  const value = object && unwrapped(object.node);
  if (value?.type !== "ObjectExpression") return undefined;
  const member = value.properties.find((each) => each.type === "Property" && keyOf(each) === nameOf(node.property));
  return member?.type === "Property" ? { node: member.value, module: object?.module ?? module } : undefined;
}

/** @returns Undefined if a member can't be evaluated. */
async function objectOf(
  { properties }: ESTree.ObjectExpression,
  inner: (node: ESTree.Node) => Promise<unknown>,
): Promise<Record<string, unknown> | undefined> {
  const object: Record<string, unknown> = {};
  for (const property of properties) {
    const value = await inner(property.type === "SpreadElement" ? property.argument : property.value);
    const name = property.type === "SpreadElement" ? undefined : keyOf(property);
    if (property.type === "SpreadElement" && isRecord(value)) Object.assign(object, value);
    else if (name !== undefined && value !== undefined) object[name] = value;
    else if (!isUndefined(property)) return undefined;
  }
  return object;
}

/** `{ note: undefined }` */
function isUndefined(property: ESTree.ObjectPropertyKind): boolean {
  return property.type === "Property" && nameOf(property.value) === "undefined";
}

/** Evaluates an object of props, leaving out members that can't be evaluated. */
async function propsIn(
  written: ESTree.Node | undefined,
  module: SourceModule,
  components: Components,
): Promise<Record<string, unknown>> {
  const constant = written && (await constantAt(unwrapped(written), module, components));
  if (constant) return propsIn(constant.node, constant.module, components);
  const node = written && unwrapped(written);
  if (node?.type !== "ObjectExpression") return {};
  const props: Record<string, unknown> = {};
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      Object.assign(props, await propsIn(property.argument, module, components));
      continue;
    }
    const name = keyOf(property);
    const value = await valueOf(property.value, module, components);
    if (name !== undefined && value !== undefined) props[name] = value;
  }
  return props;
}

function keyOf({ key, computed }: Pick<ESTree.ObjectProperty, "key" | "computed">): string | undefined {
  if (computed) return undefined;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

/** `process.env.URL`, or a comparison of it. */
function isEnvironment(node: ESTree.Node): boolean {
  const value = unwrapped(node);
  if (value.type === "BinaryExpression") return value.operator.startsWith("==") && isEnvironment(value.left);
  return value.type === "MemberExpression" && (isEnvironment(value.object) || isProcessEnv(value));
}

function isProcessEnv({ object, property }: ESTree.MemberExpression): boolean {
  return nameOf(property) === "env" && (nameOf(object) === "process" || object.type === "MetaProperty");
}

/** Whether a name is declared with `let` or `var`, so that it may be reassigned. */
function isReassigned({ module, name }: Declared): boolean {
  return module.program.body.some((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    return (
      declaration?.type === "VariableDeclaration" &&
      declaration.kind !== "const" &&
      declaration.declarations.some(({ id }) => nameOf(id) === name)
    );
  });
}

function nameOf(node: ESTree.Node): string | undefined {
  return node.type === "Identifier" ? node.name : undefined;
}
