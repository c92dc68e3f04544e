import type { ESTree, RolldownMagicString } from "../../../process/rolldown.js";
import type { FunctionScope } from "./scopes.js";

/** Rewritten modules find the runtime under `Symbol.for` of this key. Not an import, because a bundle may be anywhere. */
export const RUNTIME_KEY = "lettershop.react";

/** The function that rewritten code calls to get the runtime; prefixed with more underscores if a module uses the name. */
export const RUNTIME_NAME = "__lettershop";

/** Shared by the rules of this folder while they rewrite one module. */
export interface Rewriter {
  readonly editor: Editor;
  /** Imports from packages, by their local names. */
  readonly imported: ReadonlySet<string>;
  readonly withPositions: boolean;
  /** Whether the function around runs once for each path through it, so that its statements may branch. */
  readonly canFork: boolean;
  /** The functions around, innermost last. */
  readonly scopes: readonly FunctionScope[];
  readonly visit: (node: ESTree.Node | null | undefined) => void;
  /** The same within a function that forks, or doesn't. */
  readonly visitIn: (
    forks: boolean,
    scope: FunctionScope,
    node: ESTree.Node,
    rule?: (node: ESTree.Node, rewriter: Rewriter) => void,
  ) => void;
}

/** Inserts code around and between the nodes of a module. Outer nodes must be rewritten before inner ones. */
export class Editor {
  readonly code: string;
  /** An expression that returns the module's runtime. */
  readonly runtime: string;
  readonly #edits: RolldownMagicString;
  #names = 0;

  constructor(code: string, edits: RolldownMagicString) {
    this.code = code;
    this.#edits = edits;
    this.runtime = `${this.#unused(RUNTIME_NAME)}()`;
  }

  /** Before what begins at an offset, and after insertions of outer nodes. */
  before(offset: number, text: string): void {
    this.#edits.appendRight(offset, text);
  }

  /** After what ends at an offset, and before insertions of outer nodes. */
  after(offset: number, text: string): void {
    this.#edits.prependLeft(offset, text);
  }

  /** Between what ends and what begins at an offset, after earlier insertions of this kind. */
  between(offset: number, text: string): void {
    this.#edits.appendLeft(offset, text);
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.update(start, end, text);
  }

  remove(start: number, end: number): void {
    if (end > start) this.#edits.remove(start, end);
  }

  /** Moves a node, with the insertions around it, to an offset, after what was moved there before. */
  move(node: ESTree.Node, offset: number): void {
    this.#edits.move(node.start, node.end, offset);
  }

  prepend(text: string): void {
    this.#edits.prepend(text);
  }

  append(text: string): void {
    this.#edits.append(text);
  }

  /** The beginning of a runtime call that represents a node: `__lettershop().and(12, 24` */
  call(method: string, { start, end }: Range): string {
    return `${this.runtime}.${method}(${start}, ${end}`;
  }

  /** Makes a node the first value of a runtime call, which represents `whole`. */
  wrap(node: ESTree.Node, method: string, argument?: string, whole: Range = node): void {
    const isSequence = node.type === "SequenceExpression";
    this.before(node.start, `${this.call(method, whole)}, ${isSequence ? "(" : ""}`);
    this.after(node.end, `${isSequence ? ")" : ""}${argument === undefined ? "" : `, ${argument}`})`);
  }

  /** The first occurrence of a string between two offsets, outside comments. */
  find(text: string, from: number, to: number): number {
    const offset = this.#search(text, from, to);
    if (offset === undefined) throw new Error(`No ${text} between ${from} and ${to}.`);
    return offset;
  }

  /** The last occurrence of a string between two offsets, outside comments. */
  findLast(text: string, from: number, to: number): number {
    let last = this.find(text, from, to);
    for (;;) {
      const next = this.#search(text, last + text.length, to);
      if (next === undefined) return last;
      last = next;
    }
  }

  textOf(node: ESTree.Node): string {
    return this.code.slice(node.start, node.end);
  }

  /** A name that the module does not use. */
  newName(): string {
    this.#names += 1;
    return this.#unused(`__value${this.#names}`);
  }

  #search(text: string, from: number, to: number): number | undefined {
    for (let offset = from; offset < to; offset += 1) {
      if (this.code.startsWith("/*", offset)) offset = this.code.indexOf("*/", offset) + 1;
      else if (this.code.startsWith("//", offset)) offset = this.code.indexOf("\n", offset);
      else if (this.code.startsWith(text, offset)) return offset;
    }
    return undefined;
  }

  #unused(name: string): string {
    return this.code.includes(name) ? this.#unused(`_${name}`) : name;
  }
}

type Range = Pick<ESTree.Node, "start" | "end">;
