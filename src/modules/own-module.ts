import path from "node:path";
import { isOwn } from "./package-boundary.js";
import type { ESTree, Plugin, Rolldown, RolldownMagicString } from "./rolldown.js";

/** One of the project's own modules on its way into a bundle. */
export interface OwnModule {
  /** Absolute path, links resolved. */
  readonly file: string;
  /** As written. Offsets of `program` and `edits` count its UTF-16 units. */
  readonly code: string;
  /** Its syntax tree: ESTree with TypeScript and JSX nodes, without nodes for parentheses. */
  readonly program: ESTree.Program;
  /** Rewrites it, source map included: `edits.overwrite(node.start, node.end, "…")`, `edits.prependRight(…)`. */
  readonly edits: RolldownMagicString;
}

/** Called once for each own module of TypeScript or JavaScript, before types and JSX are compiled away. */
export type ModuleTransform = (module: OwnModule) => void;

/**
 * Gives own modules to a transform.
 *
 * @param concerns Whether a module is worth reading, by its text.
 */
export function rewriting(
  { parseSync, RolldownMagicString }: Pick<Rolldown, "parseSync" | "RolldownMagicString">,
  transform: ModuleTransform,
  concerns: (code: string) => boolean = () => true,
): Plugin {
  return {
    name: "lettershop:rewriting",
    transform(code, id, { moduleType }) {
      const file = path.normalize(id);
      if (!isScript(file, moduleType) || !isOwn(file) || !concerns(code)) return null;
      const { program, errors } = parseSync(file, code, { lang: moduleType, preserveParens: false });
      if (errors.length > 0) return null; // rolldown parses again and reports them
      const edits = new RolldownMagicString(code);
      transform({ file, code, program, edits });
      return edits.hasChanged() ? { code: edits } : null;
    },
  };
}

/** Neither a virtual module nor a file that is only taken for JavaScript. */
function isScript(file: string, moduleType: string): moduleType is "js" | "jsx" | "ts" | "tsx" {
  return path.isAbsolute(file) && /\.[cm]?[jt]sx?$/.test(file) && ["js", "jsx", "ts", "tsx"].includes(moduleType);
}
