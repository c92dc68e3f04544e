import { type ESTree, walk } from "../../../process/rolldown.js";
import { memoizeByObject } from "../../../cache/memoize.js";
import { isScript, type SourceModule, type SourceModules } from "./source-modules.js";

/** What a top-level name of a module refers to: a declaration in the project, or an export of a package. */
export type Binding = Declared | Foreign;

export interface Declared {
  readonly kind: "declared";
  readonly module: SourceModule;
  /** A function, a class or an expression. */
  readonly node: ESTree.Node;
  /** Its name in the module; undefined for a default export without one. */
  readonly name: string | undefined;
}

export interface Foreign {
  readonly kind: "foreign";
  readonly specifier: string;
  /** `default`, `*` or an exported name. */
  readonly name: string;
}

export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

export interface FunctionInModule {
  readonly module: SourceModule;
  readonly node: FunctionNode;
}

/** Resolves names and JSX in the project's modules. */
export class Components {
  readonly #modules: SourceModules;
  readonly #topOf = memoizeByObject(({ program }: SourceModule) => topOf(program));

  constructor(modules: SourceModules) {
    this.#modules = modules;
  }

  /** A module's exports by name, including `default`, but not those of `export *` from a package. */
  async exportsOf(module: SourceModule): Promise<ReadonlyMap<string, Binding>> {
    const exports = new Map<string, Binding>();
    for (const name of ["default", ...this.#topOf(module).exported.keys()]) {
      const binding = await this.#exportNamed(module, name, new Set());
      if (binding) exports.set(name, binding);
    }
    return exports;
  }

  /** Resolves a top-level name of a module. */
  async find(module: SourceModule, name: string, seen: ReadonlySet<string> = new Set()): Promise<Binding | undefined> {
    const { declared, imported } = this.#topOf(module);
    const node = declared.get(name);
    if (node?.type === "Identifier" && node.name !== name) return this.find(module, node.name, seen);
    if (node) return { kind: "declared", module, node, name };
    const from = imported.get(name);
    return from && this.#follow(module, from, seen);
  }

  /** A module's named top-level declarations. */
  declaredIn(module: SourceModule): Declared[] {
    return Array.from(this.#topOf(module).declared, ([name, node]) => ({ kind: "declared", module, node, name }));
  }

  /**
   * What a component directly renders, calls or wraps. Elements that it passes to functions, as in `send({ react: <Email /> })`,
   * are not included.
   */
  async usedBy({ module, node }: Declared): Promise<Binding[]> {
    const bindings: Binding[] = [];
    for (const name of usedNames(node)) {
      const [first = "", member] = name.split(".");
      const binding = await this.find(module, first);
      if (binding?.kind === "foreign" && member !== undefined)
        bindings.push(await this.#follow(module, { ...binding, name: member }, new Set()));
      else if (binding) bindings.push(binding);
      else if (/^[a-z]/.test(name) && member === undefined) bindings.push({ kind: "foreign", specifier: "", name });
    }
    return bindings;
  }

  /** Whether a component contains JSX elements itself. */
  hasElements({ node }: Declared): boolean {
    let hasElement = false;
    walkRendered(node, ({ type }) => void (hasElement ||= type === "JSXElement" || type === "JSXFragment"));
    return hasElement;
  }

  /** A component's function, also inside a wrapper: `memo(Email)`, `forwardRef(() => …)`. */
  async functionOf({ module, node }: Declared): Promise<FunctionInModule | undefined> {
    const value = unwrapped(node);
    if (isFunction(value)) return { module, node: value };
    const wrapped = value.type === "CallExpression" ? value.arguments[0] : value;
    if (wrapped?.type === "Identifier") {
      const binding = await this.find(module, wrapped.name);
      return binding?.kind === "declared" && binding.node !== node ? this.functionOf(binding) : undefined;
    }
    return wrapped && wrapped !== value
      ? this.functionOf({ kind: "declared", module, node: wrapped, name: undefined })
      : undefined;
  }

  async #exportNamed(module: SourceModule, name: string, seen: ReadonlySet<string>): Promise<Binding | undefined> {
    const key = `${module.file}\0${name}`;
    if (seen.has(key)) return undefined;
    const within = new Set([...seen, key]);
    const { exported, stars } = this.#topOf(module);
    const from = exported.get(name);
    if (typeof from === "string") return this.find(module, from, within);
    if (from && "type" in from) return { kind: "declared", module, node: from, name: undefined };
    if (from) return this.#follow(module, from, within);
    for (const specifier of stars) {
      const binding = await this.#follow(module, { specifier, name }, within);
      if (binding?.kind === "declared") return binding;
    }
    return undefined;
  }

  async #follow(module: SourceModule, from: Omit<Foreign, "kind">, seen: ReadonlySet<string>): Promise<Binding> {
    const target = await this.#open(from.specifier, module);
    const binding = target && (await this.#exportNamed(target, from.name, seen));
    return binding ?? { kind: "foreign", ...from };
  }

  /** The project's module that a specifier resolves to. */
  async #open(specifier: string, { file }: SourceModule): Promise<SourceModule | undefined> {
    const target = await this.#modules.resolve(specifier, file);
    const source = target === undefined || !isScript(target) ? undefined : await this.#modules.read(target);
    return source && "program" in source ? source : undefined;
  }
}

/** A module's top-level declarations, imports and exports. */
interface Top {
  readonly declared: ReadonlyMap<string, ESTree.Node>;
  readonly imported: ReadonlyMap<string, Omit<Foreign, "kind">>;
  /** By exported name: a local name, a node, or a re-export from another module. */
  readonly exported: ReadonlyMap<string, string | ESTree.Node | Omit<Foreign, "kind">>;
  readonly stars: readonly string[];
}

function topOf(program: ESTree.Program): Top {
  const declared = new Map<string, ESTree.Node>();
  const imported = new Map<string, Omit<Foreign, "kind">>();
  const exported = new Map<string, string | ESTree.Node | Omit<Foreign, "kind">>();
  const stars: string[] = [];
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") {
      for (const specifier of statement.specifiers)
        imported.set(specifier.local.name, { specifier: statement.source.value, name: importedName(specifier) });
    } else if (statement.type === "ExportAllDeclaration") {
      stars.push(statement.source.value);
    } else if (statement.type === "ExportDefaultDeclaration") {
      const { declaration } = statement;
      const [named] = declarationsOf(declaration);
      for (const [name, node] of declarationsOf(declaration)) declared.set(name, node);
      const value = unwrapped(declaration);
      exported.set("default", named?.[0] ?? (value.type === "Identifier" ? value.name : value));
    } else if (statement.type === "ExportNamedDeclaration") {
      for (const [name, node] of statement.declaration ? declarationsOf(statement.declaration) : []) {
        declared.set(name, node);
        exported.set(name, name);
      }
      for (const { local, exported: as } of statement.specifiers)
        exported.set(
          nameOf(as),
          statement.source ? { specifier: statement.source.value, name: nameOf(local) } : nameOf(local),
        );
    } else {
      for (const [name, node] of declarationsOf(statement)) declared.set(name, node);
    }
  }
  return { declared, imported, exported, stars };
}

/** The functions, classes and constants that a statement declares. */
function declarationsOf(statement: ESTree.Node): [string, ESTree.Node][] {
  if (statement.type === "VariableDeclaration")
    return statement.declarations.flatMap(({ id, init }): [string, ESTree.Node][] =>
      id.type === "Identifier" && init ? [[id.name, unwrapped(init)]] : [],
    );
  if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration")
    return statement.id ? [[statement.id.name, statement]] : [];
  return [];
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.type === "ImportNamespaceSpecifier" ? "*" : nameOf(specifier.imported);
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

/** An expression without type assertions: `Email` in `Email as FC<Props>`. */
export function unwrapped(node: ESTree.Node): ESTree.Node {
  const isTyped =
    node.type === "TSAsExpression" ||
    node.type === "TSSatisfiesExpression" ||
    node.type === "TSNonNullExpression" ||
    node.type === "TSTypeAssertion" ||
    node.type === "TSInstantiationExpression";
  return isTyped ? unwrapped(node.expression) : node;
}

function isFunction(node: ESTree.Node): node is FunctionNode {
  return ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].includes(node.type);
}

/** `html`, `Html`, `Email.Html`, `renderLayout`. */
function usedNames(node: ESTree.Node): Set<string> {
  const names = new Set<string>();
  if (node.type === "Identifier") names.add(node.name);
  // `const Email = { Root, Footer }`
  for (const property of node.type === "ObjectExpression" ? node.properties : [])
    if (property.type === "Property" && property.value.type === "Identifier") names.add(property.value.name);
  walkRendered(node, (each) => {
    if (each.type === "JSXOpeningElement") names.add(elementName(each.name));
    for (const called of each.type === "CallExpression" ? [each.callee, ...each.arguments] : [])
      if (called.type === "Identifier") names.add(called.name);
  });
  return names;
}

/** Visits a node and its descendants, except for elements and objects that it passes to functions. */
function walkRendered(node: ESTree.Node, visit: (node: ESTree.Node) => void): void {
  const passed = new Set<ESTree.Node>();
  walk(node, (each) => {
    if (passed.has(each)) return false;
    visit(each);
    for (const argument of each.type === "CallExpression" ? each.arguments : [])
      if (argument.type === "JSXElement" || argument.type === "ObjectExpression") passed.add(argument);
    return true;
  });
}

function elementName(name: ESTree.JSXElementName): string {
  if (name.type === "JSXMemberExpression") return `${elementName(name.object)}.${name.property.name}`;
  return name.type === "JSXNamespacedName" ? name.name.name : "name" in name ? name.name : "this";
}
