import path from "node:path";
import { isOwn } from "./package-boundary.js";
import type { ESTree, Plugin, Rolldown, RolldownMagicString } from "./rolldown.js";

/** One of the project's own modules while it is being bundled. */
export interface OwnModule {
  /** Absolute path, links resolved. */
  readonly file: string;
  /** The source. Offsets of `program` and `edits` count its UTF-16 units. */
  readonly code: string;
  /** Its syntax tree: ESTree with TypeScript and JSX nodes, without nodes for parentheses. */
  readonly program: ESTree.Program;
  /** Edits the source and its source map: `edits.overwrite(node.start, node.end, "…")`, `edits.prependRight(…)`. */
  readonly edits: RolldownMagicString;
}

/** Called once for each own TypeScript or JavaScript module, before types and JSX are compiled away. */
export type ModuleTransform = (module: OwnModule) => void;

/**
 * A plugin that applies a transform to own modules.
 *
 * @param concerns Whether the transform may apply, given the source; other modules are not parsed.
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
      if (errors.length > 0) return null; // Rolldown parses it again and reports the errors.
      const edits = new RolldownMagicString(code);
      transform({ file, code, program, edits });
      return edits.hasChanged() ? { code: edits } : null;
    },
  };
}

/** Excludes virtual modules and files that are only treated as JavaScript. */
function isScript(file: string, moduleType: string): moduleType is "js" | "jsx" | "ts" | "tsx" {
  return path.isAbsolute(file) && /\.[cm]?[jt]sx?$/.test(file) && ["js", "jsx", "ts", "tsx"].includes(moduleType);
}
