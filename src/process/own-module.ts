import path from "node:path";
import type { ESTree, Plugin, Rolldown, RolldownMagicString } from "./rolldown.js";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

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

const lettershop = fileURLToPath(new URL("../", import.meta.url));

/**
 * Whether a module belongs to the user's project rather than to a package.
 *
 * @param file Absolute, links resolved, so that a workspace package counts as the project's own.
 */
export function isOwn(file: string): boolean {
  return !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(lettershop);
}

/** `@scope/name` of `@scope/name/path`, `name` of `name/path`. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Whether Node treats a module as CommonJS, judged by its extension and package.json. */
export async function isCommonJs(file: string): Promise<boolean> {
  if (path.extname(file) !== ".js") return path.extname(file) === ".cjs";
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
    if (manifest !== undefined) return !isOfTypeModule(manifest);
    if (folder === path.dirname(folder)) return true;
  }
}

function isOfTypeModule(manifest: string): boolean {
  const content: unknown = JSON.parse(manifest);
  return typeof content === "object" && content !== null && "type" in content && content.type === "module";
}
