import type { ESTree, Rolldown } from "../../../process/rolldown.js";
import { childrenOf } from "../rewrite/nodes.js";
import type { Site } from "../runtime/symbolic.js";
import type { Sources } from "../component-bundles.js";

/** A parsed module of the project. */
export interface ParsedModule {
  readonly file: string;
  readonly code: string;
  readonly program: ESTree.Program;
}

/** Parses modules on demand, each once. */
export class Modules {
  readonly #sources: Sources;
  readonly #parseSync: Rolldown["parseSync"];
  readonly #parsed = new Map<string, ParsedModule | undefined>();

  constructor(sources: Sources, parseSync: Rolldown["parseSync"]) {
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
export function pathTo(node: ESTree.Node, { start, end }: Pick<Site, "start" | "end">): ESTree.Node[] {
  if (node.start > start || node.end < end) return [];
  for (const child of childrenOf(node)) {
    const path = pathTo(child, { start, end });
    if (path.length > 0) return [...path, node];
  }
  return node.start === start && node.end === end ? [node] : [];
}

/** A name in an expression, with the members that are read from it. */
export interface Reference {
  readonly name: string;
  /** The names of the members. */
  readonly read: readonly string[];
  /** The name's node, and one for each member. */
  readonly nodes: readonly ESTree.Node[];
}

/** The names in an expression that are not members. */
export function referencesIn(expression: ESTree.Node): Reference[] {
  const references: Reference[] = [];
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
