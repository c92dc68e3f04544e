import type { ESTree } from "../../../modules/rolldown.js";
import type { Editor } from "./editor.js";
import type { FunctionScope } from "./outer.js";

/** What the rules of this folder share while they go through one module. */
export interface Rewriter {
  readonly editor: Editor;
  /** What packages brought to the module, by its name here. */
  readonly imported: ReadonlySet<string>;
  /** Whether elements are to tell where they were written. */
  readonly sited: boolean;
  /** Whether the function around is run once for each way through it, so that its statements may decide. */
  readonly forks: boolean;
  /** The functions around, the innermost last. */
  readonly scopes: readonly FunctionScope[];
  /** Rewrites a node and what is in it. */
  readonly visit: (node: ESTree.Node | null | undefined) => void;
  /** The same within a function that forks, or doesn't. */
  readonly visitIn: (
    forks: boolean,
    scope: FunctionScope,
    node: ESTree.Node,
    rule?: (node: ESTree.Node, rewriter: Rewriter) => void,
  ) => void;
}
