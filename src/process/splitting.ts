import path from "node:path";
import { fileURLToPath } from "node:url";
import { isOwn } from "./package-boundary.js";
import { type Origin, ReExports } from "./re-exports.js";
import type { Plugin, Rolldown } from "./rolldown.js";

type Parsed = ReturnType<Rolldown["parseSync"]>["module"]["staticImports"][number];

/**
 * Makes own modules import names of a component library from the modules that define them. Loading a whole library, with
 * code highlighting and Tailwind, can take longer than rendering a hundred templates that use neither.
 */
export function splitting({ parseSync, RolldownMagicString }: Rolldown): Plugin {
  return {
    name: "lettershop:splitting",
    async transform(code, id, { moduleType }) {
      const file = path.normalize(id);
      if (!NAMED_IMPORT.test(code) || !isScript(moduleType) || !path.isAbsolute(file) || !isOwn(file)) return null;
      const { module, errors } = parseSync(file, code, { lang: moduleType });
      if (errors.length > 0) return null;
      const resolve = async (specifier: string, importer: string): Promise<string | undefined> => {
        // As a dynamic import: an import of types alone need not resolve.
        const resolved = await this.resolve(specifier, importer, { kind: "dynamic-import", skipSelf: true });
        return resolved?.id.startsWith("file:") ? fileURLToPath(resolved.id) : undefined;
      };
      const reExports = new ReExports({ parseSync }, resolve);
      const edits = new RolldownMagicString(code);
      for (const statement of module.staticImports) {
        const { value: specifier } = statement.moduleRequest;
        if (specifier.startsWith(".") || !isOfNamesOnly(statement)) continue;
        const entry = await resolve(specifier, id);
        const origins = entry === undefined ? undefined : await reExports.originsOf(entry);
        const split = origins && write(statement, origins);
        if (split !== undefined) edits.overwrite(statement.start, statement.end, split);
      }
      return edits.hasChanged() ? { code: edits } : null;
    },
  };
}

const NAMED_IMPORT = /\bimport\s*\{[^}]*\}\s*from\s*["'][^.]/;

function isScript(moduleType: string): moduleType is "js" | "jsx" | "ts" | "tsx" {
  return ["js", "jsx", "ts", "tsx"].includes(moduleType);
}

function isOfNamesOnly({ entries }: Parsed): boolean {
  return entries.length > 0 && entries.every(({ importName, isType }) => importName.kind === "Name" || isType);
}

/** On one line, so that line numbers don't change; undefined if some of the names are unknown. */
function write({ entries }: Parsed, origins: ReadonlyMap<string, Origin>): string | undefined {
  const statements: string[] = [];
  for (const { importName, localName, isType } of entries) {
    if (isType) continue;
    const origin = origins.get(importName.name ?? "");
    if (!origin) return undefined;
    statements.push(`import { ${origin.name} as ${localName.value} } from ${JSON.stringify(origin.file)};`);
  }
  return statements.join(" ");
}
