import path from "node:path";
import type { Site } from "../runtime/symbolic.js";
import { type Modules, pathTo, referencesIn } from "./syntax.js";

/**
 * The import that makes the function called at a site available in another file.
 *
 * @param to The importing file.
 */
export function importAt(
  site: Site,
  modules: Modules,
  to: string,
): { readonly code: string; readonly declaration: string } | undefined {
  const module = modules.module(site.file);
  const [call] = module ? pathTo(module.program, site) : [];
  const [called, ...others] = call?.type === "CallExpression" ? referencesIn(call.callee) : [];
  if (!module || !called || others.length > 0) return undefined;
  const { name, read } = called;
  const code = [name, ...read].join(".");
  for (const statement of module.program.body) {
    if (statement.type !== "ImportDeclaration") continue;
    const specifier = statement.specifiers.find(({ local }) => local.name === name);
    if (!specifier) continue;
    const from = JSON.stringify(sourceFrom(statement.source.value, site.file, to));
    if (specifier.type === "ImportDefaultSpecifier") return { code, declaration: `import ${name} from ${from};` };
    if (specifier.type === "ImportNamespaceSpecifier")
      return { code, declaration: `import * as ${name} from ${from};` };
    const imported = "name" in specifier.imported ? specifier.imported.name : specifier.imported.value;
    const named = imported === name ? name : `${imported} as ${name}`;
    return { code, declaration: `import { ${named} } from ${from};` };
  }
  return undefined;
}

function sourceFrom(source: string, from: string, to: string): string {
  if (!source.startsWith(".")) return source;
  const relative = path
    .relative(path.dirname(to), path.resolve(path.dirname(from), source))
    .split(path.sep)
    .join("/");
  return relative.startsWith(".") ? relative : `./${relative}`;
}
