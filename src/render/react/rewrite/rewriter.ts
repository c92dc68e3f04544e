import type { ESTree } from "../../../process/rolldown.js";
import type { Editor } from "./editor.js";
import type { FunctionScope } from "./outer.js";

/** Shared by the rules of this folder while they rewrite one module. */
export interface Rewriter {
  readonly editor: Editor;
  /** Imports from packages, by their local names. */
  readonly imported: ReadonlySet<string>;
  /** Whether elements get their source positions. */
  readonly sited: boolean;
  /** Whether the function around runs once for each path through it, so that its statements may branch. */
  readonly forks: boolean;
  /** The functions around, innermost last. */
  readonly scopes: readonly FunctionScope[];
  /** Rewrites a node and its descendants. */
  readonly visit: (node: ESTree.Node | null | undefined) => void;
  /** The same within a function that forks, or doesn't. */
  readonly visitIn: (
    forks: boolean,
    scope: FunctionScope,
    node: ESTree.Node,
    rule?: (node: ESTree.Node, rewriter: Rewriter) => void,
  ) => void;
}
