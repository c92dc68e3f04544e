import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

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
