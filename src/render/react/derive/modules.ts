import type { ESTree, Rolldown } from "../../../process/rolldown.js";
import { childrenOf, declaratorsIn, type FunctionNode } from "../ast.js";
import type { ModuleSources } from "../component-bundles.js";
import type { SourceRange } from "../runtime/symbolic.js";

export interface ParsedModule {
  readonly file: string;
  readonly code: string;
  readonly program: ESTree.Program;
}

/** Parses modules on demand, each once. */
export class ProjectModules {
  readonly #sources: ModuleSources;
  readonly #parseSync: Rolldown["parseSync"];
  readonly #names = new Map<string, string>();
  readonly #parsed = new Map<string, ParsedModule | undefined>();

  constructor(sources: ModuleSources, parseSync: Rolldown["parseSync"]) {
    this.#sources = sources;
    this.#parseSync = parseSync;
  }

  get files(): string[] {
    return [...this.#sources.keys()];
  }

  module(file: string): ParsedModule | undefined {
    if (!this.#parsed.has(file)) {
      const code = this.#sources.get(file);
      this.#parsed.set(file, code === undefined ? undefined : parseModule(file, code, this.#parseSync));
    }
    return this.#parsed.get(file);
  }

  /** A name that the project's modules don't use, always the same for a key. */
  nameFor(key: string, base: string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const taken = new Set(this.#names.values());
    for (let number = 1; ; number += 1) {
      const free = `${base}${number === 1 ? "" : number}`;
      if (taken.has(free) || this.has(free)) continue;
      this.#names.set(key, free);
      return free;
    }
  }

  /** Whether the project's modules use a name. */
  has(name: string): boolean {
    const pattern = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`);
    return [...this.#sources.values()].some((code) => pattern.test(code));
  }
}

export function parseModule(file: string, code: string, parseSync: Rolldown["parseSync"]): ParsedModule | undefined {
  const { program, errors } = parseSync(file, code, { preserveParens: false });
  return errors.length > 0 ? undefined : { file, code, program };
}

/** The node of a range and the nodes around it, innermost first; empty if no node has exactly that range. */
export function ancestorsOf(node: ESTree.Node, { start, end }: Pick<SourceRange, "start" | "end">): ESTree.Node[] {
  if (node.start > start || node.end < end) return [];
  for (const child of childrenOf(node)) {
    const path = ancestorsOf(child, { start, end });
    if (path.length > 0) return [...path, node];
  }
  return node.start === start && node.end === end ? [node] : [];
}

/** A name in an expression, with the members that are read from it. */
export interface NameReference {
  readonly name: string;
  readonly read: readonly string[];
  /** The name's node, and one for each member. */
  readonly nodes: readonly ESTree.Node[];
}

/** The names in an expression that are not members. */
export function referencesIn(expression: ESTree.Node): NameReference[] {
  const references: NameReference[] = [];
  const visit = (node: ESTree.Node, read: readonly string[] = [], nodes: readonly ESTree.Node[] = []): void => {
    if (node.type === "Identifier") {
      references.push({ name: node.name, read, nodes: [node, ...nodes] });
    } else if (node.type === "MemberExpression") {
      const { object, property } = node;
      const isNamed = !node.computed && property.type === "Identifier";
      visit(object, isNamed ? [property.name, ...read] : [], isNamed ? [node, ...nodes] : []);
      if (node.computed) visit(property);
    } else if (node.type === "Property") {
      if (node.computed) visit(node.key);
      visit(node.value);
    } else {
      const passesOn = node.type === "ChainExpression" || node.type === "TSNonNullExpression";
      for (const child of childrenOf(node)) visit(child, passesOn ? read : [], passesOn ? nodes : []);
    }
  };
  visit(expression);
  return references;
}

/** A node's type annotation without the colon: `Props` for `props: Props`. */
export function annotationOf(node: ESTree.Node): ESTree.Node | undefined {
  const own = node.type === "AssignmentPattern" ? node.left : node;
  const annotation = "typeAnnotation" in own ? own.typeAnnotation : undefined;
  return annotation?.type === "TSTypeAnnotation" ? annotation.typeAnnotation : undefined;
}

/** A place where a function of the project is called, or used as a component. */
export interface CallSite {
  readonly module: ParsedModule;
  /** The argument for a parameter, or for a property of the first parameter. */
  readonly argument: ESTree.Node;
  /** The offset at which another argument can be passed. */
  readonly end: number;
  readonly isElement: boolean;
}

/** A parameter of a function, and its property if the function is a component. */
export interface Parameter {
  readonly index: number;
  readonly property: string | undefined;
}

export function nameOfFunction(node: FunctionNode, { program }: ParsedModule): string | undefined {
  if (node.id) return node.id.name;
  const declarator = declaratorsIn(program).find(({ init }) => init === node);
  return declarator?.id.type === "Identifier" ? declarator.id.name : undefined;
}

/** All uses of a function; undefined if it may also receive something else. */
export function callSitesOf(
  name: string,
  { index, property }: Parameter,
  modules: ProjectModules,
): CallSite[] | undefined {
  const uses: (CallSite | undefined)[] = [];
  for (const file of modules.files) {
    const module = modules.module(file);
    if (!module) continue;
    const visit = (node: ESTree.Node): void => {
      if (node.type === "JSXOpeningElement" && hasName(node.name, name))
        uses.push(callSiteInElement(node, property, module));
      if (node.type === "CallExpression" && hasName(node.callee, name)) uses.push(callSiteInCall(node, index, module));
      for (const child of childrenOf(node)) visit(child);
    };
    visit(module.program);
  }
  return uses.length > 0 && uses.every((use) => use !== undefined) ? uses : undefined;
}

function hasName(node: ESTree.Node, name: string): boolean {
  return (node.type === "Identifier" || node.type === "JSXIdentifier") && node.name === name;
}

function callSiteInElement(
  { attributes }: ESTree.JSXOpeningElement,
  property: string | undefined,
  module: ParsedModule,
): CallSite | undefined {
  for (const attribute of attributes) {
    if (attribute.type !== "JSXAttribute" || attribute.name.name !== property) continue;
    if (attribute.value?.type !== "JSXExpressionContainer") return undefined;
    return { module, argument: attribute.value.expression, end: attribute.end, isElement: true };
  }
  return undefined;
}

function callSiteInCall(node: ESTree.CallExpression, index: number, module: ParsedModule): CallSite | undefined {
  const argument = node.arguments[index];
  const last = node.arguments.at(-1);
  if (!argument || !last || argument.type === "SpreadElement") return undefined;
  return { module, argument, end: last.end, isElement: false };
}

/** The function parameter, and its property, that a binding refers to. */
export function parameterOf(from: ESTree.Node, read: readonly string[], node: FunctionNode): Parameter | undefined {
  const index = node.params.findIndex((each) => each === from);
  if (index < 0) return undefined;
  const own = from.type === "AssignmentPattern" ? from.left : from;
  return { index, property: own.type === "ObjectPattern" || index === 0 ? read[0] : undefined };
}
