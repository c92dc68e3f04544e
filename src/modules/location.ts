import path from "node:path";
import { pathToFileURL } from "node:url";
import type { OwnModule } from "./own-module.js";
import type { ESTree } from "./rolldown.js";
import { walk } from "./walk.js";

/** Whether a module uses its own path. */
export function readsLocation(code: string): boolean {
  return /\bimport\.meta\b|\b__(?:dirname|filename)\b/.test(code);
}

/** Makes `import.meta`, `__dirname` and `__filename` refer to the original module instead of the bundle. */
export function keepLocation({ file, program, edits }: OwnModule): void {
  const used = new Set<string>();
  walk(program, (node) => {
    if (node.type === "Identifier") used.add(node.name);
    if (node.type !== "MetaProperty" || node.meta.name !== "import") return;
    used.add("__importMeta");
    edits.overwrite(node.start, node.end, "__importMeta");
  });
  for (const name of program.body.flatMap(declaredNames)) used.delete(name);

  const [url, dirname, filename] = [pathToFileURL(file).href, path.dirname(file), file].map((each) =>
    JSON.stringify(each),
  );
  const values = {
    // Vite and Bun provide `env`.
    __importMeta: `{ url: ${url}, dirname: ${dirname}, filename: ${filename}, get env() { return process.env; } }`,
    __dirname: dirname,
    __filename: filename,
  };
  for (const [name, value] of Object.entries(values)) {
    // Prepended to the first line, so that line numbers don't change.
    if (used.has(name)) edits.prepend(`const ${name} = ${value};`);
  }
}

function declaredNames(statement: ESTree.Node): string[] {
  if (statement.type === "ExportNamedDeclaration")
    return statement.declaration ? declaredNames(statement.declaration) : [];
  if (statement.type === "ImportDeclaration") return statement.specifiers.map(({ local }) => local.name);
  if (statement.type !== "VariableDeclaration") return [];
  const names: string[] = [];
  for (const { id } of statement.declarations) {
    walk(id, (node) => {
      if (node.type === "Identifier") names.push(node.name);
    });
  }
  return names;
}
