import type { ESTree } from "../../../modules/rolldown.js";
import { type Components, type Declared, type FunctionNode, unwrapped } from "./components.js";
import type { SourceModule } from "./source-modules.js";

/** An example of a component's props, as its code has it. */
export type Example =
  /** The component has it itself, and the compiler takes it from there. */
  | { readonly from: "PreviewProps" }
  | { readonly from: "defaultProps" | "default values"; readonly props: Readonly<Record<string, unknown>> }
  /** It takes props, and nothing says what they are like. */
  | { readonly from: "nothing" }
  | { readonly from: "no props" };

/** The example that a component's `PreviewProps`, its `defaultProps` or the default values of its props give. */
export async function exampleOf(component: Declared, components: Components): Promise<Example> {
  const set = propertiesSetOn(component);
  if (set.has("PreviewProps")) return { from: "PreviewProps" };
  const { module } = component;
  const defaultProps = await valueOf(set.get("defaultProps"), module, components);
  const defined = await components.functionOf(component);
  const [first] = defined?.node.params ?? [];
  if (defined && !first) return { from: "no props" };
  const defaults = defined ? await defaultsOf(defined.node, defined.module, components) : {};
  if (isObject(defaultProps)) return { from: "defaultProps", props: { ...defaults, ...defaultProps } };
  return Object.keys(defaults).length > 0 ? { from: "default values", props: defaults } : { from: "nothing" };
}

/** What a module sets on a component at its top, `Email.PreviewProps = {…}`, and the static properties of a class. */
export function propertiesSetOn({ module, node, name }: Declared): ReadonlyMap<string, ESTree.Node> {
  const found = new Map<string, ESTree.Node>();
  for (const statement of module.program.body) {
    if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression") continue;
    const { left, right } = statement.expression;
    const target = unwrapped(left);
    if (target.type !== "MemberExpression" || target.property.type !== "Identifier") continue;
    const object = unwrapped(target.object);
    if (object.type === "Identifier" && object.name === name) found.set(target.property.name, right);
  }
  if (node.type === "ClassDeclaration" || node.type === "ClassExpression")
    for (const member of node.body.body)
      if (member.type === "PropertyDefinition" && member.static && member.key.type === "Identifier" && member.value)
        found.set(member.key.name, member.value);
  return found;
}

/** The default values of the props that a function destructures, in its parameters or at the top of its body. */
async function defaultsOf(
  { params: [first], body }: FunctionNode,
  module: SourceModule,
  components: Components,
): Promise<Readonly<Record<string, unknown>>> {
  if (!first) return {};
  const given = first.type === "AssignmentPattern" ? await valueOf(first.right, module, components) : undefined;
  const param = first.type === "AssignmentPattern" ? first.left : first;
  const patterns: ESTree.Node[] = param.type === "ObjectPattern" ? [param] : [];
  for (const statement of param.type === "Identifier" && body?.type === "BlockStatement" ? body.body : []) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declarations)
      if (id.type === "ObjectPattern" && init?.type === "Identifier" && init.name === nameOf(param)) patterns.push(id);
  }
  const defaults = isObject(given) ? { ...given } : {};
  for (const pattern of patterns) Object.assign(defaults, await defaultsIn(pattern, module, components));
  return defaults;
}

async function defaultsIn(
  pattern: ESTree.Node,
  module: SourceModule,
  components: Components,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const property of pattern.type === "ObjectPattern" ? pattern.properties : []) {
    if (property.type !== "Property") continue;
    const name = keyOf(property);
    const { value } = property;
    const target = value.type === "AssignmentPattern" ? value.left : value;
    const within = await defaultsIn(target, module, components);
    const byDefault = value.type === "AssignmentPattern" ? await valueOf(value.right, module, components) : undefined;
    const example = Object.keys(within).length > 0 ? { ...within, ...(isObject(byDefault) && byDefault) } : byDefault;
    if (name !== undefined && example !== undefined && example !== null) found[name] = example;
  }
  return found;
}

/**
 * What an expression comes to, if that can be told from the code: literals, and constants of the project that are made of
 * such. The environment's variables count as absent.
 *
 * @returns Undefined where it cannot be told, or is no JSON.
 */
async function valueOf(
  written: ESTree.Node | undefined,
  module: SourceModule,
  components: Components,
  depth = 0,
): Promise<unknown> {
  if (written === undefined || depth > MOST_STEPS) return undefined;
  const node = unwrapped(written);
  const inner = (each: ESTree.Node | undefined): Promise<unknown> => valueOf(each, module, components, depth + 1);
  if (node.type === "Literal") return "regex" in node || "bigint" in node ? undefined : node.value;
  if (node.type === "TemplateLiteral") {
    let text = node.quasis[0]?.value.cooked ?? "";
    for (const [index, expression] of node.expressions.entries()) {
      const value = await inner(expression);
      if (value === undefined || typeof value === "object") return undefined;
      text += String(value) + (node.quasis[index + 1]?.value.cooked ?? "");
    }
    return text;
  }
  if (node.type === "ArrayExpression") {
    const items = await Promise.all(node.elements.map((each) => (each ? inner(each) : undefined)));
    return items.some((item) => item === undefined) ? undefined : items;
  }
  if (node.type === "ObjectExpression") return objectOf(node, inner);
  if (node.type === "Identifier") {
    const binding = await components.find(module, node.name);
    if (binding?.kind !== "declared" || isReassigned(binding)) return undefined;
    return valueOf(binding.node, binding.module, components, depth + 1);
  }
  if (node.type === "MemberExpression" && !node.computed) {
    const object = await inner(node.object);
    return isObject(object) && node.property.type === "Identifier" ? object[node.property.name] : undefined;
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

/** More steps than these lead through constants that name each other. */
const MOST_STEPS = 20;

async function objectOf(
  { properties }: ESTree.ObjectExpression,
  inner: (node: ESTree.Node) => Promise<unknown>,
): Promise<Record<string, unknown> | undefined> {
  const object: Record<string, unknown> = {};
  for (const property of properties) {
    const value = await inner(property.type === "SpreadElement" ? property.argument : property.value);
    const name = property.type === "SpreadElement" ? undefined : keyOf(property);
    if (property.type === "SpreadElement" && isObject(value)) Object.assign(object, value);
    else if (name !== undefined && value !== undefined) object[name] = value;
  }
  return object;
}

function keyOf({ key, computed }: Pick<ESTree.ObjectProperty, "key" | "computed">): string | undefined {
  if (computed) return undefined;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

/** `process.env.URL`, and whether it is something. */
function isEnvironment(node: ESTree.Node): boolean {
  const value = unwrapped(node);
  if (value.type === "BinaryExpression") return value.operator.startsWith("==") && isEnvironment(value.left);
  return value.type === "MemberExpression" && (isEnvironment(value.object) || isProcessEnv(value));
}

function isProcessEnv({ object, property }: ESTree.MemberExpression): boolean {
  return nameOf(property) === "env" && (nameOf(object) === "process" || object.type === "MetaProperty");
}

/** Whether a name is a `let` that something may be assigned to. */
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
